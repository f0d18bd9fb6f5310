// The stacks of a board side by side, in an order that is changed by dragging their names, or with Alt, Shift and the left or right arrow key.
import { Fragment, type HTMLAttributes, type ReactNode } from 'react';
import type { Destination } from '../../ui/reorder.ts';
import { useSortable } from '../../ui/use-sortable.ts';
import type { Stack } from './use-stacks.ts';

interface SortableStacksProps {
  stacks: readonly Stack[];
  /** Absent: nobody may. */
  onPlace: ((key: string, to: Destination) => void) | undefined;
  /** `handle` is what the stack is dragged by. */
  children: (stack: Stack | null, handle: HTMLAttributes<HTMLElement>) => ReactNode;
}

export const SortableStacks = ({ stacks, onPlace, children }: SortableStacksProps) => {
  const { propsOf, handleOf } = useSortable({
    ids: stacks.map(({ key }) => key),
    nameOf: (key) => stacks.find((stack) => stack.key === key)?.name ?? '',
    isHorizontal: true,
    hasHandle: true,
    onMove: onPlace,
  });
  return (
    <>
      <Fragment key="none">{children(null, {})}</Fragment>
      {stacks.map((stack) => (
        <div key={stack.key} {...propsOf(stack.key)} className="flex shrink-0 rounded-xl">
          {children(stack, handleOf(stack.key))}
        </div>
      ))}
    </>
  );
};
