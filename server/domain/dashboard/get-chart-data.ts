// The data of a chart, for its reader: of an item of a dashboard, or of a chart that is not stored.
import type { Chart } from '@rowhouse/contract/chart.ts';
import type { ChartData, Problem } from '@rowhouse/contract/chart-data.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import { type FilterGroup, readFilter } from '@rowhouse/contract/filter.ts';
import { demand } from '../../catalog/access.ts';
import { type Sight, sightOf } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import { isOfOldSchema } from '../../db/error.ts';
import { Answer } from '../../endpoint/route.ts';
import { presentTable } from '../../pipeline/present-table.ts';
import { selectIsInBase } from '../field/link-field.sql.ts';
import { filterFields, readJson } from '../query/reference.ts';
import { selectItem } from '../table/dashboard.sql.ts';
import { bodyTag, isUnchanged, markOf, newTag, settleFeed } from './chart-tag.ts';
import { computeChart, isDrawn } from './compute-chart.ts';
import { readChart } from './read-chart.ts';
import { type Drawn, noTable, resolveChart, type ResolvedChart } from './resolve-chart.ts';

export interface OfItem {
  baseId: string;
  dashboardId: string;
  itemId: string;
}

/** What a reader filters by, for the charts of one table. */
interface ReaderFilter {
  tableId: string;
  filter: unknown;
}

/** What the reader sees of the table of a chart; undefined when there is none for them. */
export const sightFor = async (context: Context, baseId: string, tableId: string): Promise<Sight | undefined> => {
  const { db, access } = context;
  if (access.rights.of(tableId) === null || !(await selectIsInBase(db, baseId, tableId))) return undefined;
  return sightOf(context, await presentTable(context, baseId, tableId));
};

/** The same for many charts, each table once. */
export type SightOfTable = (tableId: string) => Promise<Sight | undefined>;
export const sightsFor = (context: Context, baseId: string): SightOfTable => {
  const known = new Map<string, Promise<Sight | undefined>>();
  return (tableId) => {
    const found = known.get(tableId) ?? sightFor(context, baseId, tableId);
    known.set(tableId, found);
    return found;
  };
};

const broken = (problems: readonly Problem[]): ChartData => ({ kind: 'broken', problems: [...problems] });
export const unreadable: Problem = {
  path: '',
  code: 'unreadable',
  message: 'What is stored is no chart that can be shown',
};

const besideOf = (sight: Sight, given: readonly ReaderFilter[]): FilterGroup | null => {
  const own = given.flatMap(({ tableId, filter }, at) => {
    if (tableId !== sight.table.id) return [];
    const read = readFilter(filter, filterFields(sight, 'id'), `filters[${at}].filter`);
    if (read.issues.length > 0) throw invalid(read.issues);
    return read.filter ?? [];
  });
  return own.length === 0 ? null : { conjunction: 'and', filterSet: own };
};

const mostFilters = 50;

const readReaderFilters = (text: string | undefined): ReaderFilter[] => {
  const given = text === undefined ? [] : readJson(text, 'query.filters');
  const isOne = (one: unknown): one is ReaderFilter =>
    typeof one === 'object' && one !== null && typeof (one as ReaderFilter).tableId === 'string';
  if (!Array.isArray(given) || given.length > mostFilters || !given.every(isOne))
    throw invalid({
      path: 'query.filters',
      message: `Expected a list of at most ${mostFilters} filters`,
      expected: '[{tableId, filter}]',
    });
  return given;
};

interface Ready {
  sight: Sight;
  chart: Drawn;
  resolved: ResolvedChart;
  beside: FilterGroup | null;
}

const prepare = async (
  context: Context,
  baseId: string,
  chart: Drawn,
  given: readonly ReaderFilter[],
): Promise<Ready | Problem[]> => {
  const sight = await sightFor(context, baseId, chart.tableId);
  if (sight === undefined) return [noTable];
  const resolved = resolveChart(sight, chart);
  return Array.isArray(resolved) ? resolved : { sight, chart, resolved, beside: besideOf(sight, given) };
};

const compute = ({ db }: Context, { sight, chart, resolved, beside }: Ready): Promise<ChartData> =>
  computeChart(db, sight, chart, resolved, beside);

/** A schema that changed between the look at it and the statement: once more, with what it is now. */
const withPresentSchema = async <T>({ catalog }: Context, chart: Chart, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!isOfOldSchema(error) || !isDrawn(chart)) throw error;
    catalog.forget(chart.tableId);
    return work();
  }
};

/** Charts show what stands in cells: a token that may not read records sees none. */
const demandCells = ({ access }: Context, baseId: string): void => demand(access, 'record|read', baseId);

export const previewChart = async (
  context: Context,
  baseId: string,
  { chart, filters = [] }: { chart: Chart; filters?: readonly ReaderFilter[] },
): Promise<ChartData> => {
  demandCells(context, baseId);
  if (!isDrawn(chart)) return { kind: 'text' };
  return withPresentSchema(context, chart, async () => {
    const ready = await prepare(context, baseId, chart, filters);
    return Array.isArray(ready) ? broken(ready) : compute(context, ready);
  });
};

const answered = (data: ChartData, tag: string | undefined, given: string | undefined): Answer => {
  const text = JSON.stringify(data);
  const own = tag ?? bodyTag(text);
  const headers = { etag: own, 'cache-control': 'private, no-cache' };
  return own === given
    ? new Answer({ status: 304, headers })
    : new Answer({ text, headers, mayShowFiles: data.kind === 'records' });
};

/** `strip`: what is left of it for those who see it by a share. */
export const chartAnswer = (
  context: Context,
  baseId: string,
  item: { version: number; storage: Record<string, unknown> | null },
  given: readonly ReaderFilter[],
  tagGiven: string | undefined,
  strip: (data: ChartData) => ChartData = (data) => data,
): Promise<Answer> => {
  const { db } = context;
  const chart = readChart(item.storage);
  if (chart === undefined) return Promise.resolve(answered(broken([unreadable]), undefined, tagGiven));
  if (!isDrawn(chart)) return Promise.resolve(answered({ kind: 'text' }, undefined, tagGiven));
  return withPresentSchema(context, chart, async () => {
    const ready = await prepare(context, baseId, chart, given);
    if (Array.isArray(ready)) return answered(broken(ready), undefined, tagGiven);
    const { sight, beside, resolved } = ready;
    const filters = [resolved.filter, beside, (resolved.view?.filter ?? null) as FilterGroup | null];
    const mark = markOf({ sight, chart, filters, marks: [item.version, strip.name] });
    if (mark === undefined) return answered(strip(await compute(context, ready)), undefined, tagGiven);
    await settleFeed(db, baseId);
    if (tagGiven !== undefined && (await isUnchanged(db, sight.table, mark, tagGiven)))
      return new Answer({ status: 304, headers: { etag: tagGiven, 'cache-control': 'private, no-cache' } });
    const tag = await newTag(db, baseId, mark);
    return answered(strip(await compute(context, ready)), tag, undefined);
  });
};

export const getChartData = async (
  context: Context,
  params: OfItem,
  filters: string | undefined,
  tagGiven: string | undefined,
): Promise<Answer> => {
  demandCells(context, params.baseId);
  const item = await selectItem(context.db, params);
  if (item === undefined) throw notFound('Chart', params.itemId.slice(0, 50));
  return chartAnswer(context, params.baseId, item, readReaderFilters(filters), tagGiven);
};
