// GET /table/:tableId/record
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import type { listRecords as endpoint } from '@rowhouse/contract/record.ts';
import { Stale } from '../../catalog/stale.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { readCursor, writeCursor } from '../query/cursor.ts';
import { all } from '../query/filter.sql.ts';
import { type Asked, type Plan, planQuery } from '../query/plan.ts';
import { type Grouped, groupPoints } from './group-points.ts';
import { outsideOf, selectGroups } from './group-points.sql.ts';
import { keepViewIndexes } from './keep-view-indexes.ts';
import { positionOf } from './order.sql.ts';
import { type Page, selectPage } from './read.sql.ts';
import { shapeOf } from './shape.ts';
import { retryWhenStale, tableOf } from './write.ts';

type Query = QueryOf<typeof endpoint>;

export const planFor = (context: Context, table: TableSchema, asked: Asked): Plan =>
  planQuery(table, asked, { userId: context.principal.userId, now: context.now() }, (viewId) => positionOf(viewId, 'r'));

const extraJson = ({ levels, search }: Plan, grouped: Grouped | null, page: Page, nextCursor: string | null): string => {
  const hits = page.hits?.flatMap(([recordId, ...fieldIds]) => fieldIds.map((fieldId) => ({ recordId, fieldId }))) ?? [];
  return JSON.stringify({
    ...(levels.length > 0 && grouped === null ? {} : { groupPoints: grouped?.points ?? [] }),
    ...(grouped === null ? {} : { allGroupHeaderRefs: grouped.refs }),
    ...(search === null ? {} : { searchHitIndex: hits.length === 0 ? null : hits }),
    nextCursor,
  });
};

const longestLink = 6_000;

/** The next page as a URL; none when it would be longer than what clients and proxies take in a header. */
const linkTo = (context: Context, query: Query, cursor: string | null): Record<string, string> => {
  if (cursor === null) return {};
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries({ ...query, skip: undefined, cursor })) {
    if (Array.isArray(value)) for (const item of value) search.append(`${key}[]`, String(item));
    else if (value !== undefined) search.append(key, String(value));
  }
  const url = `${context.publicUrl()}/api/table/${context.access.tableId}/record?${search}`;
  return url.length > longestLink ? {} : { link: `<${url}>; rel="next"` };
};

/**
 * A prepared statement may get a plan that does not look at its parameters: with an index on a filtered field that can
 * be the wrong one, and a cursor has as many parameters as it has ranges.
 */
const preparing = (table: TableSchema, plan: Plan, hasCursor: boolean): 'always' | 'recurring' | 'never' => {
  if (hasCursor) return 'never';
  if (plan.isPlain) return 'always';
  return table.views.every(({ filter }) => filter === null) ? 'recurring' : 'never';
};

export const listRecords = (context: Context, query: Query): Promise<{ text: string; headers: Record<string, string> }> =>
  retryWhenStale(context, async () => {
    const table = await tableOf(context);
    const plan = planFor(context, table, query);
    const { keys, levels } = plan;
    const after = query.cursor === undefined ? null : readCursor(keys, query.cursor);
    // Groups are counted over everything, which later pages need not pay for again.
    const isGrouped = levels.length > 0 && ((after === null && query.withGroups !== false) || plan.collapsed.size > 0);
    const grouped = isGrouped ? groupPoints(await selectGroups(context.db, table, levels, plan.where), levels, plan.collapsed) : null;
    const guard = { table, epoch: context.access.epoch };
    const page = await selectPage(context.db, guard, shapeOf(table, query, plan.visible), {
      take: query.take ?? 100,
      skip: query.skip ?? 0,
      where: all([plan.where, outsideOf(grouped?.collapsedPaths ?? [], levels)]),
      keys,
      after,
      search: plan.search,
      plain: plan.isPlain && after === null && plan.collapsed.size === 0 ? `${plan.view?.id} ${query.ignoreViewQuery}` : null,
      prepare: preparing(table, plan, after !== null),
    });
    if (page.version !== table.version) throw new Stale('schema');
    if (page.epoch !== guard.epoch) throw new Stale('access');
    if (plan.view !== undefined) keepViewIndexes(context, table);
    const cursor = page.last === null ? null : writeCursor(keys, page.last);
    return { text: `{"records":[${page.records ?? ''}],"extra":${extraJson(plan, grouped, page, cursor)}}`, headers: linkTo(context, query, cursor) };
  });
