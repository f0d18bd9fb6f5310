// The one writer of rowhouse.email_codes.
import { maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export type Purpose = 'signUp' | 'signIn' | 'verify' | 'changeEmail' | 'resetPassword' | 'setPassword';

interface NewEmailCode {
  id: Buffer;
  purpose: Purpose;
  email: string;
  userId: string | null;
  minutes: number;
}

/** Answers when it ends; those that have ended go. */
export const insertEmailCode = async (db: Queryable, code: NewEmailCode): Promise<string> => {
  const row = await maybe<{ expiresTime: string }>(
    db,
    sql`with ended as (
          delete from rowhouse.email_codes where id in (
            select id from rowhouse.email_codes where expires_time <= now() limit 100 for update skip locked)
        )
        insert into rowhouse.email_codes (id, purpose, email, user_id, expires_time)
        values (${code.id}, ${code.purpose}, ${code.email}, ${code.userId}, now() + make_interval(mins => ${code.minutes}))
        returning expires_time as "expiresTime"`,
  );
  return (row as { expiresTime: string }).expiresTime;
};

export interface CodeToSend {
  purpose: Purpose;
  /** As the account has it, if there is one. */
  email: string;
  /** Of the account with that address, if there is one. */
  holderId: string | null;
  isHolderActive: boolean;
  isInvited: boolean;
}

/** Undefined when it is over. */
export const selectCodeToSend = (db: Queryable, id: Buffer): Promise<CodeToSend | undefined> =>
  maybe<CodeToSend>(
    db,
    sql`select c.purpose, coalesce(u.email, c.email) as email, u.id as "holderId", u.id is not null and u.deactivated_time is null as "isHolderActive",
               exists (select from rowhouse.invitations i where lower(i.email) = lower(c.email) and i.accepted_time is null and i.expired_time > now()) as "isInvited"
        from rowhouse.email_codes c left join rowhouse.users u on lower(u.email) = lower(c.email)
        where c.id = ${id} and c.expires_time > now()`,
  );

interface TriedCode {
  email: string;
  userId: string | null;
  purpose: Purpose;
}

/** Counts a try before the code is looked at. Undefined when there is no such code, or it has been tried too often. */
export const tryEmailCode = (
  db: Queryable,
  code: { id: Buffer; purposes: readonly Purpose[] },
  maxTries: number,
): Promise<TriedCode | undefined> =>
  maybe<TriedCode>(
    db,
    sql`update rowhouse.email_codes set tries = tries + 1
        where id = ${code.id} and purpose = any(${code.purposes}::text[]) and tries < ${maxTries} and expires_time > now()
        returning email, user_id as "userId", purpose`,
  );

/** The same of the newest that was sent to an address, where the client knows nothing but that. */
export const tryNewestCode = (
  db: Queryable,
  code: { email: string; purpose: Purpose },
  maxTries: number,
): Promise<{ id: Buffer } | undefined> =>
  maybe<{ id: Buffer }>(
    db,
    sql`update rowhouse.email_codes set tries = tries + 1
        where id = (select id from rowhouse.email_codes where lower(email) = lower(${code.email}) and purpose = ${code.purpose} and expires_time > now()
                    order by expires_time desc limit 1)
          and tries < ${maxTries}
        returning id`,
  );

/** Of two who use it at once one succeeds. */
export const deleteEmailCode = async (db: Queryable, id: Buffer): Promise<boolean> =>
  (await maybe(db, sql`delete from rowhouse.email_codes where id = ${id} returning id`)) !== undefined;

export const deleteEmailCodesFor = async (db: Queryable, userId: string, purpose: Purpose): Promise<void> => {
  await db.query(sql`delete from rowhouse.email_codes where user_id = ${userId} and purpose = ${purpose}`);
};

/** All that were sent to the address or for the account, whatever for. */
export const deleteEmailCodesOf = async (db: Queryable, account: { userId: string; email: string }): Promise<void> => {
  await db.query(
    sql`delete from rowhouse.email_codes where user_id = ${account.userId} or lower(email) = lower(${account.email})`,
  );
};
