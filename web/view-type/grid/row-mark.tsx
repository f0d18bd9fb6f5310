// Says beside its row why a record does not stand where it belongs.
import type { Rectangle } from './canvas/grid-props.ts';
import type { Mark } from './selection/use-cursor.ts';

const words: Record<Mark, string> = {
  moves: 'Moves when you leave',
  filtered: 'Does not match the filter',
  deleted: 'Deleted',
  'deleted by others': 'Deleted by someone else',
};

/** `at` is the first cell of the row, `within` the grid; both on the screen. */
export const RowMark = ({
  mark,
  at,
  within,
}: {
  mark: Mark;
  at: Rectangle | undefined;
  within: DOMRect | undefined;
}) => {
  if (at === undefined || within === undefined) return null;
  const top = at.y + at.height - within.y;
  const isInSight = top > 36 && top < within.height;
  return (
    <div
      role="status"
      className={`pointer-events-none absolute z-10 rounded-b-md px-2 py-0.5 text-[11px] font-medium shadow-card ${mark.startsWith('deleted') ? 'bg-danger text-danger-ink' : 'bg-warn text-surface'} ${isInSight ? '' : 'sr-only'}`}
      style={{ left: Math.max(at.x - within.x, 0) + 4, top }}
    >
      {words[mark]}
    </div>
  );
};
