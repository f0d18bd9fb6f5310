// A pivot table: rows by columns, with sums at the ends.
import type { ChartDataOf } from '@rowhouse/contract/chart-data.ts';
import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';
import { cellClass, headClass } from './chart-table.tsx';
import { groupLabel, nameOfMeasure, type ShownChart, textOfMeasure } from './drawing-of.ts';

interface PivotViewProps {
  shown: ShownChart;
  data: ChartDataOf<'pivot'>;
  onPick: ((row: number, column: number) => void) | undefined;
}

/** Drawn at most: the file has all. */
const mostRows = 300;

export const PivotView = ({ shown, data, onPick }: PivotViewProps) => {
  const measures = data.totals.map((_total, at) => at);
  const hasColumns = data.columns.some((groups) => groups.length > 0);
  const heads = (data.rows[0] ?? []).map((_group, at) => data.groupedBy[at]?.name ?? '');
  const text = (value: number | null | undefined, measure: number): string =>
    value == null ? '–' : textOfMeasure(data, measure).text(value);
  const nameOf = (measure: number): string => nameOfMeasure(data, measure);
  const columnName = (at: number, measure: number): string =>
    [
      ...(data.columns[at] ?? []).map((group, place) => groupLabel(group, data.groupedBy[heads.length + place])),
      ...(measures.length > 1 || !hasColumns ? [nameOf(measure)] : []),
    ].join(' · ');
  const cell = (content: ReactNode, key: string, isTotal = false) => (
    <td key={key} className={classNames(cellClass, isTotal && 'bg-sunken font-medium')}>
      {content}
    </td>
  );
  return (
    <div tabIndex={0} role="region" aria-label={`Table of ${shown.name}`} className="h-full min-h-0 overflow-auto">
      <table className="w-full border-separate border-spacing-0 text-[13px]">
        <caption className="sr-only">{shown.name}</caption>
        <thead>
          <tr>
            {heads.map((name, at) => (
              <th key={at} scope="col" className={headClass}>
                {name}
              </th>
            ))}
            {data.columns.flatMap((_groups, at) =>
              measures.map((measure) => (
                <th key={`${at} ${measure}`} scope="col" className={classNames(headClass, 'text-right!')}>
                  {columnName(at, measure)}
                </th>
              )),
            )}
            {hasColumns &&
              measures.map((measure) => (
                <th key={`total ${measure}`} scope="col" className={classNames(headClass, 'bg-sunken! text-right!')}>
                  {measures.length > 1 ? `Total · ${nameOf(measure)}` : 'Total'}
                </th>
              ))}
          </tr>
        </thead>
        <tbody>
          {data.rows.slice(0, mostRows).map((groups, row) => (
            <tr key={row}>
              {groups.map((group, at) => (
                <th key={at} scope="row" className="border-b border-line px-2.5 py-1.5 text-left font-normal">
                  {groupLabel(group, data.groupedBy[at])}
                </th>
              ))}
              {data.columns.flatMap((_column, column) =>
                measures.map((measure) => {
                  const value = data.values[row]?.[column]?.[measure];
                  return cell(
                    value == null || onPick === undefined ? (
                      text(value, measure)
                    ) : (
                      <button
                        type="button"
                        className="rounded px-1 hover:bg-accent-soft hover:text-accent"
                        onClick={() => onPick(row, column)}
                      >
                        {text(value, measure)}
                      </button>
                    ),
                    `${column} ${measure}`,
                  );
                }),
              )}
              {hasColumns &&
                measures.map((measure) =>
                  cell(text(data.rowTotals[row]?.[measure], measure), `total ${measure}`, true),
                )}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th
              scope="row"
              colSpan={Math.max(1, heads.length)}
              className="bg-sunken px-2.5 py-1.5 text-left font-medium"
            >
              Total
            </th>
            {data.columns.flatMap((_groups, column) =>
              measures.map((measure) =>
                cell(text(data.columnTotals[column]?.[measure], measure), `${column} ${measure}`, true),
              ),
            )}
            {hasColumns && measures.map((measure) => cell(text(data.totals[measure], measure), `all ${measure}`, true))}
          </tr>
        </tfoot>
      </table>
      {data.rows.length > mostRows && (
        <p className="p-2 text-[13px] text-ink-faint">and {data.rows.length - mostRows} more rows.</p>
      )}
    </div>
  );
};
