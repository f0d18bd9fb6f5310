// Where a row or a column goes when it is dropped: the grid already draws it there, this marks the place.
import type { Rectangle } from '@glideapps/glide-data-grid';
import type { Column } from '../../../record-data/columns.ts';

export interface Dropping {
  kind: 'row' | 'column';
  from: number;
  to: number;
  /** How many move together. */
  count: number;
}

interface DropTargetProps {
  dropping: Dropping;
  columns: readonly Column[];
  bounds: (column: number, row: number) => Rectangle | undefined;
  frame: Rectangle | undefined;
}

export const DropTarget = ({ dropping: { kind, from, to, count }, columns, bounds, frame }: DropTargetProps) => {
  const at = bounds(kind === 'row' ? 0 : to, kind === 'row' ? to : -1);
  if (at === undefined || frame === undefined) return null;
  // The columns between have made room for one of this width.
  const width = columns[from]?.width ?? at.width;
  const place =
    kind === 'row'
      ? { left: 0, right: 0, top: at.y - frame.y, height: at.height }
      : { left: (to > from ? at.x + at.width - width : at.x) - frame.x, width, top: 0, bottom: 0 };
  return (
    <div
      data-drop={kind}
      className={`pointer-events-none absolute z-10 border-accent bg-accent/10 ${kind === 'row' ? 'border-y-2' : 'border-x-2'}`}
      style={place}
    >
      {count > 1 && (
        <span className="absolute top-1 left-16 rounded-full bg-accent px-2 text-[12px] font-medium whitespace-nowrap text-accent-ink">
          {count} {kind === 'row' ? 'records' : 'fields'}
        </span>
      )}
    </div>
  );
};
