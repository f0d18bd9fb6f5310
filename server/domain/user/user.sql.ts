// The one writer of rowhouse.users.
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface UserMe {
  id: string;
  name: string;
  avatar: string | null;
  email: string;
  phone: string | null;
  notifyMeta: { email?: boolean };
  lang: string | null;
  hasPassword: boolean;
  isAdmin: boolean;
  isEmailVerified: boolean;
}

export interface UserListed {
  id: string;
  email: string;
  name: string;
  isAdmin: boolean;
  createdTime: string;
  lastSignInTime: string | null;
  emailVerifiedTime: string | null;
  deactivatedTime: string | null;
  deletedTime: string | null;
}

const meColumns = sql`id, name, avatar, email, phone, notify_meta as "notifyMeta", lang,
  password_hash is not null as "hasPassword", is_admin as "isAdmin", email_verified_time is not null as "isEmailVerified"`;

interface NewUser {
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
  isAdmin: boolean;
  isVerified: boolean;
}

/** Undefined when the address is taken. */
export const insertUser = (db: Queryable, user: NewUser): Promise<UserMe | undefined> =>
  maybe<UserMe>(
    db,
    sql`insert into rowhouse.users (id, email, name, password_hash, is_admin, email_verified_time)
        values (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, ${user.isAdmin}, ${user.isVerified ? sql`now()` : sql`null`})
        on conflict (lower(email)) do nothing
        returning ${meColumns}`,
  );

export const anyUserExists = async (db: Queryable): Promise<boolean> =>
  (await one<{ known: boolean }>(db, sql`select exists (select from rowhouse.users) as known`)).known;

/** Two first sign-ups at once wait here for each other, so that one of them is the second. */
export const lockInstance = async (db: Queryable): Promise<void> => {
  await db.query(sql`select id from rowhouse.instance for update`);
};

export const selectUser = (db: Queryable, userId: string): Promise<UserMe | undefined> =>
  maybe<UserMe>(db, sql`select ${meColumns} from rowhouse.users where id = ${userId}`);

interface SignInRow {
  id: string;
  passwordHash: string | null;
  hasSecondFactor: boolean;
  isAdmin: boolean;
}

/** What signing in needs; deactivated people cannot. */
export const selectForSignIn = (db: Queryable, email: string): Promise<SignInRow | undefined> =>
  maybe<SignInRow>(
    db,
    sql`select id, password_hash as "passwordHash", second_factor_time is not null as "hasSecondFactor", is_admin as "isAdmin" from rowhouse.users
        where lower(email) = lower(${email}) and deactivated_time is null`,
  );

/** What signing in through a provider, or giving a way in up, is decided by. */
export interface Account {
  id: string;
  email: string;
  isAdmin: boolean;
  isActive: boolean;
  isVerified: boolean;
  hasPassword: boolean;
  hasSecondFactor: boolean;
  /** Where they are a member. */
  organizationId: string | null;
}

const accountColumns = sql`id, email, is_admin as "isAdmin", deactivated_time is null as "isActive", email_verified_time is not null as "isVerified",
  password_hash is not null as "hasPassword", second_factor_time is not null as "hasSecondFactor",
  (select m.organization_id from rowhouse.organization_members m where m.user_id = users.id) as "organizationId"`;

export const selectAccount = (db: Queryable, userId: string): Promise<Account | undefined> =>
  maybe<Account>(db, sql`select ${accountColumns} from rowhouse.users where id = ${userId}`);

export const selectAccountByEmail = (db: Queryable, email: string): Promise<Account | undefined> =>
  maybe<Account>(db, sql`select ${accountColumns} from rowhouse.users where lower(email) = lower(${email})`);

export const lockAccount = (tx: Queryable, userId: string): Promise<Account | undefined> =>
  maybe<Account>(tx, sql`select ${accountColumns} from rowhouse.users where id = ${userId} for update`);

/** False when there is one already. */
export const addPasswordTo = async (db: Queryable, userId: string, passwordHash: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`update rowhouse.users set password_hash = ${passwordHash} where id = ${userId} and password_hash is null returning id`,
  )) !== undefined;

export const selectPasswordHash = async (db: Queryable, userId: string): Promise<string | null> =>
  (await maybe<{ hash: string | null }>(db, sql`select password_hash as hash from rowhouse.users where id = ${userId}`))
    ?.hash ?? null;

export const selectUserIdByEmail = async (db: Queryable, email: string): Promise<string | undefined> =>
  (await maybe<{ id: string }>(db, sql`select id from rowhouse.users where lower(email) = lower(${email})`))?.id;

/** Only while the password is still the one that was checked; false when it has changed since. */
export const updatePassword = async (
  db: Queryable,
  userId: string,
  passwordHash: string,
  checked?: string,
): Promise<boolean> => {
  const still = checked === undefined ? sql.empty : sql`and password_hash = ${checked}`;
  const rows = await many(
    db,
    sql`update rowhouse.users set password_hash = ${passwordHash} where id = ${userId} ${still} returning id`,
  );
  return rows.length === 1;
};

/** The address is the user's from now on. False when it was known to be, or is another by now. */
export const markVerified = async (db: Queryable, userId: string, email: string): Promise<boolean> =>
  (
    await many(
      db,
      sql`update rowhouse.users set email_verified_time = now() where id = ${userId} and lower(email) = lower(${email}) and email_verified_time is null returning id`,
    )
  ).length === 1;

/** Another address, which is known to be the user's. False when somebody has it, or the user is gone. */
export const updateEmail = async (db: Queryable, userId: string, email: string): Promise<boolean> =>
  (
    await many(
      db,
      sql`update rowhouse.users set email = ${email}, email_verified_time = now()
          where id = ${userId} and not exists (select from rowhouse.users o where lower(o.email) = lower(${email}) and o.id <> ${userId}) returning id`,
    )
  ).length === 1;

