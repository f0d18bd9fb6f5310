// What moves whole tables in or out of a space changes its use by an exact count.
import type { Environment } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { lockAndCount, lockSchemas, selectCountedTables, selectSpaceId } from './count-rows.sql.ts';
import { changeRows, moveRows } from './quota.ts';

type Needs = Pick<Environment, 'plans' | 'now'>;

/** A table, or all tables of a base, will leave for the trash or for good. Called before they do. Answers the space: the base stays in it until the transaction ends. */
export const releaseRows = async (tx: Tx, needs: Needs, baseId: string, tableId?: string): Promise<string> => {
  await lockSchemas(tx, baseId);
  const count = await lockAndCount(tx, await selectCountedTables(tx, baseId, tableId));
  const spaceId = await selectSpaceId(tx, baseId);
  await changeRows(tx, needs, spaceId, -count);
  return spaceId;
};

/** They are back from the trash. 402 when the plan has no room for them. */
export const reclaimRows = async (tx: Tx, needs: Needs, baseId: string, tableId?: string): Promise<void> => {
  await lockSchemas(tx, baseId);
  const count = await lockAndCount(tx, await selectCountedTables(tx, baseId, tableId));
  await changeRows(tx, needs, await selectSpaceId(tx, baseId), count);
};

/** Before the base gets its new space. */
export const carryRows = async (tx: Tx, needs: Needs, baseId: string, toSpaceId: string): Promise<void> => {
  await lockSchemas(tx, baseId);
  const count = await lockAndCount(tx, await selectCountedTables(tx, baseId));
  await moveRows(tx, needs, await selectSpaceId(tx, baseId), toSpaceId, count);
};

/** Copies of records were made in a base. The last step of a transaction: the slots are locked until it ends. */
export const claimCopies = async (tx: Tx, needs: Needs, baseId: string, count: number): Promise<void> =>
  changeRows(tx, needs, await selectSpaceId(tx, baseId), count);
