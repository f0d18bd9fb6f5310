// Tokens of a grant: the access token in rowhouse.access_tokens, where every bearer token is looked up,
// and the refresh token that renews it.
import { maybe, type Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { Grant } from './grant.sql.ts';

interface NewTokens {
  accessId: string;
  accessHash: Buffer;
  accessExpires: Date;
  scopes: readonly string[];
  refreshHash: Buffer;
  refreshExpires: Date;
  /** The secret the application proved itself with. */
  secretId: string | null;
  now: Date;
}

export const insertTokens = async (tx: Tx, grant: Grant, tokens: NewTokens): Promise<void> => {
  await tx.query(
    sql`with used as (
          update rowhouse.oauth_grants
          set secret_id = ${tokens.secretId}, expires_time = ${tokens.refreshExpires}, last_used_time = ${tokens.now}
          where id = ${grant.id}
        ), refresh as (
          insert into rowhouse.oauth_refresh_tokens (hash, grant_id, expires_time)
          values (${tokens.refreshHash}, ${grant.id}, ${tokens.refreshExpires})
        )
        insert into rowhouse.access_tokens (id, user_id, name, secret_hash, scopes, has_full_access, client_id, grant_id, expired_time)
        values (${tokens.accessId}, ${grant.userId}, ${grant.clientName}, ${tokens.accessHash}, ${tokens.scopes}, true,
                ${grant.clientId}, ${grant.id}, ${tokens.accessExpires})`,
  );
};

export const deleteExpiredTokens = async (tx: Tx, grantId: number, now: Date): Promise<void> => {
  await tx.query(
    sql`with refresh as (delete from rowhouse.oauth_refresh_tokens where grant_id = ${grantId} and expires_time <= ${now})
        delete from rowhouse.access_tokens where grant_id = ${grantId} and expired_time <= ${now}`,
  );
};

export const selectAccessTokenOwner = (
  tx: Tx,
  id: string,
  hash: Buffer,
): Promise<{ clientId: string | null; userId: string } | undefined> =>
  maybe<{ clientId: string | null; userId: string }>(
    tx,
    sql`select client_id as "clientId", user_id as "userId" from rowhouse.access_tokens where id = ${id} and secret_hash = ${hash}`,
  );

export const deleteApplicationToken = async (tx: Tx, id: string, clientId: string): Promise<void> => {
  await tx.query(sql`delete from rowhouse.access_tokens where id = ${id} and client_id = ${clientId}`);
};
