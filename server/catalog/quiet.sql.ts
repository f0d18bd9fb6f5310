// Whether anything that an answer rests on has happened since it was read: by the feed, whose places are given out after the commits.
import { maybe, one, type Queryable } from '../db/db.ts';
import { sql } from '../db/sql.ts';

/** Entries that are looked through; after more of them it is computed again. */
const mostEntries = 5_000;

export const selectFeedPlace = async (db: Queryable, baseId: string): Promise<number> =>
  (await one<{ last: number }>(db, sql`select last from ${sql.id(baseId, '__feed')}`)).last;

/** False also when nobody can tell any more. */
export const isQuietSince = async (
  db: Queryable,
  baseId: string,
  tableIds: readonly string[],
  place: number,
): Promise<boolean> =>
  (
    await maybe<{ quiet: boolean }>(
      db,
      sql`select f.last >= ${place}::bigint and f.last - ${place}::bigint <= ${sql.integer(mostEntries)}
                 and (f.last = ${place}::bigint or exists (select from ${sql.id(baseId, '__feed_entry')} e where e.seq = ${place}::bigint + 1))
                 and not exists (
                   select from ${sql.id(baseId, '__feed_entry')} e join ${sql.id(baseId, '__operation')} o on o.id = e.op_id
                   where e.seq > ${place}::bigint and o.table_id = any(${tableIds}::text[])
                 ) as quiet
          from ${sql.id(baseId, '__feed')} f`,
    )
  )?.quiet === true;
