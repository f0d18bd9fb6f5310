// The hours of one day. A click in free time adds a record there; what is dropped begins there.
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { type DragEvent, type MouseEvent, useState } from 'react';
import { dayName } from '../../field-type/date/month.ts';
import { classNames } from '../../ui/class-names.ts';
import type { CalendarFields } from './calendar-fields.ts';
import { HourBlock } from './hour-block.tsx';
import { blocksOf, clockOf, dayMinutes, snap } from './hours.ts';

interface HourDayProps {
  day: string;
  fields: CalendarFields;
  records: readonly RecordVo[];
  /** Minutes; absent on other days than today. */
  now: number | undefined;
  timeOf: (record: RecordVo) => string;
  onOpen: (recordId: string) => void;
  onAdd: ((minutes: number) => void) | undefined;
  onDrop: ((recordId: string, minutes: number) => void) | undefined;
  onMove: ((recordId: string, days: number, minutes: number) => void) | undefined;
  onLengthen: ((recordId: string, minutes: number) => void) | undefined;
  /** How far below its upper edge the record was taken that is being dragged. */
  grabbed: { current: number };
}

export const HourDay = ({
  day,
  fields,
  records,
  now,
  timeOf,
  onOpen,
  onAdd,
  onDrop,
  onMove,
  onLengthen,
  grabbed,
}: HourDayProps) => {
  const [slot, setSlot] = useState<number>();
  const [target, setTarget] = useState<number>();
  const minutesAt = (event: MouseEvent, above: number, step: number): number => {
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const minutes = ((event.clientY - above - top) / height) * dayMinutes;
    return Math.max(0, Math.min(dayMinutes - step, Math.floor(minutes / step + (above === 0 ? 0 : 0.5)) * step));
  };
  const over = (event: DragEvent): void => {
    if (onDrop === undefined) return;
    event.preventDefault();
    setTarget(minutesAt(event, Math.max(1, grabbed.current), snap));
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button of the day above adds a record by keys
    <div
      role="gridcell"
      tabIndex={-1}
      aria-label={`Hours of ${dayName(day)}`}
      data-hours
      className={classNames(
        'relative min-w-0 border-r border-line last:border-r-0',
        onAdd !== undefined && 'cursor-pointer',
      )}
      onMouseMove={(event) =>
        setSlot(onAdd === undefined || event.target !== event.currentTarget ? undefined : minutesAt(event, 0, 30))
      }
      onMouseLeave={() => setSlot(undefined)}
      onClick={(event) => event.target === event.currentTarget && onAdd?.(minutesAt(event, 0, 30))}
      onDragOver={over}
      onDragLeave={() => setTarget(undefined)}
      onDrop={(event) => {
        event.preventDefault();
        setTarget(undefined);
        const recordId = event.dataTransfer.getData('text/plain');
        if (recordId.startsWith('rec')) onDrop?.(recordId, minutesAt(event, Math.max(1, grabbed.current), snap));
      }}
    >
      {slot !== undefined && target === undefined && <Mark minutes={slot}>+ {clockOf(slot)}</Mark>}
      {target !== undefined && <Mark minutes={target}>{clockOf(target)}</Mark>}
      {blocksOf(fields, records, day).map((block) => (
        <HourBlock
          key={block.record.id}
          block={block}
          time={timeOf(block.record)}
          onOpen={() => onOpen(block.record.id)}
          onMove={onMove === undefined ? undefined : (days, minutes) => onMove(block.record.id, days, minutes)}
          onLengthen={onLengthen === undefined ? undefined : (minutes) => onLengthen(block.record.id, minutes)}
          onGrab={(pixels) => {
            grabbed.current = pixels;
          }}
        />
      ))}
      {now !== undefined && (
        <div
          aria-hidden
          className="pointer-events-none absolute inset-x-0 z-[2] h-0.5 bg-danger"
          style={{ top: `${(now / dayMinutes) * 100}%` }}
        />
      )}
    </div>
  );
};

const Mark = ({ minutes, children }: { minutes: number; children: React.ReactNode }) => (
  <div
    aria-hidden
    className="pointer-events-none absolute inset-x-px rounded-md bg-sunken px-1.5 text-[12px] leading-6 text-ink-soft"
    style={{ top: `${(minutes / dayMinutes) * 100}%`, height: `${(30 / dayMinutes) * 100}%` }}
  >
    {children}
  </div>
);
