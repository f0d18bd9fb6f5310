// Writes down when credentials were used, many at once.
import type { Queryable } from '../db/db.ts';
import type { Config } from '../config.ts';
import { type Sql, sql } from '../db/sql.ts';

/** How long a session lasts unused, and at most, unless administrators have set it. */
export type SessionTimes = Pick<Config, 'sessionIdleHours' | 'sessionHours'>;

/** What administrators have set, in every process at once; else what this server was started with. */
export const timesInForce = ({ sessionIdleHours, sessionHours }: SessionTimes): { idle: Sql; longest: Sql } => ({
  idle: sql`coalesce((select session_idle_hours from rowhouse.settings), ${sessionIdleHours}::int)`,
  longest: sql`coalesce((select session_hours from rowhouse.settings), ${sessionHours}::int)`,
});

// One that somebody holds is left out: the others do not wait for it, and its next use is written all the same.
export const updateLastUsed = async (db: Queryable, ids: string[], times: Date[]): Promise<void> => {
  await db.query(
    sql`update rowhouse.access_tokens t set last_used_time = greatest(t.last_used_time, i.time)
        from unnest(${ids}::text[], ${times}::timestamptz[]) i (id, time),
             (select id from rowhouse.access_tokens where id = any(${ids}) order by id for update skip locked) locked
        where t.id = i.id and locked.id = t.id`,
  );
};

export const updateLastSeen = async (
  db: Queryable,
  hashes: Buffer[],
  times: Date[],
  given: SessionTimes,
): Promise<void> => {
  const inForce = timesInForce(given);
  await db.query(
    sql`update rowhouse.sessions s
        set last_seen_time = greatest(s.last_seen_time, i.time), expires_time = least(s.created_time + make_interval(hours => ${inForce.longest}),
              greatest(s.last_seen_time, i.time) + make_interval(hours => ${inForce.idle}))
        from unnest(${hashes}::bytea[], ${times}::timestamptz[]) i (hash, time),
             (select hash from rowhouse.sessions where hash = any(${hashes}) order by hash for update skip locked) locked
        where s.hash = i.hash and locked.hash = s.hash`,
  );
};
