// The one writer of rowhouse.access_tokens. Only the hash of a token's secret is kept.
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface AccessTokenRow {
  id: string;
  name: string;
  description: string | null;
  scopes: string[];
  spaceIds: string[] | null;
  baseIds: string[] | null;
  hasFullAccess: boolean;
  /** All its user may, also what becomes possible later: then `scopes` says nothing. */
  mayDoAll: boolean;
  expiredTime: string;
  createdTime: string;
  lastUsedTime: string | null;
}

const columns = sql`id, name, description, scopes, space_ids as "spaceIds", base_ids as "baseIds",
  has_full_access as "hasFullAccess", may_do_all as "mayDoAll", expired_time as "expiredTime", created_time as "createdTime", last_used_time as "lastUsedTime"`;

interface NewAccessToken {
  id: string;
  userId: string;
  secretHash: Buffer;
  name: string;
  description: string | null;
  scopes: readonly string[];
  spaceIds: readonly string[] | null;
  baseIds: readonly string[] | null;
  hasFullAccess: boolean;
  mayDoAll: boolean;
  expiredTime: Date;
  clientId: string | null;
  /** The token it was made with: it ends with that one. */
  parentId: string | null;
  isTemporary: boolean;
}

export const insertAccessToken = (db: Queryable, token: NewAccessToken): Promise<AccessTokenRow> =>
  one<AccessTokenRow>(
    db,
    sql`insert into rowhouse.access_tokens
          (id, user_id, name, description, secret_hash, scopes, space_ids, base_ids, has_full_access, may_do_all, client_id, parent_id, is_temporary, expired_time)
        values (${token.id}, ${token.userId}, ${token.name}, ${token.description}, ${token.secretHash}, ${token.scopes},
                ${token.spaceIds}, ${token.baseIds}, ${token.hasFullAccess}, ${token.mayDoAll}, ${token.clientId}, ${token.parentId}, ${token.isTemporary}, ${token.expiredTime})
        returning ${columns}`,
  );

/** The personal tokens of a user, newest first; those of applications are managed with the application. */
export const selectAccessTokens = (db: Queryable, userId: string): Promise<AccessTokenRow[]> =>
  many<AccessTokenRow>(
    db,
    sql`select ${columns} from rowhouse.access_tokens
        where user_id = ${userId} and client_id is null and not is_temporary order by created_time desc, id desc`,
  );

export const deleteOldTemporary = async (db: Queryable, userId: string): Promise<void> => {
  await db.query(
    sql`delete from rowhouse.access_tokens where user_id = ${userId} and is_temporary and expired_time < now()`,
  );
};

export const selectAccessToken = (db: Queryable, userId: string, id: string): Promise<AccessTokenRow | undefined> =>
  maybe<AccessTokenRow>(
    db,
    sql`select ${columns} from rowhouse.access_tokens where id = ${id} and user_id = ${userId} and client_id is null`,
  );

/** In a transaction that decides by what the token is now: it stays so until the end. */
export const lockAccessToken = (db: Queryable, userId: string, id: string): Promise<AccessTokenRow | undefined> =>
  maybe<AccessTokenRow>(
    db,
    sql`select ${columns} from rowhouse.access_tokens
        where id = ${id} and user_id = ${userId} and client_id is null for update`,
  );

interface AccessTokenChange {
  name: string;
  description: string | null;
  scopes: readonly string[];
  spaceIds: readonly string[] | null;
  baseIds: readonly string[] | null;
  hasFullAccess: boolean;
  mayDoAll: boolean;
}

export const updateAccessTokenRow = (db: Queryable, id: string, change: AccessTokenChange): Promise<AccessTokenRow> =>
  one<AccessTokenRow>(
    db,
    sql`update rowhouse.access_tokens
        set name = ${change.name}, description = ${change.description}, scopes = ${change.scopes},
            space_ids = ${change.spaceIds}, base_ids = ${change.baseIds}, has_full_access = ${change.hasFullAccess}, may_do_all = ${change.mayDoAll}
        where id = ${id} returning ${columns}`,
  );

export const updateSecret = (
  db: Queryable,
  id: string,
  secretHash: Buffer,
  expiredTime: Date | null,
): Promise<AccessTokenRow> =>
  one<AccessTokenRow>(
    db,
    sql`update rowhouse.access_tokens
        set secret_hash = ${secretHash}, expired_time = coalesce(${expiredTime}::timestamptz, expired_time)
        where id = ${id} returning ${columns}`,
  );

/** Keeps a token from being deleted until the transaction ends. False when it is gone. */
export const holdAccessToken = async (db: Queryable, id: string): Promise<boolean> =>
  (await maybe(db, sql`select id from rowhouse.access_tokens where id = ${id} for key share`)) !== undefined;

/** Those made with a token, as long as the transaction lasts. */
export const lockChildren = (db: Queryable, parentId: string): Promise<AccessTokenRow[]> =>
  many<AccessTokenRow>(
    db,
    sql`select ${columns} from rowhouse.access_tokens where parent_id = ${parentId} order by id for update`,
  );

/** With those made with them. */
export const deleteChildren = async (
  db: Queryable,
  parentId: string,
  among: readonly string[] | null,
): Promise<void> => {
  await db.query(
    sql`delete from rowhouse.access_tokens where parent_id = ${parentId} ${among === null ? sql.empty : sql`and id = any(${among}::text[])`}`,
  );
};

/** Personal ones, and those of applications that act for the user. */
export const deleteAccessTokensOf = async (db: Queryable, userId: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.access_tokens where user_id = ${userId}`);
};

/** Undefined when there is no such personal token. */
export const deleteAccessTokenRow = (
  db: Queryable,
  id: string,
): Promise<(AccessTokenRow & { userId: string }) | undefined> =>
  maybe(
    db,
    sql`delete from rowhouse.access_tokens where id = ${id} and client_id is null returning ${columns}, user_id as "userId"`,
  );

export interface AccessTokenListed extends AccessTokenRow {
  userId: string;
  email: string;
}

/** Personal tokens of everybody, or of one address, newest first. */
export const selectAllAccessTokens = (db: Queryable, email: string | null): Promise<AccessTokenListed[]> =>
  many<AccessTokenListed>(
    db,
    sql`select t.*, u.id as "userId", u.email
        from (select ${columns}, user_id from rowhouse.access_tokens where client_id is null) t
        join rowhouse.users u on u.id = t.user_id
        where ${email}::text is null or lower(u.email) = lower(${email})
        order by t."createdTime" desc, t.id desc`,
  );
