import { mostGroups } from '@rowhouse/contract/chart.ts';
import type { ChartDataOf, ChartGroup } from '@rowhouse/contract/chart-data.ts';
import { chartGroup } from './chart-group.ts';
import type { ChartKey } from './chart-key.sql.ts';
import { mostPivotCells, type PivotRow, selectPivot } from './chart.sql.ts';
import type { Asking } from './asking.ts';

type Values = (number | null)[];

const pathOf = ({ values }: PivotRow, from: number, to: number): string => JSON.stringify(values.slice(from, to));

interface Axis {
  groups: ChartGroup[][];
  places: Map<string, number>;
  isCut: boolean;
}

/** Each path of groups once, in the order in which they come: that of the keys. */
const axisOf = (rows: readonly PivotRow[], keys: readonly ChartKey[], from: number, most: number): Axis => {
  const axis: Axis = { groups: [], places: new Map(), isCut: false };
  for (const row of rows) {
    const path = pathOf(row, from, from + keys.length);
    if (axis.places.has(path)) continue;
    if (axis.groups.length === most) {
      axis.isCut = true;
      continue;
    }
    axis.places.set(path, axis.groups.length);
    axis.groups.push(
      keys.map((key, at) => chartGroup(key, row.values[from + at] ?? null, row.names[from + at] ?? null)),
    );
  }
  return axis;
};

export const pivotData = async ({ db, sight, resolved, where, counted }: Asking): Promise<ChartDataOf<'pivot'>> => {
  const entries = [...resolved.keys];
  const rowKeys = entries.filter(([path]) => path.startsWith('rows')).map(([, key]) => key);
  const columnKeys = entries.filter(([path]) => path.startsWith('columns')).map(([, key]) => key);
  const { measures } = resolved;
  const { rows: found, total } = await selectPivot(db, sight, where, [rowKeys, columnKeys], measures);
  const rows = found.slice(0, mostPivotCells);
  const about = (inRows: boolean, inColumns: boolean): PivotRow[] =>
    rows.filter(({ has }) => has[0] === inRows && (columnKeys.length === 0 || has[rowKeys.length] === inColumns));
  const cells = about(true, true);
  const hasColumns = columnKeys.length > 0;
  // Of totals each group is there once, in the order of the keys; by a measure they are in its order.
  const down = axisOf(hasColumns ? about(true, false) : cells, rowKeys, 0, mostGroups.rows);
  const across: Axis = hasColumns
    ? axisOf(about(false, true), columnKeys, rowKeys.length, mostGroups.columns)
    : { groups: [[]], places: new Map([['[]', 0]]), isCut: false };
  const nothing = (): Values => measures.map(({ statistic }) => (statistic === 'count' ? 0 : null));
  const values = down.groups.map(() => across.groups.map(nothing));
  const rowTotals = down.groups.map(nothing);
  const columnTotals = across.groups.map(nothing);
  const [end, last] = [rowKeys.length, rowKeys.length + columnKeys.length];
  const put = (into: Values[] | undefined, place: number | undefined, { measured }: PivotRow): void => {
    if (into !== undefined && place !== undefined) into[place] = measured;
  };
  for (const row of cells) {
    const place = down.places.get(pathOf(row, 0, end));
    put(place === undefined ? undefined : values[place], across.places.get(pathOf(row, end, last)), row);
    if (!hasColumns) put(rowTotals, place, row);
  }
  if (hasColumns) {
    for (const row of about(true, false)) put(rowTotals, down.places.get(pathOf(row, 0, end)), row);
    for (const row of about(false, true)) put(columnTotals, across.places.get(pathOf(row, end, last)), row);
  }
  const whole = rows.find(({ has }) => !has.includes(true));
  const totals = whole?.measured ?? nothing();
  if (!hasColumns) columnTotals[0] = totals;
  return {
    kind: 'pivot',
    ...counted,
    total,
    isCut: down.isCut || across.isCut || found.length > mostPivotCells,
    rows: down.groups,
    columns: across.groups,
    values,
    rowTotals,
    columnTotals,
    totals,
  };
};
