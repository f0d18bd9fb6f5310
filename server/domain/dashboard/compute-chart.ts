// The data of a chart, in the sight of its reader.
import type { Chart } from '@rowhouse/contract/chart.ts';
import { mostGroups } from '@rowhouse/contract/chart.ts';
import type { ChartData, ChartDataOf, ChartGroup } from '@rowhouse/contract/chart-data.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { wallOf } from '@rowhouse/contract/zone.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Handle } from '../../db/db.ts';
import { formattingOf } from '../cell/kind/date-format.sql.ts';
import { all, filterSql, viewFilterSql } from '../query/filter.sql.ts';
import { boundedFor } from '../record/read/read-soon.ts';
import type { Asking } from './asking.ts';
import { chartGroup, filled, periodOf, stepped } from './chart-group.ts';
import { type ChartKey, omitsEmpty } from './chart-key.sql.ts';
import { type CellRow, selectCells, selectNumber, selectPoints } from './chart.sql.ts';
import { listedRecords } from './list-chart-records.ts';
import { wordsOf } from './measure-words.ts';
import { pivotData } from './pivot-data.ts';
import { type Drawn, measuresOf, type ResolvedChart } from './resolve-chart.ts';

const keyAt = ({ resolved }: Asking, path: string): ChartKey => resolved.keys.get(path) as ChartKey;

const labelOf = (asking: Asking, at: number): string => {
  const [, measure] = measuresOf(asking.chart)[at] ?? [];
  const field = asking.resolved.measures[at]?.field;
  return measure?.label ?? (field === undefined ? 'Records' : `${field.name} (${measure?.statistic})`);
};

const limitOf = ({ grouping }: ChartKey, most: number): number => Math.min(grouping.limit ?? most, most);

/** A key that is an object property: values of different kinds do not meet in one field. */
const tagOf = (value: ChartGroup['value']): string => (value === null ? 'null' : `=${String(value)}`);

/** The groups of one key in their order, with what was left out. */
const axisOf = (
  key: ChartKey,
  rows: readonly CellRow[],
  at: number,
  limit: number,
): { groups: ChartGroup[]; places: ReadonlyMap<string, number>; isCut: boolean } => {
  const seen = new Map<string, { value: ChartGroup['value']; name: string | null; place: number }>();
  for (const { values, names, places } of rows) {
    const [value, name, place] = [values[at] ?? null, names[at] ?? null, places[at] as number];
    if (!seen.has(tagOf(value))) seen.set(tagOf(value), { value, name, place });
  }
  const ordered = [...seen.values()].toSorted((one, other) => one.place - other.place).slice(0, limit);
  const values = filled(
    key,
    ordered.map(({ value }) => value),
    limit,
  );
  return {
    groups: values.map((value) => chartGroup(key, value, seen.get(tagOf(value))?.name ?? null)),
    places: new Map(values.map((value, place) => [tagOf(value), place])),
    isCut: seen.size > limit,
  };
};

const groupsData = async (asking: Asking): Promise<ChartDataOf<'groups'>> => {
  const { db, sight, chart, resolved, where, counted } = asking;
  const isMap = chart.type === 'heatMap';
  const first = keyAt(asking, isMap ? 'columns' : 'group');
  const second = resolved.keys.get(isMap ? 'rows' : 'split');
  const limits = [limitOf(first, mostGroups.groups), second === undefined ? 0 : limitOf(second, mostGroups.series)];
  const keys = second === undefined ? [first] : [first, second];
  const { rows, total } = await selectCells(db, sight, where, keys, resolved.measures, limits);
  const groups = axisOf(first, rows, 0, limits[0] as number);
  const split = second === undefined ? undefined : axisOf(second, rows, 1, limits[1] as number);
  const series =
    split === undefined
      ? resolved.measures.map((_measure, at) => ({ label: labelOf(asking, at), measure: at }))
      : split.groups.map((group) => ({ label: group.label, group, measure: 0 }));
  const isCounting = resolved.measures.map(({ statistic }) => statistic === 'count');
  const values = series.map(({ measure }) =>
    groups.groups.map((): number | null => (isCounting[measure] === true ? 0 : null)),
  );
  for (const { values: of, measured } of rows) {
    const place = groups.places.get(tagOf(of[0] ?? null));
    const line = split === undefined ? undefined : split.places.get(tagOf(of[1] ?? null));
    if (place === undefined || (split !== undefined && line === undefined)) continue;
    if (line !== undefined) (values[line] as (number | null)[])[place] = measured[0] ?? null;
    else for (const [at, value] of measured.entries()) (values[at] as (number | null)[])[place] = value;
  }
  return {
    kind: 'groups',
    ...counted,
    total,
    isCut: groups.isCut || split?.isCut === true,
    groups: groups.groups,
    series,
    values,
  };
};

