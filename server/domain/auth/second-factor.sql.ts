// The one writer of rowhouse.second_factors, rowhouse.recovery_codes and rowhouse.half_sign_ins.
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { readOrigin, type SessionOrigin, storedOrigin } from './session-origin.ts';

/** A new secret that waits for its first code. False when there is a second factor already. */
export const beginFactor = async (db: Queryable, userId: string, sealed: Buffer): Promise<boolean> =>
  (await maybe(
    db,
    sql`insert into rowhouse.second_factors as f (user_id, sealed_secret) values (${userId}, ${sealed})
        on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, begun_time = now(), last_step = 0 where f.confirmed_time is null
        returning user_id`,
  )) !== undefined;

export interface Factor {
  sealedSecret: Buffer;
  isConfirmed: boolean;
  isFresh: boolean;
}

export const selectFactor = (db: Queryable, userId: string): Promise<Factor | undefined> =>
  maybe<Factor>(
    db,
    sql`select sealed_secret as "sealedSecret", confirmed_time is not null as "isConfirmed", begun_time > now() - interval '30 minutes' as "isFresh"
        from rowhouse.second_factors where user_id = ${userId}`,
  );

/** False when a code of this step, or of a later one, was accepted before, or the secret is another by now. */
export const takeStep = async (db: Queryable, userId: string, sealed: Buffer, step: number): Promise<boolean> =>
  (await maybe(
    db,
    sql`update rowhouse.second_factors set last_step = ${step} where user_id = ${userId} and sealed_secret = ${sealed} and last_step < ${step} returning user_id`,
  )) !== undefined;

/** False when it was confirmed before. */
export const confirmFactor = async (db: Queryable, userId: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`update rowhouse.second_factors set confirmed_time = now() where user_id = ${userId} and confirmed_time is null returning user_id`,
  )) !== undefined;

/** With its recovery codes, and those who are on their way in. False when there was none. */
export const deleteFactor = async (db: Queryable, userId: string): Promise<boolean> => {
  await db.query(sql`delete from rowhouse.recovery_codes where user_id = ${userId}`);
  await db.query(sql`delete from rowhouse.half_sign_ins where user_id = ${userId}`);
  return (
    (
      await maybe<{ was: boolean }>(
        db,
        sql`delete from rowhouse.second_factors where user_id = ${userId} returning confirmed_time is not null as was`,
      )
    )?.was === true
  );
};

export const replaceRecoveryCodes = async (db: Queryable, userId: string, hashes: readonly Buffer[]): Promise<void> => {
  await db.query(sql`delete from rowhouse.recovery_codes where user_id = ${userId}`);
  await db.query(sql`insert into rowhouse.recovery_codes (user_id, hash) select ${userId}, unnest(${hashes}::bytea[])`);
};

/** Each works once. */
export const takeRecoveryCode = async (db: Queryable, userId: string, hash: Buffer): Promise<boolean> =>
  (await maybe(
    db,
    sql`delete from rowhouse.recovery_codes where user_id = ${userId} and hash = ${hash} returning user_id`,
  )) !== undefined;

export const countRecoveryCodes = async (db: Queryable, userId: string): Promise<number> =>
  (
    await one<{ count: number }>(
      db,
      sql`select count(*)::int as count from rowhouse.recovery_codes where user_id = ${userId}`,
    )
  ).count;

export const insertHalfSignIn = async (
  db: Queryable,
  half: { hash: Buffer; userId: string; origin: SessionOrigin | null; minutes: number },
): Promise<void> => {
  const stored = storedOrigin(half.origin);
  await db.query(
    sql`with ended as (
          delete from rowhouse.half_sign_ins where hash in (select hash from rowhouse.half_sign_ins where expires_time <= now() limit 100 for update skip locked)
        )
        insert into rowhouse.half_sign_ins (hash, user_id, origin, expires_time)
        values (${half.hash}, ${half.userId}, ${stored === null ? null : JSON.stringify(stored)}::jsonb, now() + make_interval(mins => ${half.minutes}))`,
  );
};

export const selectHalfSignIn = async (
  db: Queryable,
  hash: Buffer,
): Promise<{ userId: string; origin: SessionOrigin | null } | undefined> => {
  const half = await maybe<{ userId: string; origin: ReturnType<typeof storedOrigin> }>(
    db,
    sql`select user_id as "userId", origin from rowhouse.half_sign_ins where hash = ${hash} and expires_time > now()`,
  );
  return half === undefined ? undefined : { ...half, origin: readOrigin(half.origin) };
};

export const deleteHalfSignIn = async (db: Queryable, hash: Buffer): Promise<boolean> =>
  (await many(db, sql`delete from rowhouse.half_sign_ins where hash = ${hash} returning user_id`)).length === 1;

export const deleteHalfSignInsOf = async (db: Queryable, userId: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.half_sign_ins where user_id = ${userId}`);
};
