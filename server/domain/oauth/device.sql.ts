// The one writer of rowhouse.oauth_device_requests: what devices ask for, until somebody has decided and the device has heard of it.
import { maybe, type Queryable, type Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface DeviceRequest {
  hash: Buffer;
  clientId: string;
  scopes: string[];
  /** Null: nobody has decided yet. */
  isAllowed: boolean | null;
  userId: string | null;
  polledTime: string | null;
  expiresTime: string;
}

const columns = sql`hash, client_id as "clientId", scopes, is_allowed as "isAllowed", user_id as "userId", polled_time as "polledTime", expires_time as "expiresTime"`;

interface NewDeviceRequest {
  hash: Buffer;
  userCodeHash: Buffer;
  clientId: string;
  scopes: readonly string[];
  expiresTime: Date;
}

/** False: another device shows the same code at the moment. */
export const insertDeviceRequest = async (tx: Tx, request: NewDeviceRequest): Promise<boolean> =>
  (await maybe(
    tx,
    sql`insert into rowhouse.oauth_device_requests (hash, user_code_hash, client_id, scopes, expires_time)
        values (${request.hash}, ${request.userCodeHash}, ${request.clientId}, ${request.scopes}, ${request.expiresTime})
        on conflict (user_code_hash) do nothing returning 1 as one`,
  )) !== undefined;

/** One that waits for a decision. */
export const selectWaitingRequest = (
  db: Queryable,
  userCodeHash: Buffer,
  now: Date,
): Promise<DeviceRequest | undefined> =>
  maybe<DeviceRequest>(
    db,
    sql`select ${columns} from rowhouse.oauth_device_requests
        where user_code_hash = ${userCodeHash} and is_allowed is null and expires_time > ${now}`,
  );

/** A request is decided once. */
export const decideRequestOf = (
  tx: Tx,
  userCodeHash: Buffer,
  userId: string,
  isAllowed: boolean,
  now: Date,
): Promise<DeviceRequest | undefined> =>
  maybe<DeviceRequest>(
    tx,
    sql`update rowhouse.oauth_device_requests set is_allowed = ${isAllowed}, user_id = ${userId}
        where user_code_hash = ${userCodeHash} and is_allowed is null and expires_time > ${now} returning ${columns}`,
  );

export const lockDeviceRequest = (tx: Tx, hash: Buffer): Promise<DeviceRequest | undefined> =>
  maybe<DeviceRequest>(tx, sql`select ${columns} from rowhouse.oauth_device_requests where hash = ${hash} for update`);

export const notePoll = async (tx: Tx, hash: Buffer, now: Date): Promise<void> => {
  await tx.query(sql`update rowhouse.oauth_device_requests set polled_time = ${now} where hash = ${hash}`);
};

export const deleteDeviceRequest = async (tx: Tx, hash: Buffer): Promise<void> => {
  await tx.query(sql`delete from rowhouse.oauth_device_requests where hash = ${hash}`);
};

/** Several requests may sweep at once: what another one has in hand is left to it. */
export const deleteExpiredDeviceRequests = async (db: Queryable, now: Date): Promise<number> =>
  (
    await db.query(
      sql`delete from rowhouse.oauth_device_requests
          where hash in (select hash from rowhouse.oauth_device_requests where expires_time <= ${now} limit 1000 for update skip locked) returning 1`,
    )
  ).length;
