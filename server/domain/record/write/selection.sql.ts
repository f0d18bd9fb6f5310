import type { Sight } from '../../../catalog/sight.ts';
import { many, type Queryable } from '../../../db/db.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { whereSql } from '../../query/filter.sql.ts';
import { orderSql, type SortKey } from '../../query/sort-key.sql.ts';
import { seenRows } from '../read/read.sql.ts';

interface Selection {
  where: Sql | null;
  keys: readonly SortKey[];
  excluded: readonly string[];
  /** Rows of the query from 0, inclusive; null for all. */
  rows: readonly (readonly [from: number, to: number])[] | null;
}

/** The ids of the records that a query shows, in its order. */
export const selectIds = async (
  db: Queryable,
  sight: Sight,
  { where, keys, excluded, rows }: Selection,
): Promise<string[]> => {
  const isIn =
    rows === null
      ? sql`true`
      : sql`exists (select from unnest(${rows.map(([from]) => from)}::bigint[], ${rows.map(([, to]) => to)}::bigint[]) as w(low, high) where s.place between w.low and w.high)`;
  const found = await many<{ id: string }>(
    db,
    sql`select s.id from (select r.__id as id, row_number() over (order by ${orderSql(keys)}) - 1 as place from ${seenRows(sight)} r ${whereSql(where)}) s
        where ${isIn} and not (s.id = any(${excluded}::text[])) order by s.place`,
  );
  return found.map(({ id }) => id);
};
