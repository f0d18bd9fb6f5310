// The chart that an item stores: one of ours, or what the chart plugin of Teable's clients stores, where one of ours says the same.
import { type Chart, type ChartType, chartSchemas, type Measure } from '@rowhouse/contract/chart.ts';
import type { BaseQueryLevel } from '@rowhouse/contract/base-query.ts';
import { Compile } from 'typebox/compile';

type Storage = Record<string, unknown> | null;

const checks = new Map(Object.entries(chartSchemas).map(([type, schema]) => [type, Compile(schema)]));

const isChart = (given: unknown): given is Chart =>
  checks.get(String((given as { type?: unknown } | null)?.type))?.Check(given) === true;

const objectOf = (given: unknown): Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Record<string, unknown>) : {};
const listOf = (given: unknown): Record<string, unknown>[] => (Array.isArray(given) ? given.map(objectOf) : []);

/** Conditions name columns there. */
const asFilter = (given: unknown): unknown => {
  const { filterSet, column, type: _type, ...rest } = objectOf(given);
  return Array.isArray(filterSet) ? { ...rest, filterSet: filterSet.map(asFilter) } : { ...rest, fieldId: column };
};

/** An axis names a column of the result: a field, or a field and its statistic. */
const measureOf = ({ aggregation = [] }: BaseQueryLevel, axis: Record<string, unknown>): Measure | undefined => {
  const found = aggregation.find(({ column, statisticFunc }) => `${column}_${statisticFunc}` === axis['column']);
  const { label, prefix, suffix, decimal } = axis;
  return found === undefined
    ? undefined
    : ({
        statistic: found.statisticFunc,
        fieldId: found.column,
        ...(typeof label === 'string' ? { label } : {}),
        format: {
          ...(typeof prefix === 'string' ? { prefix } : {}),
          ...(typeof suffix === 'string' ? { suffix } : {}),
          ...(typeof decimal === 'number' ? { decimals: decimal } : {}),
        },
      } as Measure);
};

const plottedTypes: Record<string, ChartType> = { bar: 'bar', line: 'line', area: 'area' };

const ofTeable = (query: BaseQueryLevel, config: Record<string, unknown>): unknown => {
  const { from, where, join = [], groupBy = [], orderBy = [], limit, offset = 0 } = query;
  // What it makes of a query in a query, of joins and of pages none of ours does.
  if (typeof from !== 'string' || join.length > 0 || offset > 0 || groupBy.length > 1) return undefined;
  const source = { tableId: from, ...(where == null ? {} : { filter: asFilter(where) }) };
  const [grouped] = groupBy;
  const [order] = orderBy;
  const group = grouped && {
    fieldId: grouped.column,
    ...(order === undefined ? {} : { sort: order.column === grouped.column ? 'field' : 'measure', order: order.order }),
    ...(limit === undefined || limit === 0 ? {} : { limit }),
  };
  const type = String(config['type']);
  if (type === 'table')
    return grouped === undefined
      ? {
          type: 'records',
          ...source,
          fieldIds: listOf(config['columns'])
            .filter(({ hidden }) => hidden !== true)
            .map(({ column }) => column),
        }
      : undefined;
  if (group === undefined) return undefined;
  if (type === 'pie') {
    const measure = measureOf(query, objectOf(config['measure']));
    return { type, ...source, group, measure };
  }
  const plotted = plottedTypes[type];
  const measures = listOf(config['yAxis']).map((axis) => measureOf(query, axis));
  return plotted === undefined
    ? undefined
    : { type: plotted === 'bar' && config['stack'] === true ? 'stackedBar' : plotted, ...source, group, measures };
};

/** Undefined: it is none that is understood. */
export const readChart = (storage: Storage): Chart | undefined => {
  if (storage === null) return undefined;
  const { chart, query, config } = storage;
  const found =
    chart ?? (query === undefined ? undefined : ofTeable(objectOf(query) as BaseQueryLevel, objectOf(config)));
  return isChart(found) ? found : undefined;
};
