// The records and fields that ranges of a view mean.
import { invalid } from '@rowhouse/contract/error.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import type { Queryable } from '../../../db/db.ts';
import type { Sql } from '../../../db/sql.ts';
import { all } from '../../query/filter.sql.ts';
import { type Asked, columnsOf, type ResolvedQuery } from '../../query/resolve-query.ts';
import { groupPoints } from '../read/group-points.ts';
import { outsideOf, selectGroups } from '../read/group-points.sql.ts';
import { queryFor } from '../read/list-records.ts';
import { selectIds } from '../write/selection.sql.ts';
import { type Area, isWithin, type Pair } from './ranges.ts';

/** Most cells that are copied, pasted or emptied at once, as in Teable. */
export const maxCells = 50_000;

interface ColumnLimits {
  projection?: string[] | undefined;
  excludeFieldIds?: string[] | undefined;
}

/** What a body has as JSON, as the query string would have it. */
export const askedOf = <T extends { filter?: unknown; orderBy?: unknown; groupBy?: unknown; search?: unknown }>(
  body: T,
): Asked => {
  const text = (value: unknown): string | undefined =>
    value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
  const search = Array.isArray(body.search) ? body.search.map(String) : text(body.search);
  return {
    ...(body as Omit<T, 'filter' | 'orderBy' | 'groupBy' | 'search'>),
    filter: text(body.filter),
    orderBy: text(body.orderBy),
    groupBy: text(body.groupBy),
    search,
  };
};

/** Records in collapsed groups are no rows. */
export const rowsOf = async (
  db: Queryable,
  sight: Sight,
  { where, levels, collapsed }: ResolvedQuery,
): Promise<Sql | null> => {
  if (collapsed.size === 0 || levels.length === 0) return where;
  const { collapsedPaths } = groupPoints(await selectGroups(db, sight, levels, where), levels, collapsed);
  return all([where, outsideOf(collapsedPaths, levels)]);
};

interface Shown {
  /** From left to right. */
  columns: readonly FieldSchema[];
  idsOf(rows: readonly Pair[] | null): Promise<string[]>;
}

export const show = (
  db: Queryable,
  sight: Sight,
  asked: Asked,
  { projection, excludeFieldIds = [] }: ColumnLimits,
): Shown => {
  const resolved = queryFor(sight, asked);
  const counts = ({ id }: FieldSchema): boolean =>
    (projection === undefined || projection.includes(id)) && !excludeFieldIds.includes(id);
  return {
    columns: columnsOf(resolved.view, resolved.visible).filter(counts),
    idsOf: async (rows) =>
      selectIds(db, sight, { where: await rowsOf(db, sight, resolved), keys: resolved.keys, excluded: [], rows }),
  };
};

/** No more than one row beyond `most` is looked up: then there are too many. */
export const clipped = (rows: readonly Pair[] | null, most: number): Pair[] =>
  (rows ?? [[0, Number.MAX_SAFE_INTEGER] as const]).map(([from, to]) => [from, Math.min(to, from + most)]);

interface Selected {
  fields: readonly FieldSchema[];
  ids: string[];
}

/** Everything in the ranges, as long as it is no more than `maxCells`. */
export const selectArea = async (shown: Shown, { columns, rows }: Area, verb: string): Promise<Selected> => {
  const fields = shown.columns.filter((_field, place) => isWithin(place, columns));
  const most = Math.floor(maxCells / Math.max(fields.length, 1));
  const ids = await shown.idsOf(clipped(rows, most));
  if (ids.length > most)
    throw invalid({
      path: 'ranges',
      message: `Exceed max ${verb} cells ${maxCells}`,
      expected: `at most ${maxCells} cells`,
    });
  return { fields, ids };
};