export const updateName = async (db: Queryable, userId: string, name: string): Promise<void> => {
  await db.query(sql`update rowhouse.users set name = ${name} where id = ${userId}`);
};

export const updateLanguage = async (db: Queryable, userId: string, lang: string): Promise<void> => {
  await db.query(sql`update rowhouse.users set lang = ${lang} where id = ${userId}`);
};

/** Where the pictures of people are read; their id follows. Everybody has one: those who have uploaded none are shown as nobody in particular. */
export const avatarAddress = '/api/attachments/read/public/avatar/';

export const updateAvatarOf = async (db: Queryable, userId: string, avatar: string | null): Promise<void> => {
  await db.query(sql`update rowhouse.users set avatar = ${avatar} where id = ${userId}`);
};

export const mergeNotifyMeta = async (
  db: Queryable,
  userId: string,
  notifyMeta: { email?: boolean },
): Promise<void> => {
  await db.query(
    sql`update rowhouse.users set notify_meta = notify_meta || ${JSON.stringify(notifyMeta)}::jsonb where id = ${userId}`,
  );
};

/** Keeps an account from being deactivated until the transaction ends. False when it is. */
export const holdActiveUser = async (db: Queryable, userId: string): Promise<boolean> =>
  (await maybe(db, sql`select id from rowhouse.users where id = ${userId} and deactivated_time is null for share`)) !==
  undefined;

export const updateSecondFactor = async (db: Queryable, userId: string, isSet: boolean): Promise<void> => {
  await db.query(
    sql`update rowhouse.users set second_factor_time = ${isSet ? sql`now()` : sql`null`} where id = ${userId}`,
  );
};

/** Undefined when the password is no longer the one that was checked, the second factor came or went, or the user was deactivated. */
export const updateLastSignIn = (
  db: Queryable,
  userId: string,
  checked: { passwordHash: string | null; hasSecondFactor: boolean },
): Promise<UserMe | undefined> =>
  maybe<UserMe>(
    db,
    sql`update rowhouse.users set last_sign_in_time = now()
        where id = ${userId} and (${checked.passwordHash}::text is null or password_hash = ${checked.passwordHash}) and deactivated_time is null
          and (second_factor_time is not null) = ${checked.hasSecondFactor}
        returning ${meColumns}`,
  );

/** Behind a lock on all administrators: two who deactivate each other at once are not both heard. */
export const hasOtherAdmin = async (db: Queryable, userId: string): Promise<boolean> => {
  const admins = await many<{ id: string }>(
    db,
    sql`select id from rowhouse.users where is_admin and deactivated_time is null order by id for update`,
  );
  return admins.some(({ id }) => id !== userId);
};

/** False when it was so already. */
export const updateDeactivated = async (db: Queryable, userId: string, deactivated: boolean): Promise<boolean> =>
  (
    await many(
      db,
      sql`update rowhouse.users set deactivated_time = ${deactivated ? sql`now()` : sql`null`}
          where id = ${userId} and deactivated_time is ${deactivated ? sql`null` : sql`not null`} and deleted_time is null returning id`,
    )
  ).length === 1;

export const selectUsers = (db: Queryable): Promise<UserListed[]> =>
  many<UserListed>(
    db,
    sql`select id, email, name, is_admin as "isAdmin", created_time as "createdTime",
               last_sign_in_time as "lastSignInTime", email_verified_time as "emailVerifiedTime", deactivated_time as "deactivatedTime", deleted_time as "deletedTime"
        from rowhouse.users order by created_time, id`,
  );

export const hasSignedInLately = async (db: Queryable, userId: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`select id from rowhouse.users where id = ${userId} and last_sign_in_time > now() - interval '10 minutes'`,
  )) !== undefined;

/** Accounts of which nothing is left. */
export const isErased = sql`(u.email = lower(u.id) || '@deleted.invalid')`;

/** All that refers to the row goes with it. What stays is an id that nobody can sign in with. */
export const forgetUser = async (tx: Queryable, userId: string): Promise<void> => {
  await tx.query(sql`delete from rowhouse.users where id = ${userId}`);
  await tx.query(
    sql`insert into rowhouse.users (id, email, name, deactivated_time) values (${userId}, lower(${userId}) || '@deleted.invalid', 'Deleted user', now())`,
  );
};

/** False when it was so already. */
export const updateAdmin = async (db: Queryable, userId: string, isAdmin: boolean): Promise<boolean> =>
  (
    await many(
      db,
      sql`update rowhouse.users set is_admin = ${isAdmin} where id = ${userId} and is_admin <> ${isAdmin} returning id`,
    )
  ).length === 1;

/** Shut out, too. False when it was deleted already. */
export const markDeleted = async (db: Queryable, userId: string): Promise<boolean> =>
  (
    await many(
      db,
      sql`update rowhouse.users set deleted_time = now(), deactivated_time = coalesce(deactivated_time, now())
          where id = ${userId} and deleted_time is null returning id`,
    )
  ).length === 1;

export const isDeleted = async (db: Queryable, userId: string): Promise<boolean> =>
  (await maybe(db, sql`select id from rowhouse.users where id = ${userId} and deleted_time is not null`)) !== undefined;

/** What was deactivated before it was deleted stays so. False when it is not deleted. */
export const unmarkDeleted = async (db: Queryable, userId: string): Promise<boolean> =>
  (
    await many(
      db,
      sql`update rowhouse.users set deleted_time = null, deactivated_time = nullif(deactivated_time, deleted_time)
          where id = ${userId} and deleted_time is not null returning id`,
    )
  ).length === 1;
