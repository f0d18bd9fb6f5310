// A chart and the eyes of a reader: which fields it stands on, or what keeps it from being drawn. A field that is hidden is as good as deleted: nobody learns which.
import { type Statistic, validStatistics } from '@rowhouse/contract/aggregation.ts';
import type { Chart, Grouping, Measure } from '@rowhouse/contract/chart.ts';
import type { Problem } from '@rowhouse/contract/chart-data.ts';
import { type FilterGroup, readFilter } from '@rowhouse/contract/filter.ts';
import { seesView, type Sight } from '../../catalog/sight.ts';
import type { FieldSchema, ViewSchema } from '../../catalog/table.ts';
import type { CellKind } from '@rowhouse/contract/field.ts';
import { cellTypeOf } from '../cell/types.ts';
import { filterFieldOf } from '../field/field-vo.ts';
import { filterFields } from '../query/reference.ts';
import { type ChartKey, chartKey } from './chart-key.sql.ts';
import type { ChartMeasure } from './chart.sql.ts';

export type Drawn = Exclude<Chart, { type: 'text' }>;

export interface ResolvedChart {
  view: ViewSchema | undefined;
  filter: FilterGroup | null;
  /** By the places in the chart: `group`, `split`, `rows[0]` … */
  keys: ReadonlyMap<string, ChartKey>;
  /** In the order of the chart. */
  measures: readonly ChartMeasure[];
  /** By the places in the chart: `x`, `trend.fieldId`, `fieldIds[0]` … */
  fields: ReadonlyMap<string, FieldSchema>;
}

/** The groupings of a chart, by their places. */
export const groupingsOf = (chart: Drawn): [string, Grouping][] => {
  switch (chart.type) {
    case 'pie':
      return [['group', chart.group]];
    case 'heatMap':
      return [
        ['columns', chart.columns],
        ['rows', chart.rows],
      ];
    case 'pivot':
      return [
        ...chart.rows.map((one, at): [string, Grouping] => [`rows[${at}]`, one]),
        ...(chart.columns ?? []).map((one, at): [string, Grouping] => [`columns[${at}]`, one]),
      ];
    case 'scatter':
      return chart.split == null ? [] : [['split', chart.split]];
    case 'number':
      return chart.trend == null ? [] : [['trend', { fieldId: chart.trend.fieldId, by: chart.trend.by }]];
    case 'records':
      return [];
    default:
      return [['group', chart.group], ...(chart.split == null ? [] : [['split', chart.split] as [string, Grouping]])];
  }
};

/** The measures of a chart, by their places. */
export const measuresOf = (chart: Drawn): [string, Measure][] => {
  if (chart.type === 'scatter' || chart.type === 'records') return [];
  return 'measures' in chart
    ? chart.measures.map((one, at): [string, Measure] => [`measures[${at}]`, one])
    : [['measure', chart.measure]];
};

/** Other fields, by their places, and which kinds of cells they may have; null for all. */
const othersOf = (chart: Drawn): [string, string, readonly CellKind[] | null][] => {
  const numbers: readonly CellKind[] = ['number', 'date'];
  switch (chart.type) {
    case 'scatter':
      return [
        ['x', chart.x, numbers],
        ['y', chart.y, numbers],
        ...(chart.size == null ? [] : [['size', chart.size, ['number']] as [string, string, readonly CellKind[]]]),
      ];
    case 'records':
      return [
        ...(chart.fieldIds ?? []).map((id, at): [string, string, null] => [`fieldIds[${at}]`, id, null]),
        ...(chart.sort ?? []).map(({ fieldId }, at): [string, string, null] => [`sort[${at}].fieldId`, fieldId, null]),
      ];
    default:
      return [];
  }
};

export const fieldIdsInFilter = (filter: unknown): string[] => {
  const { filterSet, fieldId } = (filter ?? {}) as { filterSet?: unknown; fieldId?: unknown };
  return Array.isArray(filterSet) ? filterSet.flatMap(fieldIdsInFilter) : typeof fieldId === 'string' ? [fieldId] : [];
};

