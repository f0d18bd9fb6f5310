// The one writer of what users have allowed: rowhouse.oauth_authorizations, oauth_grants and
// oauth_refresh_tokens, and of the rows of access_tokens that belong to a grant.
// Times are compared with the caller's clock, not with the database's.
import { many, maybe, type Queryable, type Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { Request } from './transaction.sql.ts';

interface Authorization {
  scopes: string[];
  approvedTime: string;
}

export const selectAuthorization = (
  db: Queryable,
  clientId: string,
  userId: string,
): Promise<Authorization | undefined> =>
  maybe<Authorization>(
    db,
    sql`select scopes, approved_time as "approvedTime" from rowhouse.oauth_authorizations where client_id = ${clientId} and user_id = ${userId}`,
  );

/** `approved`: the user was asked, now; otherwise an earlier answer still holds, and stays as old as it is. */
export const upsertAuthorization = async (
  tx: Tx,
  request: Request,
  userId: string,
  now: Date,
  approved: boolean,
): Promise<void> => {
  await tx.query(
    sql`insert into rowhouse.oauth_authorizations as a (client_id, user_id, scopes, approved_time)
        values (${request.clientId}, ${userId}, ${request.scopes}, ${now})
        on conflict (client_id, user_id) do update
          set scopes = array(select distinct unnest(a.scopes || excluded.scopes) order by 1),
              approved_time = ${approved ? sql`excluded.approved_time` : sql`a.approved_time`}`,
  );
};

interface AuthorizedRow {
  clientId: string;
  name: string;
  description: string | null;
  logo: string | null;
  homepage: string;
  scopes: string[];
  lastUsedTime: string | null;
  creatorName: string;
  creatorEmail: string;
}

export const selectAuthorized = (db: Queryable, userId: string): Promise<AuthorizedRow[]> =>
  many<AuthorizedRow>(
    db,
    sql`select c.client_id as "clientId", c.name, c.description, c.logo, c.homepage, a.scopes,
               u.name as "creatorName", u.email as "creatorEmail",
               greatest((select max(g.last_used_time) from rowhouse.oauth_grants g where g.client_id = a.client_id and g.user_id = a.user_id),
                        (select max(t.last_used_time) from rowhouse.access_tokens t where t.client_id = a.client_id and t.user_id = a.user_id))
                 as "lastUsedTime"
        from rowhouse.oauth_authorizations a
        join rowhouse.oauth_clients c on c.client_id = a.client_id
        join rowhouse.users u on u.id = c.created_by
        where a.user_id = ${userId}
        order by a.approved_time desc, c.client_id`,
  );

/** Of one user, or of all; answers whose they were. */
export const deleteAuthorizations = async (tx: Tx, clientId: string, userId: string | null): Promise<string[]> =>
  (
    await tx.query<{ userId: string }>(
      sql`delete from rowhouse.oauth_authorizations
          where client_id = ${clientId} ${userId === null ? sql.empty : sql`and user_id = ${userId}`} returning user_id as "userId"`,
    )
  ).map((row) => row.userId);

/** Everything that a user has allowed, with the codes and tokens that came of it. */
export const deleteAuthorizationsOf = async (tx: Tx, userId: string): Promise<void> => {
  await tx.query(sql`delete from rowhouse.oauth_authorizations where user_id = ${userId}`);
};

/** What an application may no longer ask for, its authorisations, grants and tokens may no longer do. Answers whose tokens are concerned. */
export const narrowScopes = async (tx: Tx, clientId: string, scopes: readonly string[]): Promise<string[]> => {
  const userIds = new Set<string>();
  for (const table of ['oauth_authorizations', 'oauth_grants', 'access_tokens']) {
    const rows = await tx.query<{ userId: string }>(
      sql`update ${sql.id('rowhouse', table)} set scopes = array(select s from unnest(scopes) s where s = any(${scopes}::text[]))
          where client_id = ${clientId} and not scopes <@ ${scopes}::text[] returning user_id as "userId"`,
    );
    for (const { userId } of rows) userIds.add(userId);
  }
  return [...userIds];
};

/** Who has allowed something to an application, or those of them who did so by way of one secret. */
export const selectGrantors = async (tx: Tx, clientId: string, secretId: string | null): Promise<string[]> =>
  (
    await tx.query<{ userId: string }>(
      secretId === null
        ? sql`select user_id as "userId" from rowhouse.oauth_authorizations where client_id = ${clientId}`
        : sql`select distinct user_id as "userId" from rowhouse.oauth_grants where client_id = ${clientId} and secret_id = ${secretId}`,
    )
  ).map((row) => row.userId);

export const insertGrant = async (
  tx: Tx,
  request: Request,
  userId: string,
  codeHash: Buffer,
  expiresTime: Date,
): Promise<void> => {
  await tx.query(
    sql`insert into rowhouse.oauth_grants
          (client_id, user_id, scopes, code_hash, code_expires_time, redirect_uri, redirect_uri_given, code_challenge, expires_time)
        values (${request.clientId}, ${userId}, ${request.scopes}, ${codeHash}, ${expiresTime}, ${request.redirectUri},
                ${request.redirectUriGiven}, ${request.codeChallenge}, ${expiresTime})`,
  );
};

/** Nothing of them is valid any more, so nobody loses anything. */
export const deleteExpiredGrants = async (tx: Tx, clientId: string, userId: string, now: Date): Promise<void> => {
  await tx.query(
    sql`delete from rowhouse.oauth_grants where client_id = ${clientId} and user_id = ${userId} and expires_time <= ${now}`,
  );
};

/** The same of everybody, with the tokens of grants that live on; answers how many rows there were. */
export const sweepGrants = async (db: Queryable, now: Date, limit: number): Promise<number> => {
  const rows = await many<{ n: number }>(
    db,
    sql`with grants as (
          delete from rowhouse.oauth_grants where id in (
            select id from rowhouse.oauth_grants where expires_time <= ${now} limit ${limit} for update skip locked) returning 1
        ), refresh as (
          delete from rowhouse.oauth_refresh_tokens where hash in (
            select r.hash from rowhouse.oauth_refresh_tokens r join rowhouse.oauth_grants g on g.id = r.grant_id
            where r.expires_time <= ${now} and g.expires_time > ${now} limit ${limit} for update of r skip locked) returning 1
        ), access as (
          delete from rowhouse.access_tokens where id in (
            select t.id from rowhouse.access_tokens t join rowhouse.oauth_grants g on g.id = t.grant_id
            where t.expired_time <= ${now} and g.expires_time > ${now} limit ${limit} for update of t skip locked) returning 1
        )
        select (select count(*) from grants) + (select count(*) from refresh) + (select count(*) from access) as n`,
  );
  return rows[0]?.n ?? 0;
};

export interface Grant {
  id: number;
  clientId: string;
  clientName: string;
  userId: string;
  scopes: string[];
  codeExpiresTime: string;
  codeUsedTime: string | null;
  redirectUri: string;
  redirectUriGiven: boolean;
  codeChallenge: string | null;
  isUserActive: boolean;
}

const grantColumns = sql`g.id, g.client_id as "clientId", c.name as "clientName", g.user_id as "userId", g.scopes,
  g.code_expires_time as "codeExpiresTime", g.code_used_time as "codeUsedTime", g.redirect_uri as "redirectUri",
  g.redirect_uri_given as "redirectUriGiven", g.code_challenge as "codeChallenge", u.deactivated_time is null as "isUserActive"`;

const grantSource = sql`rowhouse.oauth_grants g
  join rowhouse.oauth_clients c on c.client_id = g.client_id
  join rowhouse.users u on u.id = g.user_id`;

/** Everything that happens to one family happens one after the other: its row is locked first. */
export const lockGrantOfCode = (tx: Tx, codeHash: Buffer): Promise<Grant | undefined> =>
  maybe<Grant>(tx, sql`select ${grantColumns} from ${grantSource} where g.code_hash = ${codeHash} for update of g`);

export const lockGrantOfRefreshToken = (tx: Tx, hash: Buffer): Promise<Grant | undefined> =>
  maybe<Grant>(
    tx,
    sql`select ${grantColumns} from ${grantSource}
        where g.id = (select r.grant_id from rowhouse.oauth_refresh_tokens r where r.hash = ${hash}) for update of g`,
  );

interface RefreshToken {
  expiresTime: string;
  usedTime: string | null;
}

/** After its grant is locked, or its use by another request would not be seen. */
export const selectRefreshToken = (tx: Tx, hash: Buffer): Promise<RefreshToken | undefined> =>
  maybe<RefreshToken>(
    tx,
    sql`select expires_time as "expiresTime", used_time as "usedTime" from rowhouse.oauth_refresh_tokens where hash = ${hash}`,
  );

export const markCodeUsed = async (tx: Tx, grantId: number, now: Date): Promise<void> => {
  await tx.query(sql`update rowhouse.oauth_grants set code_used_time = ${now} where id = ${grantId}`);
};

export const markRefreshTokenUsed = async (tx: Tx, hash: Buffer, now: Date): Promise<void> => {
  await tx.query(sql`update rowhouse.oauth_refresh_tokens set used_time = ${now} where hash = ${hash}`);
};

export const deleteGrant = async (tx: Tx, grantId: number): Promise<void> => {
  await tx.query(sql`delete from rowhouse.oauth_grants where id = ${grantId}`);
};
