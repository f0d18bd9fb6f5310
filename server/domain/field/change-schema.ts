// The frame of every change to a table's fields or views: such changes come one after the other, each moves
// the version on and is kept as an operation that can be undone, and snapshots are forgotten once it is committed.
import { isDeepStrictEqual } from 'node:util';
import { conflict } from '@rowhouse/contract/error.ts';
import { setChange } from '../../catalog/operation.sql.ts';
import { relatedTo } from '../../catalog/related.ts';
import {
  bumpQuietly,
  bumpVersion,
  limitWaiting,
  lockSchema,
  lockSchemasOf,
  type SchemaChange,
  selectBridges,
  selectVersion,
} from '../../catalog/table.sql.ts';
import { type FieldSchema, loadTable, type RelatedTable, type TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { closeGate } from '../computed/gate.sql.ts';
import { linksAmong } from '../computed/graph.ts';
import { decideNew, decideOld } from './decide.ts';
import { selectSharing } from './decision.sql.ts';
import { joinJobs } from './fill-later.ts';
import { fitLinks } from './fit-links.ts';
import { cleanKeys } from './link-field.ts';
import { differenceOf } from './schema-change.ts';
import { settleFormulas } from './settle-formulas.ts';
import { settleLookups } from './settle-lookups.ts';
import { settleRelated } from './settle-related.ts';

/** What the work tells of itself. */
export interface SchemaWork {
  /** Set when it wrote an operation of its own, as a conversion of cells does: that one is what can be undone. */
  operationId?: string;
  /** The schema that the change left, once the work is done: formulas may have followed. */
  after?: TableSchema;
  /** Other tables whose fields it changed, as by the other side of a link. */
  others?: string[];
  /** Links whose cells it has filled, or that have none yet. */
  filled?: ReadonlySet<string>;
  /** Fields that somebody has defined again: what they show and offer was decided by that. */
  defined?: ReadonlySet<string>;
  /** Links that were in the trash. */
  restoredLinks?: string[];
}

/** The tables whose plans a change of some may change: those that links join to them. The gate is closed by then. */
const lockRelated = async (tx: Tx, baseId: string, tableIds: readonly string[]): Promise<void> => {
  const bridges = await selectBridges(tx, baseId);
  await lockSchemasOf(tx, baseId, [...new Set(tableIds.flatMap((id) => [id, ...relatedTo(id, bridges)]))]);
};

/** Tables that were joined to this one by a link and are not any more. */
const settleParted = async (
  tx: Tx,
  before: TableSchema,
  after: TableSchema,
): Promise<{ told: string[]; hasJob: boolean }> => {
  const told = new Set<string>();
  let hasJob = false;
  const seen = new Set(after.related.keys());
  for (const [id, was] of before.related) {
    if (seen.has(id)) continue;
    for (const one of await settleLookups(tx, { baseId: after.baseId, id })) told.add(one);
    const now = await loadTable(tx, after.baseId, id);
    const settled = await settleRelated(tx, was, now, { others: [id] });
    for (const one of settled.told) told.add(one);
    hasJob ||= settled.hasJob;
    told.add(id);
    for (const one of now.related.keys()) seen.add(one);
  }
  return { told: [...told], hasJob };
};

interface Settled {
  isChanged: boolean;
  hasJob: boolean;
}

/** `others`: tables beside it that it links to from now on, or whose fields it changes with its views. */
export const changeSchema = async <T>(
  context: Context,
  tableId: string,
  work: (tx: Tx, table: TableSchema, own: SchemaWork) => Promise<T>,
  kind: SchemaChange['kind'] = 'schema',
  others: readonly string[] = [],
): Promise<T> => {
  const baseId = context.access.baseId as string;
  const operationId = context.newId('opr');
  const result = await retriedTransaction(context.db, async (tx) => {
    const own: SchemaWork = {};
    if (kind === 'view' && others.length === 0) await lockSchema(tx, baseId, tableId);
    else {
      await limitWaiting(tx);
      await closeGate(tx, baseId);
      await lockRelated(tx, baseId, [tableId, ...others]);
    }
    await decideOld(tx, baseId);
    const before = await loadTable(tx, baseId, tableId);
    const known = new Map<string, RelatedTable>(before.related);
    for (const id of others)
      if (!known.has(id) && (await selectVersion(tx, baseId, id)) !== undefined)
        known.set(id, await loadTable(tx, baseId, id));
    const done = await work(tx, before, own);
    let after = await loadTable(tx, baseId, tableId);
    // A change of views changes no field.
    const settled: Settled =
      kind === 'schema' ? await settleFormulas(tx, before, after) : { isChanged: false, hasJob: false };
    let isKnown = !settled.isChanged;
    for (const id of new Set(own.others)) {
      const was = known.get(id);
      if (was === undefined || id === tableId) continue;
      const { isChanged } = await settleFormulas(tx, was, await loadTable(tx, baseId, id));
      isKnown &&= !isChanged;
    }
    const looked = kind === 'schema' ? await settleLookups(tx, after, isKnown ? after : undefined) : new Set<string>();
    const links = kind === 'schema' ? await fitLinks(tx, before, after) : new Set<string>();
    own.others = [...(own.others ?? []), ...looked, ...links];
    // Also when formulas of other tables came back to life: what they are computed from is filled below, and so are they.
    if (!isKnown || looked.size > 0 || links.size > 0) after = await loadTable(tx, baseId, tableId);
    const settlings =
      kind === 'schema' ? [await settleRelated(tx, before, after, own), await settleParted(tx, before, after)] : [];
    const told = kind === 'schema' ? settlings.flatMap((one) => one.told) : own.others.filter((id) => id !== tableId);
    const hasFilling = settlings.some((one) => one.hasJob);
    if (hasFilling || settled.hasJob) {
      await joinJobs(tx, await loadTable(tx, baseId, tableId));
      after = await loadTable(tx, baseId, tableId);
    }
    if (own.restoredLinks !== undefined)
      await cleanKeys(
        tx,
        linksAmong(after).filter(({ field }) => own.restoredLinks?.includes(field.id)),
      );
    after = await decideNew(tx, after, own.defined ?? new Set());
    own.after = after;
    const difference = differenceOf(before, after);
    const change = difference === null ? null : JSON.stringify(difference);
    await bumpVersion(tx, baseId, tableId, {
      kind,
      actor: context.principal.userId,
      operationId,
      change: own.operationId === undefined ? change : null,
      step: context.step,
    });
    if (own.operationId !== undefined)
      await setChange(tx, { baseId, id: tableId }, own.operationId, change, context.step);
    // Those who look at the shares of other tables are decided about again.
    if (kind === 'schema')
      for (const id of await selectSharing(tx, [...before.related.keys(), ...after.related.keys()]))
        if (id !== tableId && !told.includes(id)) told.push(id);
    for (const id of told) await bumpVersion(tx, baseId, id, { kind: 'schema', actor: context.principal.userId });
    const related =
      kind === 'schema' || told.length > 0
        ? [...new Set([...before.related.keys(), ...after.related.keys()])].filter((id) => id !== tableId)
        : [];
    await bumpQuietly(
      tx,
      baseId,
      related.filter((id) => !told.includes(id)),
    );
    return {
      done,
      changedBy: change === null ? undefined : (own.operationId ?? operationId),
      hasJob: settled.hasJob || hasFilling,
      related,
    };
  });
  for (const id of [tableId, ...result.related]) context.catalog.forget(id);
  if (result.hasJob) context.work.wake();
  if (result.changedBy !== undefined) context.noteOperation(result.changedBy);
  return result.done;
};

/** A change of one field, which `work` answers the id of; the answer is the field as the change left it. */
export const changeField = async (
  context: Context,
  tableId: string,
  work: (tx: Tx, table: TableSchema, own: SchemaWork) => Promise<string>,
  others: readonly string[] = [],
): Promise<FieldSchema> => {
  let kept: SchemaWork = {};
  const fieldId = await changeSchema(
    context,
    tableId,
    (tx, table, own) => {
      kept = own;
      return work(tx, table, own);
    },
    'schema',
    others,
  );
  return kept.after?.byId.get(fieldId) as FieldSchema;
};

/** The schema as it is now: reading it is not worth a place among the snapshots that writes rely on. */
export const readTable = (context: Context, tableId: string): Promise<TableSchema> =>
  loadTable(context.db, context.access.baseId as string, tableId);

/** Anyone who sends a list as a whole can say what it was when they read it (`seen`): what somebody else wrote since is not overwritten. */
export const demandUnchanged = (seen: unknown, present: unknown, what: string): void => {
  if (seen === undefined || isDeepStrictEqual(seen, present)) return;
  throw conflict(`${what} has changed since it was read; make the change to what it is now, which is in "present"`, {
    present,
  });
};