const pointsData = async (asking: Asking): Promise<ChartDataOf<'points'>> => {
  const { db, sight, resolved, where, counted } = asking;
  const { fields } = resolved;
  const split = resolved.keys.get('split');
  const [x, y] = [fields.get('x'), fields.get('y')];
  if (x === undefined || y === undefined) throw new Error('a scatter chart has no axes');
  const { rows, total } = await selectPoints(
    db,
    sight,
    where,
    { x, y, size: fields.get('size'), split },
    mostGroups.points,
  );
  const places = new Map<string, number>();
  const series: ChartDataOf<'points'>['series'] =
    split === undefined ? [{ label: labelOf(asking, 0), measure: 0 }] : [];
  const points = rows.map(({ id, name, x: left, y: up, size, value, label }) => {
    const tag = tagOf(value);
    if (split !== undefined && !places.has(tag)) {
      places.set(tag, series.length);
      const group = chartGroup(split, value, label);
      series.push({ label: group.label, group, measure: 0 });
    }
    return {
      recordId: id,
      name: name ?? '',
      x: left,
      y: up,
      ...(fields.has('size') ? { size } : {}),
      series: places.get(tag) ?? 0,
    };
  });
  return { kind: 'points', ...counted, total, isCut: total > points.length, series, points };
};

const numberData = async (asking: Asking): Promise<ChartDataOf<'number'>> => {
  const { db, sight, chart, resolved, where, counted } = asking;
  const key = resolved.keys.get('trend');
  const [measure] = resolved.measures;
  if (measure === undefined) throw new Error('a number has no measure');
  const shown = 'trend' in chart ? chart.trend : undefined;
  if (key === undefined || shown == null) {
    const { value, total } = await selectNumber(db, sight, where, measure, null);
    return { kind: 'number', ...counted, total, isCut: false, value };
  }
  const { by, periods: count = 12 } = shown;
  const now = new Date(wallOf(sight.asker.now.getTime(), formattingOf(key.field.options).timeZone));
  const present = periodOf(now.toISOString().slice(0, 10), by);
  const days = Array.from({ length: count }, (_none, at) => stepped(present, by, at + 1 - count));
  const { value, total, periods } = await selectNumber(db, sight, where, measure, { key, since: days[0] as string });
  const found = new Map(periods.map((period) => [period.value, period.measured]));
  const nothing = measure.statistic === 'count' ? 0 : null;
  return {
    kind: 'number',
    ...counted,
    total,
    isCut: false,
    value,
    trend: {
      groups: days.map((day) => chartGroup(key, day, null)),
      values: days.map((day) => found.get(day) ?? nothing),
    },
  };
};

const joined = (...filters: (FilterGroup | null)[]): FilterGroup | undefined => {
  const some = filters.filter((one) => one !== null && one.filterSet.length > 0) as FilterGroup[];
  return some.length === 0 ? undefined : some.length === 1 ? some[0] : { conjunction: 'and', filterSet: some };
};

/** `beside`: what the reader filters by. */
export const computeChart = (
  handle: Handle,
  sight: Sight,
  chart: Drawn,
  resolved: ResolvedChart,
  beside: FilterGroup | null,
): Promise<ChartData> => {
  const { view, filter, keys, measures, fields } = resolved;
  const where = all([
    view === undefined ? null : viewFilterSql(view, sight),
    filterSql(filter, sight, sight.asker),
    filterSql(beside, sight, sight.asker),
    ...[...keys.values()].map(omitsEmpty),
  ]);
  const together = joined(filter, beside);
  const deciding = [
    ...[...keys.values()].map(({ field }) => field),
    ...measures.flatMap(({ field }) => field ?? []),
    ...fields.values(),
  ];
  const asking: Asking = {
    db: boundedFor(handle, deciding),
    sight,
    chart,
    resolved,
    where,
    counted: {
      ...wordsOf(chart, resolved),
      tableId: sight.table.id,
      ...(view === undefined ? {} : { viewId: view.id }),
      ...(together === undefined ? {} : { filter: together }),
    },
  };
  switch (chart.type) {
    case 'scatter':
      return pointsData(asking);
    case 'number':
      return numberData(asking);
    case 'pivot':
      return pivotData(asking);
    case 'records':
      return listedRecords(asking);
    default:
      return groupsData(asking);
  }
};

/** Whether there is anything to compute. */
export const isDrawn = (chart: Chart): chart is Drawn => chart.type !== 'text';
