// Which indexes are kept for what is asked beside the views.
import type { TableSchema } from '../../../catalog/table.ts';
import { type Db, many, type Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';
import type { IndexWish } from '../../query/wish.ts';

interface KeptIndex {
  keys: IndexWish;
  name: string | null;
}

export const selectQueryIndexes = (db: Queryable, tableId: string): Promise<KeptIndex[]> =>
  many(
    db,
    sql`select keys, name from rowhouse.query_indexes where table_id = ${tableId} order by used_time desc, keys::text`,
  );

export const nameQueryIndex = async (db: Queryable, tableId: string, keys: IndexWish, name: string): Promise<void> => {
  await db.query(
    sql`update rowhouse.query_indexes set name = ${name}, scans = 0 where table_id = ${tableId} and keys = ${JSON.stringify(keys)}::jsonb`,
  );
};

/**
 * Whether it is among those of the table now: there are `most` of them. One more takes the place of the one that has not been used for the longest time, when that is `rest` seconds or more: two
 * people who sort in turn must not have the indexes of each other dropped.
 */
export const addQueryIndex = (
  db: Db,
  { id }: Pick<TableSchema, 'id'>,
  keys: IndexWish,
  { most, rest }: { most: number; rest: number },
): Promise<boolean> =>
  db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`query-index ${id}`}, 0))`);
    const json = JSON.stringify(keys);
    const kept = await many<{ isSame: boolean; isResting: boolean; keys: string }>(
      tx,
      sql`select keys = ${json}::jsonb as "isSame", used_time < now() - ${rest} * interval '1 second' as "isResting", keys::text as keys
          from rowhouse.query_indexes where table_id = ${id} order by used_time`,
    );
    if (kept.some(({ isSame }) => isSame)) return true;
    const [oldest] = kept;
    if (kept.length >= most) {
      if (oldest?.isResting !== true) return false;
      await tx.query(sql`delete from rowhouse.query_indexes where table_id = ${id} and keys = ${oldest.keys}::jsonb`);
    }
    await tx.query(
      sql`insert into rowhouse.query_indexes (table_id, keys) select ${id}, ${json}::jsonb where exists (select from rowhouse.tables where id = ${id})`,
    );
    return true;
  });

interface Unused {
  tableId: string;
  baseId: string;
}

/** Notes which were used since the last look, by PostgreSQL's own counts, and forgets those that nothing used for `days`. Answers the tables that had one of these. */
export const forgetUnusedIndexes = async (db: Queryable, days: number): Promise<Unused[]> => {
  await db.query(
    sql`update rowhouse.query_indexes q set scans = s.idx_scan, used_time = now()
        from rowhouse.tables t, pg_stat_user_indexes s
        where t.id = q.table_id and s.schemaname = t.base_id and s.indexrelname = q.name and s.idx_scan <> q.scans`,
  );
  return many<Unused>(
    db,
    sql`with gone as (delete from rowhouse.query_indexes where used_time < now() - ${days} * interval '1 day' returning table_id)
        select distinct t.id as "tableId", t.base_id as "baseId" from gone join rowhouse.tables t on t.id = gone.table_id`,
  );
};
