// Many records are deleted part by part within one transaction: it is one operation, all or nothing, and it is known how far it is.
import { doerOf, writeAudit } from '../../../catalog/audit.sql.ts';
import type { OperationFacts } from '../../../catalog/operation.sql.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { Queryable, Tx } from '../../../db/db.ts';
import { type Guard, lockForWriting } from '../../../pipeline/guard.sql.ts';
import type { TableContext } from '../../../pipeline/pipeline.ts';
import { runScript } from '../../../pipeline/script.ts';
import { Stale } from '../../../pipeline/stale.ts';
import type { Context } from '../../../context.ts';
import { planOf, type SettlePlan } from '../../computed/plan.ts';
import { passGate, prepareSettling } from './links.ts';
import { allowLong, beginDeletion, deletePart, deleteRows, lockForDeletion } from './delete.sql.ts';
import { linkedDelete, NotWritten } from './write-script.ts';

/** More than this may take longer than other statements are allowed. */
export const manyToDelete = 5_000;

const partSize = 2_000;

export interface Progress {
  processed: number;
  total: number;
}

export type OnProgress = (progress: Progress) => void;

/** False when the guard does not hold, or when not all of them are there: then nothing was written. */
export const deleteInParts = async (
  db: Queryable,
  sight: Sight,
  guard: Guard,
  ids: readonly string[],
  operation: OperationFacts,
  onProgress?: OnProgress,
): Promise<boolean> => {
  if (ids.length <= manyToDelete)
    return (await deleteRows(db, sight, guard, ids, operation, 'ids')).length === ids.length;
  await allowLong(db);
  await lockForWriting(db, guard);
  const { isBegun, ids: locked } = await lockForDeletion(db, sight, guard, ids);
  if (!isBegun) return false;
  if (locked.length !== ids.length) throw new Stale('records');
  const opId = await beginDeletion(db, guard, ids, operation);
  for (let processed = 0; processed < locked.length; processed += partSize) {
    onProgress?.({ processed, total: locked.length });
    await deletePart(db, guard, opId, locked.slice(processed, processed + partSize), processed);
  }
  onProgress?.({ processed: locked.length, total: locked.length });
  return true;
};

/** What deleting records of a table means for others; null when nothing is linked. */
export const planDelete = async (
  context: Pick<Context, 'db' | 'deferred'>,
  { table }: Sight,
): Promise<SettlePlan | null> => {
  const plan = planOf(table, { kind: 'delete', fieldIds: [], linkIds: [], deferred: context.deferred });
  await prepareSettling(context.db, plan);
  return plan;
};

/**
 * One entry for a request, however many records it deletes. A statement of its own, in the transaction of the deletion: as a part of the deleting statement a cluster would send it to every node
 * (ADR 76).
 */
const auditDeletion = (
  context: TableContext,
  ids: readonly string[],
  { publicId: operationId }: OperationFacts,
): Promise<void> => {
  const { baseId, tableId, spaceId } = context.access;
  const [recordId] = ids.length === 1 ? ids : [];
  const target = { baseId, tableId, operationId, records: ids.length, ...(recordId === undefined ? {} : { recordId }) };
  return writeAudit(context.db, doerOf(context), 'record.trashed', { spaceIds: [spaceId] }, target);
};

/** Around the deletion of records to which others may be linked, in a transaction. `work` answers nothing when it wrote nothing. */
export const deleteLinked = async <T>(
  context: TableContext,
  plan: SettlePlan | null,
  ids: readonly string[],
  operation: OperationFacts,
  work: () => Promise<T | undefined>,
): Promise<T | undefined> => {
  const deleted = async (): Promise<Exclude<T, undefined>> => {
    const done = await work();
    if (done === undefined) throw new NotWritten();
    await auditDeletion(context, ids, operation);
    return done as Exclude<T, undefined>;
  };
  try {
    if (plan === null || ids.length === 0) return await deleted();
    const tx = context.db as Tx;
    await passGate(tx, plan);
    return (await runScript(tx, linkedDelete({ context, plan, own: ids }, operation, deleted))).get('rows');
  } catch (error) {
    if (error instanceof NotWritten) return undefined;
    throw error;
  }
};
