// The one writer of rowhouse.provider_logouts: what providers have said about sessions that ended there.
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { sql, type Sql } from '../../db/sql.ts';
import type { SessionOrigin } from './session-origin.ts';

/** Either a session there, or all that somebody has. */
interface ProviderLogout {
  jtiHash: Buffer;
  issuer: string;
  subject: string | null;
  sid: string | null;
  /** When it ended, by the clock of the provider. */
  time: Date;
  /** Until then the same message could come again. */
  expires: Date;
}

const lockKey = (issuer: string): Sql => sql`hashtextextended('provider logout ' || ${issuer}, 0)`;

/** Sign-ins through a provider go on beside each other, and one that ends sessions waits for them and they for it. */
export const waitForLogouts = async (tx: Queryable, issuer: string): Promise<void> => {
  await tx.query(sql`select pg_advisory_xact_lock_shared(${lockKey(issuer)})`);
};

const holdSignIns = async (tx: Queryable, issuer: string): Promise<void> => {
  await tx.query(sql`select pg_advisory_xact_lock(${lockKey(issuer)})`);
};

/** The provider has ended the session after it had told who it is. */
export const isEndedThere = async (
  tx: Queryable,
  { issuer, subject, sid, issuedAt }: SessionOrigin,
): Promise<boolean> =>
  (
    await one<{ found: boolean }>(
      tx,
      sql`select exists (
            select from rowhouse.provider_logouts l where l.issuer = ${issuer} and l.expires_time > now()
              and (l.sid = ${sid}::text or (l.sid is null and l.subject = ${subject} and l.time >= to_timestamp(${issuedAt})))
          ) as found`,
    )
  ).found;

const isOfLogout = (alias: string, { issuer, subject, sid }: ProviderLogout): Sql => {
  const column = (name: string): Sql => (alias === 'origin' ? sql`origin ->> ${sql.literal(name)}` : sql.id(name));
  return sql`${column('issuer')} = ${issuer}
    and (${sid}::text is null or ${column('sid')} = ${sid}) and (${subject}::text is null or ${column('subject')} = ${subject})`;
};

/** Undefined: the message was here before. Otherwise whose sessions have ended. */
export const endThereWith = async (tx: Queryable, logout: ProviderLogout): Promise<string[] | undefined> => {
  const { jtiHash, issuer, subject, sid, time, expires } = logout;
  await holdSignIns(tx, issuer);
  const noted = await maybe(
    tx,
    sql`with ended as (
          delete from rowhouse.provider_logouts where jti_hash in (select jti_hash from rowhouse.provider_logouts where expires_time <= now() limit 100 for update skip locked)
        )
        insert into rowhouse.provider_logouts (jti_hash, issuer, subject, sid, time, expires_time)
        values (${jtiHash}, ${issuer}, ${subject}, ${sid}, ${time.toISOString()}, ${expires.toISOString()}) on conflict (jti_hash) do nothing returning issuer`,
  );
  if (noted === undefined) return undefined;
  await tx.query(sql`delete from rowhouse.half_sign_ins where ${isOfLogout('origin', logout)}`);
  const ended = await many<{ userId: string }>(
    tx,
    sql`delete from rowhouse.sessions where ${isOfLogout('', logout)} returning user_id as "userId"`,
  );
  return [...new Set(ended.map(({ userId }) => userId))];
};
