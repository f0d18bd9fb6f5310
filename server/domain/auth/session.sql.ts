// The one writer of rowhouse.sessions beside the times of last use. Only the hash of a session's secret is kept.
import type { Session } from '@rowhouse/contract/session.ts';
import { type SessionTimes, timesInForce } from '../../catalog/last-used.sql.ts';
import { many, maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { SessionOrigin } from './session-origin.ts';

interface NewSession {
  hash: Buffer;
  userId: string;
  userAgent: string | null;
  device: string;
  ip: string | null;
  origin: SessionOrigin | null;
}

export const insertSession = async (
  db: Queryable,
  { hash, userId, userAgent, device, ip, origin }: NewSession,
  given: SessionTimes,
): Promise<void> => {
  const { idle, longest } = timesInForce(given);
  await db.query(
    sql`insert into rowhouse.sessions (hash, user_id, user_agent, device, ip, issuer, subject, sid, sealed_id_token, expires_time)
        values (${hash}, ${userId}, ${userAgent}, ${device}, ${ip},
                ${origin?.issuer ?? null}, ${origin?.subject ?? null}, ${origin?.sid ?? null}, ${origin?.sealedIdToken ?? null},
                 now() + make_interval(hours => least(${idle}, ${longest})))`,
  );
};

/** Null: of a session that no provider has begun. */
export const selectOrigin = (
  db: Queryable,
  hash: Buffer,
): Promise<{ issuer: string | null; sealedIdToken: Buffer | null } | undefined> =>
  maybe(db, sql`select issuer, sealed_id_token as "sealedIdToken" from rowhouse.sessions where hash = ${hash}`);

/** Tells nothing of the hash. */
const idOf = sql`'ses' || left(encode(sha256(hash), 'hex'), 24)`;

export const selectSessions = (db: Queryable, userId: string, current: Buffer | null): Promise<Session[]> =>
  many<Session>(
    db,
    sql`select ${idOf} as id, device, ip, created_time as "createdTime", last_seen_time as "lastSeenTime",
               expires_time as "expiresTime", hash is not distinct from ${current}::bytea as "isCurrent"
        from rowhouse.sessions where user_id = ${userId} and expires_time > now() order by last_seen_time desc, hash`,
  );

export const deleteSessionById = async (db: Queryable, userId: string, id: string): Promise<boolean> =>
  (await db.query(sql`delete from rowhouse.sessions where user_id = ${userId} and ${idOf} = ${id} returning 1`))
    .length > 0;

/** Answers whose it was. */
export const deleteSession = async (db: Queryable, hash: Buffer): Promise<string[]> =>
  (
    await db.query<{ userId: string }>(
      sql`delete from rowhouse.sessions where hash = ${hash} returning user_id as "userId"`,
    )
  ).map(({ userId }) => userId);

export const deleteSessionsOf = async (db: Queryable, userId: string): Promise<number> =>
  deleteOtherSessions(db, userId, null);

export const deleteOtherSessions = async (db: Queryable, userId: string, hash: Buffer | null): Promise<number> =>
  (
    await db.query(
      sql`delete from rowhouse.sessions where user_id = ${userId} and hash is distinct from ${hash}::bytea returning 1`,
    )
  ).length;

/** When the server starts, and when the settings change: what was kept for longer under others ends with these. Answers whose sessions they were. */
export const shortenSessions = async (db: Queryable, given: SessionTimes): Promise<string[]> => {
  const { idle, longest } = timesInForce(given);
  const rows = await many<{ userId: string }>(
    db,
    sql`update rowhouse.sessions s set expires_time = e.time
        from (select hash, least(last_seen_time + make_interval(hours => ${idle}), created_time + make_interval(hours => ${longest})) as time
              from rowhouse.sessions order by hash for update) e
        where s.hash = e.hash and s.expires_time > e.time returning s.user_id as "userId"`,
  );
  return [...new Set(rows.map(({ userId }) => userId))];
};

export const deleteExpiredSessions = async (db: Queryable): Promise<void> => {
  await db.query(
    sql`delete from rowhouse.sessions where hash in (
          select hash from rowhouse.sessions where expires_time <= now() limit 1000 for update skip locked)`,
  );
};

/** True when the person has signed in before, but never with such a program from there. What was not used for a year is forgotten. */
export const noteDevice = async (
  db: Queryable,
  { userId, device, network }: { userId: string; device: string; network: string },
): Promise<boolean> => {
  const noted = await maybe<{ isNew: boolean }>(
    db,
    sql`with forgotten as (
          delete from rowhouse.known_devices where user_id = ${userId} and last_time < now() - interval '1 year'
            and (device, network) <> (${device}, ${network})
        ), known as (
          select count(*) as count from rowhouse.known_devices where user_id = ${userId}
        )
        insert into rowhouse.known_devices (user_id, device, network) values (${userId}, ${device}, ${network})
        on conflict (user_id, device, network) do update set last_time = now()
        returning xmax = 0 and (select count from known) > 0 as "isNew"`,
  );
  return noted?.isNew === true;
};
