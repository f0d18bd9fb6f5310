// A list whose items people put in order: by dragging, or with Alt, Shift and an arrow key.
import { type DragEvent, type HTMLAttributes, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { announce } from './announce.ts';
import { isFocusFree } from './focus.ts';
import { type Destination, sideOf, stepped } from './reorder.ts';

interface SortableOptions {
  /** Those that can be moved, in their order. */
  ids: readonly string[];
  nameOf: (id: string) => string;
  /** Absent: nobody may. */
  onMove: ((id: string, to: Destination) => void) | undefined;
  isHorizontal?: boolean;
  /** Items are dragged by a part of them: text in the rest can be selected. */
  hasHandle?: boolean;
  /** Whether something can be put into an item. */
  takesIn?: (id: string, moved: string) => boolean;
  /** Where a key leads, when that is not the neighbour in the list. */
  step?: (id: string, by: -1 | 1) => Destination | undefined;
}

type ItemProps = HTMLAttributes<HTMLElement> & { 'data-sortable'?: string; 'data-drop'?: string | undefined };

interface Sortable {
  /** For the element of an item. `style.css` draws `data-drop`. */
  propsOf: (id: string) => ItemProps;
  /** For the part that an item is dragged by. */
  handleOf: (id: string) => ItemProps;
  moveBy: (id: string, by: -1 | 1) => void;
  canMoveBy: (id: string, by: -1 | 1) => boolean;
}

/** What a drag of an item is known by. */
export const sortedType = 'application/x-rowhouse-sorted';

const focusable = 'a, button, input, [tabindex]';

const byOf = (key: string, isHorizontal: boolean): -1 | 1 | undefined => {
  if (key === (isHorizontal ? 'ArrowLeft' : 'ArrowUp')) return -1;
  return key === (isHorizontal ? 'ArrowRight' : 'ArrowDown') ? 1 : undefined;
};

export const useSortable = ({
  ids,
  nameOf,
  onMove,
  isHorizontal = false,
  hasHandle = false,
  takesIn = () => false,
  step = (id, by) => stepped(ids, id, by),
}: SortableOptions): Sortable => {
  const dragged = useRef<string | undefined>(undefined);
  const focusing = useRef<string | undefined>(undefined);
  const [over, setOver] = useState<{ id: string; position: Destination['position'] }>();

  // An element that the browser has put elsewhere has lost the focus. If something else has it by now, that is where the person is.
  useLayoutEffect(() => {
    if (focusing.current === undefined || !isFocusFree()) return;
    const item = document.querySelector<HTMLElement>(`[data-sortable="${CSS.escape(focusing.current)}"]`);
    if (item === null) return;
    (item.matches(focusable) ? item : item.querySelector<HTMLElement>(focusable))?.focus();
  });

  const moveBy = (id: string, by: -1 | 1): void => {
    const to = step(id, by);
    if (to === undefined) return announce(`${nameOf(id)} is ${by === -1 ? 'first' : 'last'} already`);
    onMove?.(id, to);
    announce(`${nameOf(id)} moved ${to.position === 'into' ? 'into' : to.position} ${nameOf(to.anchorId)}`);
  };

  const placeOf = (event: DragEvent<HTMLElement>, id: string): Destination['position'] => {
    const box = event.currentTarget.getBoundingClientRect();
    const canTakeIn = takesIn(id, dragged.current as string);
    return isHorizontal
      ? sideOf(event.clientX - box.left, box.width, canTakeIn)
      : sideOf(event.clientY - box.top, box.height, canTakeIn);
  };

  const end = (): void => {
    dragged.current = undefined;
    setOver(undefined);
  };

  const handleOf = (id: string): ItemProps =>
    onMove === undefined
      ? {}
      : {
          draggable: true,
          onDragStart: (event) => {
            event.stopPropagation();
            dragged.current = id;
            event.dataTransfer.effectAllowed = 'move';
            event.dataTransfer.setData(sortedType, '');
            event.dataTransfer.setData('text/plain', nameOf(id));
          },
          onDragEnd: end,
        };

  const propsOf = (id: string): ItemProps => {
    if (onMove === undefined) return {};
    return {
      ...(hasHandle ? {} : handleOf(id)),
      'data-sortable': id,
      'data-drop': over?.id === id ? `${over.position}${isHorizontal ? '-x' : ''}` : undefined,
      onFocus: () => {
        if (focusing.current !== id) focusing.current = undefined;
      },
      onPointerDown: () => {
        focusing.current = undefined;
      },
      onDragOver: (event) => {
        // Something else is dragged here, such as a file.
        if (dragged.current === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        const position = placeOf(event, id);
        if (dragged.current === id) setOver(undefined);
        else if (over?.id !== id || over.position !== position) setOver({ id, position });
      },
      onDragLeave: (event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(undefined);
      },
      onDrop: (event) => {
        const moved = dragged.current;
        if (moved === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        const position = placeOf(event, id);
        end();
        if (moved !== id) onMove(moved, { anchorId: id, position });
      },
      onKeyDown: (event: KeyboardEvent) => {
        const by = event.altKey && event.shiftKey ? byOf(event.key, isHorizontal) : undefined;
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        focusing.current = id;
        moveBy(id, by);
      },
    };
  };

  return { propsOf, handleOf, moveBy, canMoveBy: (id, by) => onMove !== undefined && step(id, by) !== undefined };
};
