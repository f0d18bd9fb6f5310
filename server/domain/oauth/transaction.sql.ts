// The one writer of rowhouse.oauth_transactions: requests that wait for the user's decision.
import { maybe, type Queryable, type Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** What an application asked for, checked. */
export interface Request {
  clientId: string;
  redirectUri: string;
  redirectUriGiven: boolean;
  scopes: string[];
  state: string | null;
  codeChallenge: string | null;
}

const columns = sql`client_id as "clientId", redirect_uri as "redirectUri", redirect_uri_given as "redirectUriGiven",
  scopes, state, code_challenge as "codeChallenge"`;

interface Keeping {
  hash: Buffer;
  userId: string;
  expiresTime: Date;
}

export const insertTransaction = async (tx: Tx, request: Request, keeping: Keeping): Promise<void> => {
  await tx.query(
    sql`insert into rowhouse.oauth_transactions
          (hash, client_id, user_id, redirect_uri, redirect_uri_given, scopes, state, code_challenge, expires_time)
        values (${keeping.hash}, ${request.clientId}, ${keeping.userId}, ${request.redirectUri}, ${request.redirectUriGiven},
                ${request.scopes}, ${request.state}, ${request.codeChallenge}, ${keeping.expiresTime})`,
  );
};

export const selectTransaction = (
  db: Queryable,
  hash: Buffer,
  userId: string,
  now: Date,
): Promise<Request | undefined> =>
  maybe<Request>(
    db,
    sql`select ${columns} from rowhouse.oauth_transactions where hash = ${hash} and user_id = ${userId} and expires_time > ${now}`,
  );

/** A request is decided once. */
export const takeTransaction = (tx: Tx, hash: Buffer, userId: string, now: Date): Promise<Request | undefined> =>
  maybe<Request>(
    tx,
    sql`delete from rowhouse.oauth_transactions where hash = ${hash} and user_id = ${userId} and expires_time > ${now} returning ${columns}`,
  );

/** Several requests may sweep at once: what another one has in hand is left to it. */
export const deleteExpiredTransactions = async (db: Queryable, now: Date): Promise<number> =>
  (
    await db.query(
      sql`delete from rowhouse.oauth_transactions
          where hash in (select hash from rowhouse.oauth_transactions where expires_time <= ${now} limit 1000 for update skip locked) returning 1`,
    )
  ).length;

export const deleteTransactionsOf = async (tx: Tx, userId: string): Promise<void> => {
  await tx.query(sql`delete from rowhouse.oauth_transactions where user_id = ${userId}`);
};
