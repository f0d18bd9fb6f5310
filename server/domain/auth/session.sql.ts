// The one writer of rowhouse.sessions. Only the hash of a session's secret is kept.
import type { Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export const insertSession = async (
  db: Queryable,
  session: { hash: Buffer; userId: string; userAgent: string | null },
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.sessions (hash, user_id, user_agent, expires_time)
        values (${session.hash}, ${session.userId}, ${session.userAgent}, now() + interval '7 days')`,
  );
};

/** Answers whose it was. */
export const deleteSession = async (db: Queryable, hash: Buffer): Promise<string[]> =>
  (
    await db.query<{ userId: string }>(
      sql`delete from rowhouse.sessions where hash = ${hash} returning user_id as "userId"`,
    )
  ).map(({ userId }) => userId);

export const deleteSessionsOf = async (db: Queryable, userId: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.sessions where user_id = ${userId}`);
};

export const deleteOtherSessions = async (db: Queryable, userId: string, hash: Buffer | null): Promise<void> => {
  await db.query(sql`delete from rowhouse.sessions where user_id = ${userId} and hash is distinct from ${hash}::bytea`);
};

export const deleteExpiredSessions = async (db: Queryable): Promise<void> => {
  await db.query(
    sql`delete from rowhouse.sessions where hash in (
          select hash from rowhouse.sessions where expires_time <= now() limit 1000 for update skip locked)`,
  );
};
