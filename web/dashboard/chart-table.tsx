// The numbers behind a picture. Screen readers always have them; everybody else asks for them.
import type { Drawing } from '../chart/drawing.ts';
import { tableOf } from '../chart/drawing.ts';
import { classNames } from '../ui/class-names.ts';

/** More rows than anybody reads; the file has all. */
const mostRows = 200;

export const cellClass = 'border-b border-line px-2.5 py-1.5 text-right whitespace-nowrap';
export const headClass =
  'sticky top-0 z-10 border-b border-line-strong bg-surface px-2.5 py-1.5 text-left font-medium text-ink-soft';

interface ChartTableProps {
  drawing: Drawing;
  isShown: boolean;
  onPick: ((group: number, series: number) => void) | undefined;
}

export const ChartTable = ({ drawing, isShown, onPick }: ChartTableProps) => {
  const { head, rows } = tableOf(drawing);
  const left = rows.length - mostRows;
  return (
    <div
      {...(isShown ? { tabIndex: 0, role: 'region', 'aria-label': `Table of ${drawing.title}` } : {})}
      className={isShown ? 'h-full min-h-0 overflow-auto' : 'sr-only'}
    >
      <table className="w-full border-collapse text-[13px]">
        <caption className="sr-only">{drawing.title}</caption>
        <thead>
          <tr>
            {head.map((name, at) => (
              <th key={at} scope="col" className={classNames(headClass, at > 0 && 'text-right!')}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, mostRows).map((row, at) => (
            <tr key={at}>
              <th scope="row" className="border-b border-line px-2.5 py-1.5 text-left font-normal">
                {row.head}
              </th>
              {row.cells.map(({ text, at: place }, column) => (
                <td key={column} className={cellClass}>
                  {place === undefined || onPick === undefined || !isShown ? (
                    text
                  ) : (
                    <button
                      type="button"
                      className="rounded px-1 hover:bg-accent-soft hover:text-accent"
                      onClick={() => onPick(place.group, place.series)}
                    >
                      {text}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <p className="p-2 text-[13px] text-ink-faint">and {left} more: export the chart as CSV to see them.</p>
      )}
    </div>
  );
};
