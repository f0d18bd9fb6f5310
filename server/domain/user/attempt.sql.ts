// The one writer of rowhouse.sign_in_attempts and rowhouse.known_clients.
import { many, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface AttemptKeys {
  address: Buffer;
  client: Buffer;
  /** The address at this client: counted instead of the address alone once the client is known to it. */
  pair: Buffer;
}

interface Counted {
  of: 'address' | 'client';
  count: number;
  /** Seconds until the count starts again. */
  wait: number;
}

// The window starts with the first try and ends on time, however many follow.
export const countAttempt = (db: Queryable, keys: AttemptKeys, minutes: number): Promise<Counted[]> =>
  many<Counted>(
    db,
    sql`with tried as (
          select 'address' as of, case when exists (
                   select from rowhouse.known_clients where key = ${keys.pair} and expires_time > now()
                 ) then ${keys.pair}::bytea else ${keys.address}::bytea end as key
          union all select 'client', ${keys.client}::bytea
        ), counted as (
          insert into rowhouse.sign_in_attempts as a (key, count, expires_time)
          select key, 1, now() + make_interval(mins => ${minutes}) from tried order by key
          on conflict (key) do update set
            count = case when a.expires_time <= now() then 1 else least(a.count + 1, 1000000) end,
            expires_time = case when a.expires_time <= now() then excluded.expires_time else a.expires_time end
          returning key, count, expires_time
        )
        select t.of, c.count, ceil(extract(epoch from c.expires_time - now()))::int as wait from tried t join counted c using (key)`,
  );

/** So many more under this key; the window as above. */
export const countUse = async (
  db: Queryable,
  key: Buffer,
  minutes: number,
  amount = 1,
): Promise<{ count: number; wait: number }> =>
  one<{ count: number; wait: number }>(
    db,
    sql`insert into rowhouse.sign_in_attempts as a (key, count, expires_time) values (${key}, ${amount}, now() + make_interval(mins => ${minutes}))
        on conflict (key) do update set
          count = case when a.expires_time <= now() then ${amount} else least(a.count + ${amount}, 1000000) end,
          expires_time = case when a.expires_time <= now() then excluded.expires_time else a.expires_time end
        returning count, ceil(extract(epoch from expires_time - now()))::int as wait`,
  );

/**
 * A success: the address starts again, the client gets its try back, and is known from now on.
 * Rows are locked in the order in which counting locks them, so that the two cannot deadlock.
 */
export const forgiveAttempts = async (db: Queryable, keys: AttemptKeys): Promise<void> => {
  await db.query(
    sql`with locked as (
          select key from rowhouse.sign_in_attempts where key in (${keys.address}, ${keys.pair}, ${keys.client}) order by key for update
        ), known as (
          insert into rowhouse.known_clients (key, expires_time) values (${keys.pair}, now() + interval '90 days')
          on conflict (key) do update set expires_time = excluded.expires_time
        ), given_back as (
          update rowhouse.sign_in_attempts a set count = a.count - 1 from locked
          where a.key = locked.key and a.key = ${keys.client} and a.count > 0
        )
        delete from rowhouse.sign_in_attempts a using locked where a.key = locked.key and a.key <> ${keys.client}`,
  );
};

export const deleteExpiredAttempts = async (db: Queryable): Promise<void> => {
  await db.query(
    sql`with clients as (
          delete from rowhouse.known_clients where key in (
            select key from rowhouse.known_clients where expires_time <= now() limit 100 for update skip locked)
        )
        delete from rowhouse.sign_in_attempts where key in (
          select key from rowhouse.sign_in_attempts where expires_time <= now() limit 100 for update skip locked)`,
  );
};

export const deleteUses = async (db: Queryable, key: Buffer): Promise<void> => {
  await db.query(sql`delete from rowhouse.sign_in_attempts where key = ${key}`);
};

export const decrementUse = async (db: Queryable, key: Buffer): Promise<void> => {
  await db.query(sql`update rowhouse.sign_in_attempts set count = greatest(count - 1, 0) where key = ${key}`);
};
