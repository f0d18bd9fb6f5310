// GET /table/:tableId/record
import { colorRulesOf, decidingFields } from '@rowhouse/contract/color-rule.ts';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import type { listRecords as endpoint } from '@rowhouse/contract/record.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import type { Handle } from '../../../db/db.ts';
import type { Context, Unconfirmed } from '../../../context.ts';
import { holdsFiles } from '../../cell/registry.ts';
import { guardedRead } from '../../../pipeline/pipeline.ts';
import { readCursor, sealedFor, writeCursor } from '../../query/cursor.ts';
import { all } from '../../query/filter.sql.ts';
import { type Asked, type ResolvedQuery, resolveQuery } from '../../query/resolve-query.ts';
import { type Grouped, groupPoints } from './group-points.ts';
import { outsideOf, selectGroups } from './group-points.sql.ts';
import { findByIndex, wishForSearchIndex } from '../search-index/find-by-index.ts';
import { mayHaveFilterIndex, wishForIndexes } from '../view-index/keep-query-indexes.ts';
import { keepViewIndexes } from '../view-index/keep-view-indexes.ts';
import { keptAnswer, levelNames, type Question } from './kept-answer.ts';
import { positionOf } from '../order/order.sql.ts';
import { readSoon } from './read-soon.ts';
import { type Page, selectPage } from './read.sql.ts';
import { shapeOf } from './shape.ts';

type Query = QueryOf<typeof endpoint>;

export const queryFor = (sight: Sight, asked: Asked): ResolvedQuery =>
  resolveQuery(sight, asked, (viewId) => positionOf(viewId, 'r'));

const extraJson = (
  { levels, search }: ResolvedQuery,
  grouped: Grouped | null,
  page: Page,
  nextCursor: string | null,
): string => {
  const hits =
    page.hits?.flatMap(([recordId, ...fieldIds]) => fieldIds.map((fieldId) => ({ recordId, fieldId }))) ?? [];
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
const preparing = (
  db: Handle,
  { table, rows }: Sight,
  resolved: ResolvedQuery,
  hasCursor: boolean,
): 'always' | 'recurring' | 'never' => {
  if (hasCursor) return 'never';
  // A condition of rules holds for few records of one person and for half of another's: in the order of the table one plan does for all, in another order it does not.
  if (rows !== true && resolved.keys.length > 1) return 'never';
  if (resolved.isPlain) return 'always';
  if (mayHaveFilterIndex(db, table.id, resolved.wishes)) return 'never';
  return table.views.every(({ filter }) => filter === null) ? 'recurring' : 'never';
};

/** What is shown through a view, and what its colours depend on, as far as the reader sees it. */
const withColors = ({ byId }: Sight, { view, visible }: ResolvedQuery): readonly FieldSchema[] => {
  const deciding = view === undefined ? [] : colorRulesOf(view).flatMap(decidingFields);
  return deciding.length === 0 ? visible : [...new Set([...visible, ...deciding.flatMap((id) => byId.get(id) ?? [])])];
};

const ofGroups = (asked: Asked, { deciding, where, levels }: ResolvedQuery): Question => ({
  asked,
  fields: deciding,
  where,
  of: ['groups', levelNames(levels)],
});

interface Told {
  headers: Record<string, string>;
  mayShowFiles: boolean;
}

/** As JSON text: records joined by commas, and what is said beside them. */
export const readPage = (request: Unconfirmed, query: Query): Promise<Told & { records: string; extra: string }> =>
  guardedRead(request, async (context, sight) => {
    const resolved = queryFor(sight, query);
    const { keys, levels } = resolved;
    const envelope = sight.rule.isPublic === true ? sealedFor(context.secretKey, sight.table.id) : undefined;
    const after = query.cursor === undefined ? null : readCursor(keys, query.cursor, envelope);
    // Groups are counted over everything, which later pages need not pay for again.
    const isGrouped =
      levels.length > 0 && ((after === null && query.withGroups !== false) || resolved.collapsed.size > 0);
    const wanted = shapeOf(sight, query, withColors(sight, resolved));
    const begun = performance.now();
    const hint = await findByIndex(context, sight, resolved);
    const { grouped, page } = await readSoon(context.db, sight, wanted, async (db, shape, isWhole) => {
      const groups = isGrouped
        ? groupPoints(
            await keptAnswer(context, sight, ofGroups(query, resolved), () =>
              selectGroups(db, sight, levels, all([resolved.where, hint])),
            ),
            levels,
            resolved.collapsed,
          )
        : null;
      const found = await selectPage(db, sight, shape, {
        take: query.take ?? 100,
        skip: query.skip ?? 0,
        where: all([resolved.where, outsideOf(groups?.collapsedPaths ?? [], levels)]),
        hint,
        keys,
        after,
        search: resolved.search,
        // By the index it is known that they are few.
        isByText: resolved.isByText && hint === null,
        plain:
          isWhole && resolved.isPlain && after === null && resolved.collapsed.size === 0
            ? `${resolved.view?.id} ${query.ignoreViewQuery}`
            : null,
        prepare: preparing(context.db, sight, resolved, after !== null),
      });
      return { grouped: groups, page: found };
    });
    wishForIndexes(context, sight, resolved.wishes, performance.now() - begun);
    wishForSearchIndex(context, sight, resolved, performance.now() - begun);
    if (resolved.view !== undefined || sight.rule.key !== undefined)
      keepViewIndexes(context, sight.table, sight.rule.key);
    const cursor = page.last === null ? null : writeCursor(keys, page.last, envelope);
    const value = {
      records: page.records ?? '',
      extra: extraJson(resolved, grouped, page, cursor),
      headers: linkTo(context, query, cursor),
      mayShowFiles: holdsFiles(sight.table),
    };
    return { facts: page, value };
  });

export const listRecords = async (request: Unconfirmed, query: Query): Promise<Told & { text: string }> => {
  const { records, extra, ...told } = await readPage(request, query);
  return { text: `{"records":[${records}],"extra":${extra}}`, ...told };
};
