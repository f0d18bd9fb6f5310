// A record at its time. It is dragged, or moved with Alt and the arrow keys; with Shift its end is.
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { cardName } from '../../field-type/cell/card-fields.tsx';
import { classNames } from '../../ui/class-names.ts';
import { type Block, clockOf, dayMinutes, snap } from './hours.ts';

interface HourBlockProps {
  block: Block;
  time: string;
  onOpen: () => void;
  /** Absent: it stays where it is. */
  onMove: ((days: number, minutes: number) => void) | undefined;
  /** Absent: there is no end to change. */
  onLengthen: ((minutes: number) => void) | undefined;
  /** How far below its upper edge it was taken. */
  onGrab: (pixels: number) => void;
}

const steps: Record<string, readonly [days: number, minutes: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -snap],
  ArrowDown: [0, snap],
};

export const HourBlock = ({ block, time, onOpen, onMove, onLengthen, onGrab }: HourBlockProps) => {
  const { record, from, until, column, columns, beginsBefore, endsAfter } = block;
  const [longer, setLonger] = useState(0);
  const pulled = useRef<{ y: number; minutesPerPixel: number } | undefined>(undefined);
  const name = cardName(record);
  const press = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (!event.altKey || step === undefined) return;
    event.preventDefault();
    if (!event.shiftKey) onMove?.(...step);
    else if (step[1] !== 0) onLengthen?.(step[1]);
  };
  const pull = (event: PointerEvent): void => {
    if (pulled.current === undefined) return;
    const minutes = (event.clientY - pulled.current.y) * pulled.current.minutesPerPixel;
    setLonger(Math.round(minutes / snap) * snap);
  };
  const until24 = Math.min(dayMinutes, Math.max(from + snap, until + longer));
  return (
    <div
      data-bar
      className="absolute px-px"
      style={{
        top: `${(from / dayMinutes) * 100}%`,
        height: `${((until24 - from) / dayMinutes) * 100}%`,
        left: `${(column / columns) * 100}%`,
        width: `${100 / columns}%`,
      }}
    >
      <button
        type="button"
        draggable={onMove !== undefined}
        title={onMove === undefined ? name : `${name} · drag to move, or press Alt and an arrow key`}
        onDragStart={(event) => {
          event.dataTransfer.setData('text/plain', record.id);
          onGrab(event.clientY - event.currentTarget.getBoundingClientRect().top);
        }}
        onKeyDown={press}
        onClick={onOpen}
        className={classNames(
          'block size-full overflow-hidden rounded-md bg-accent-soft px-1.5 text-left align-top text-[12px] leading-[1.15rem] text-ink shadow-card ring-1 ring-accent/15 hover:bg-accent hover:text-accent-ink',
          beginsBefore && 'rounded-t-none',
          endsAfter && 'rounded-b-none',
        )}
      >
        {/* As many lines as there is room for: none is cut through the middle. */}
        <span className="block max-h-[max(1.15rem,round(down,100%,1.15rem))] overflow-hidden font-medium break-words">
          {name} <span className="font-normal opacity-80">{longer === 0 ? time : `until ${clockOf(until24)}`}</span>
        </span>
      </button>
      {onLengthen !== undefined && !endsAfter && (
        <div
          aria-hidden
          title="Drag to change the end"
          className="absolute inset-x-0 bottom-0 h-1.5 cursor-ns-resize touch-none pointer-coarse:h-3.5"
          onPointerDown={(event) => {
            const day = event.currentTarget.closest('[data-hours]')?.getBoundingClientRect();
            if (day === undefined || event.button !== 0) return;
            event.preventDefault();
            event.currentTarget.setPointerCapture(event.pointerId);
            pulled.current = { y: event.clientY, minutesPerPixel: dayMinutes / day.height };
          }}
          onPointerMove={pull}
          onPointerUp={() => {
            if (pulled.current !== undefined && longer !== 0) onLengthen(longer);
            pulled.current = undefined;
            setLonger(0);
          }}
          onPointerCancel={() => {
            pulled.current = undefined;
            setLonger(0);
          }}
        />
      )}
    </div>
  );
};
