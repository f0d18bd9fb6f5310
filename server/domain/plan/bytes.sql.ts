// The one writer of rowhouse.space_bytes.
import { tableSizes } from '../../db/citus.ts';
import { many, maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

interface CountedSpace {
  spaceId: string;
  level: string | null;
  before: number;
  bytes: number;
}

/**
 * Counts every space, and answers those whose number has changed. The sizes are those of files, asked of the system and not read:
 * what was deleted counts until PostgreSQL has made room for something new.
 */
export const countBytes = async (db: Queryable): Promise<CountedSpace[]> => {
  const { size, from } = await tableSizes(db);
  return many<CountedSpace>(
    db,
    sql`with relations as (
          select b.space_id, sum(${size})::bigint as bytes
          from rowhouse.bases b join pg_namespace n on n.nspname = b.id join ${from}
          group by b.space_id
        ), answers as (
          select b.space_id, sum(octet_length(k.answer))::bigint as bytes
          from rowhouse.idempotency_keys k join rowhouse.bases b on b.id = k.base_id where k.answer is not null group by b.space_id
        ), counted as (
          select s.id as space_id, coalesce(r.bytes, 0) + coalesce(a.bytes, 0) as bytes, coalesce(p.bytes, 0) as before
          from rowhouse.spaces s left join relations r on r.space_id = s.id left join answers a on a.space_id = s.id left join rowhouse.space_bytes p on p.space_id = s.id
        ), written as (
          insert into rowhouse.space_bytes (space_id, bytes) select space_id, bytes from counted where bytes <> before order by space_id
          on conflict (space_id) do update set bytes = excluded.bytes, counted_time = now()
        )
        select c.space_id as "spaceId", q.effective_level as level, c.before, c.bytes
        from counted c left join rowhouse.subscriptions q on q.space_id = c.space_id where c.bytes <> c.before`,
  );
};

export const selectBytes = async (db: Queryable, spaceId: string): Promise<number> =>
  (await maybe<{ bytes: number }>(db, sql`select bytes from rowhouse.space_bytes where space_id = ${spaceId}`))
    ?.bytes ?? 0;