/** All fields that it names. */
export const fieldIdsOf = (chart: Drawn): string[] => [
  ...groupingsOf(chart).map(([, { fieldId }]) => fieldId),
  ...measuresOf(chart).flatMap(([, { fieldId }]) => fieldId ?? []),
  ...othersOf(chart).map(([, fieldId]) => fieldId),
  ...fieldIdsInFilter(chart.filter),
];

const noField = (path: string): Problem => ({
  path,
  code: 'noField',
  message: 'The field is not there, or you do not see it',
});
const unfit = (path: string, message: string): Problem => ({ path, code: 'unfit', message });

export const noTable: Problem = {
  path: 'tableId',
  code: 'noTable',
  message: 'The table is not there, or you do not see it',
};

/** A chart with both a series per group of the split and several measures could not be told apart. */
const shapeFaults = (chart: Drawn): Problem[] =>
  'split' in chart && chart.split != null && 'measures' in chart && chart.measures.length > 1
    ? [unfit('measures', 'With a split there is one measure')]
    : [];

const plain: ChartMeasure = { field: undefined, statistic: 'count' };

export const resolveChart = (sight: Sight, chart: Drawn): ResolvedChart | Problem[] => {
  const problems: Problem[] = shapeFaults(chart);
  const find = (id: string, path: string): FieldSchema | undefined => {
    const field = sight.byId.get(id);
    if (field === undefined) problems.push(noField(path));
    else if (field.computed?.state === 'broken')
      problems.push(unfit(path, `The field "${field.name}" is broken itself`));
    else return field;
    return undefined;
  };
  const view = chart.viewId == null ? undefined : sight.table.views.find(({ id }) => id === chart.viewId);
  if (chart.viewId != null && (view === undefined || !seesView(sight, chart.viewId)))
    problems.push({ path: 'viewId', code: 'noView', message: 'The view is not there, or you do not see it' });
  const { filter, issues } = readFilter(chart.filter ?? null, filterFields(sight, 'id'), 'filter');
  for (const { path, message } of issues)
    problems.push(path.endsWith('.fieldId') ? noField(path) : unfit(path, message));

  const keys = new Map<string, ChartKey>();
  for (const [at, [path, grouping]] of groupingsOf(chart).entries()) {
    const field = find(grouping.fieldId, `${path}.fieldId`);
    if (field === undefined) continue;
    const key = chartKey(sight, grouping, `part${at}`);
    const { kind, isMultiple } = cellTypeOf(field);
    if (key === undefined)
      problems.push(unfit(`${path}.fieldId`, `Nothing is grouped by a field of type ${field.type}`));
    else if (path === 'trend' && (kind !== 'date' || isMultiple))
      problems.push(unfit(`${path}.fieldId`, `"${field.name}" is no date`));
    else keys.set(path, key);
  }
  const measures = measuresOf(chart).map(([path, { fieldId, statistic }]): ChartMeasure => {
    if (fieldId === undefined) {
      if (statistic !== 'count') problems.push(unfit(`${path}.fieldId`, `${statistic} needs a field`));
      return plain;
    }
    const field = find(fieldId, `${path}.fieldId`);
    if (field === undefined) return plain;
    const valid: readonly Statistic[] = validStatistics(filterFieldOf(field));
    if (!valid.includes(statistic))
      problems.push(unfit(`${path}.statistic`, `"${field.name}" has no ${statistic}; it has ${valid.join(', ')}`));
    return { field, statistic };
  });
  const fields = new Map<string, FieldSchema>();
  for (const [path, id, kinds] of othersOf(chart)) {
    const field = find(id, path);
    if (field === undefined) continue;
    const { kind, isMultiple } = cellTypeOf(field);
    if (kinds !== null && (isMultiple || !kinds.includes(kind)))
      problems.push(unfit(path, `"${field.name}" is no ${kinds.join(' or ')}`));
    else fields.set(path, field);
  }
  return problems.length > 0 ? problems : { view, filter, keys, measures, fields };
};
