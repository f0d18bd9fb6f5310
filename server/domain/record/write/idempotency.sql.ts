import { many, maybe, type Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';

const batch = 500;

export interface Claim {
  /** The token, or the user of a session. */
  owner: string;
  key: string;
  /** What was asked for. */
  request: Buffer;
  /** What the caller sees, where that is not everything; empty otherwise. */
  sight: Buffer;
  /** With which the answer goes. */
  baseId: string;
}

/** The request, and behind it what its first answer was made for. */
const hashOf = ({ request, sight }: Claim): Buffer => Buffer.concat([request, sight]);

/** False when the key is taken. Waits for a request with the same key that is under way. */
export const claimKey = async (tx: Queryable, claim: Claim): Promise<boolean> => {
  const { owner, key, baseId } = claim;
  await tx.query(
    sql`delete from rowhouse.idempotency_keys where owner = ${owner} and key = ${key} and created_time < now() - interval '24 hours'`,
  );
  const row = await maybe(
    tx,
    sql`insert into rowhouse.idempotency_keys (owner, key, hash, base_id) values (${owner}, ${key}, ${hashOf(claim)}, ${baseId}) on conflict do nothing returning true as claimed`,
  );
  return row !== undefined;
};

export const saveAnswer = async (
  tx: Queryable,
  { owner, key }: Claim,
  answer: { operationId: string; text: string | null },
): Promise<void> => {
  await tx.query(
    sql`update rowhouse.idempotency_keys set operation_id = ${answer.operationId}, answer = ${answer.text} where owner = ${owner} and key = ${key}`,
  );
};

export interface FirstAnswer {
  sameBody: boolean;
  /** The caller sees what they saw then. */
  sameSight: boolean;
  operationId: string;
  /** Null for changes of records, of which no answer is kept. */
  text: string | null;
}

/** Undefined when the key is free, or is claimed by a request that is under way. */
export const selectAnswer = (db: Queryable, claim: Claim): Promise<FirstAnswer | undefined> =>
  maybe(
    db,
    sql`select substring(hash for ${claim.request.length}) = ${claim.request} as "sameBody", hash = ${hashOf(claim)} as "sameSight", operation_id as "operationId", answer as text
        from rowhouse.idempotency_keys where owner = ${claim.owner} and key = ${claim.key} and created_time >= now() - interval '24 hours'`,
  );

/** The records that a first answer tells of, in its order. */
export const selectAnsweredIds = async (db: Queryable, text: string): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select told.record ->> 'id' as id from json_array_elements(${text}::json -> 'records') with ordinality told(record, at) order by told.at`,
    )
  ).map(({ id }) => id);

/** Some at a time, so that nobody waits for many; answers how many there were. */
export const dropOldKeys = async (db: Queryable): Promise<number> =>
  (
    await db.query(
      sql`delete from rowhouse.idempotency_keys where ctid in (
            select ctid from rowhouse.idempotency_keys where created_time < now() - interval '24 hours' limit ${batch} for update skip locked) returning 1`,
    )
  ).length;

/** The base is deleted for good. */
export const deleteKeysOf = async (db: Queryable, baseId: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.idempotency_keys where base_id = ${baseId}`);
};
