// Dragging and stretching by mouse, pen or finger. While it lasts the others make room; nothing is saved before the end, and Escape ends it.
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { movedTo, type Placed, resizedTo } from './layout.ts';

interface Drag {
  id: string;
  kind: 'move' | 'resize';
  /** How far the pointer has come, in pixels. */
  dx: number;
  dy: number;
  /** As it would be. */
  items: readonly Placed[];
}

interface GridDragOptions {
  items: readonly Placed[];
  /** From one column, or row, to the next, in pixels. */
  column: number;
  row: number;
  onDrop: (items: readonly Placed[]) => void;
}

interface HandleProps {
  onPointerDown: (event: PointerEvent<HTMLElement>) => void;
}

/** A press that moves less than this is a press. */
const least = 4;
/** So near to the edge of what scrolls, it scrolls. */
const edge = 48;
const scrollStep = 12;

const scrollerOf = (element: Element): Element => {
  let found: Element | null = element;
  while (
    found !== null &&
    !(/(auto|scroll)/.test(getComputedStyle(found).overflowY) && found.scrollHeight > found.clientHeight)
  )
    found = found.parentElement;
  return found ?? document.documentElement;
};

export const useGridDrag = ({ items, column, row, onDrop }: GridDragOptions) => {
  const [drag, setDrag] = useState<Drag>();
  const end = useRef<() => void>(undefined);
  useEffect(() => () => end.current?.(), []);

  const begin = (id: string, kind: Drag['kind'], event: PointerEvent<HTMLElement>): void => {
    const item = items.find((one) => one.id === id);
    if (item === undefined || event.button !== 0 || !event.isPrimary) return;
    const scroller = scrollerOf(event.currentTarget);
    const from = { x: event.clientX, y: event.clientY, scrolled: scroller.scrollTop };
    let last = { x: from.x, y: from.y };
    let current: Drag | undefined;
    let frame = 0;
    const update = (): void => {
      const dx = last.x - from.x;
      const dy = last.y - from.y + scroller.scrollTop - from.scrolled;
      if (current === undefined && Math.hypot(dx, dy) < least) return;
      const columns = Math.round(dx / column);
      const rows = Math.round(dy / row);
      current = {
        id,
        kind,
        dx,
        dy,
        items:
          kind === 'move'
            ? movedTo(items, id, { x: item.x + columns, y: item.y + rows })
            : resizedTo(items, id, { w: item.w + columns, h: item.h + rows }),
      };
      setDrag(current);
    };
    const scroll = (): void => {
      const box = scroller.getBoundingClientRect();
      const by =
        last.y < box.top + edge
          ? -scrollStep
          : last.y > Math.min(box.bottom, window.innerHeight) - edge
            ? scrollStep
            : 0;
      if (current !== undefined && by !== 0) {
        scroller.scrollTop += by;
        update();
      }
      frame = requestAnimationFrame(scroll);
    };
    const move = (moved: globalThis.PointerEvent): void => {
      if (moved.pointerId !== event.pointerId) return;
      last = { x: moved.clientX, y: moved.clientY };
      moved.preventDefault();
      update();
    };
    const finish = (isKept: boolean): void => {
      cancelAnimationFrame(frame);
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', up);
      window.removeEventListener('pointercancel', cancel);
      window.removeEventListener('keydown', escape, true);
      end.current = undefined;
      const done = current;
      current = undefined;
      setDrag(undefined);
      if (isKept && done !== undefined) onDrop(done.items);
    };
    const up = (ended: globalThis.PointerEvent): void => {
      if (ended.pointerId === event.pointerId) finish(true);
    };
    const cancel = (ended: globalThis.PointerEvent): void => {
      if (ended.pointerId === event.pointerId) finish(false);
    };
    const escape = (pressed: KeyboardEvent): void => {
      if (pressed.key !== 'Escape') return;
      pressed.stopPropagation();
      pressed.preventDefault();
      finish(false);
    };
    window.addEventListener('pointermove', move, { passive: false });
    window.addEventListener('pointerup', up);
    window.addEventListener('pointercancel', cancel);
    window.addEventListener('keydown', escape, true);
    frame = requestAnimationFrame(scroll);
    end.current = () => finish(false);
  };

  const handle = (id: string, kind: Drag['kind']): HandleProps => ({
    onPointerDown: (event) => begin(id, kind, event),
  });
  return { drag, handle };
};
