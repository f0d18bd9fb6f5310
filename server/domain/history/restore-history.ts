// POST /table/:tableId/record/history/restore
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError, invalid, notFound } from '@rowhouse/contract/error.ts';
import type { restoreHistory as endpoint } from '@rowhouse/contract/history.ts';
import { demand, isBound } from '../../catalog/access.ts';
import { type Sight, sightOf } from '../../catalog/sight.ts';
import { lockSchema } from '../../catalog/table.sql.ts';
import { loadTable, type TableSchema } from '../../catalog/table.ts';
import { namedJob } from '../../catalog/outbox.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { guardedTransaction, type TableContext, Unwritten } from '../../pipeline/pipeline.ts';
import type { CellError } from '../record/write/cells.ts';
import { selectDeletion } from '../record/write/deleted-record.sql.ts';
import { peopleFor } from '../record/write/people.ts';
import { closeGate } from '../computed/gate.sql.ts';
import { restoreRecords } from './restore-records.ts';
import { restoreSchema } from './restore-schema.ts';
import { explainNoUpdate, planUpdate, writeUpdate } from '../record/write/update-records.ts';
import { cellContext } from '../record/write/write.ts';
import { entryPositionOf } from './history-id.ts';
import {
  type EntryRow,
  isKnownRecord,
  selectEntriesAt,
  selectEntriesOf,
  selectEntriesSince,
  type OperationRow,
  selectOperation,
} from './history.sql.ts';
import { momentOf } from './moment.ts';
import { maxListed, refuse } from './refuse.ts';
import { removeCreated } from './remove-created.ts';
import { oldestVisible } from './retention.ts';
import { selectCurrent } from './restore.sql.ts';
import { cellsOf, prepareRestoration } from './restoration.ts';
import { notWhole, withSeenLinks } from './seen-links.ts';
import { metasOf } from './show-entries.ts';
import { withSideEffects } from './side-effects.ts';
import { undoPlacement } from './undo-placement.ts';

type Body = BodyOf<typeof endpoint>;
export type Restored = ResponseOf<typeof endpoint>;

type Chosen = Omit<Body, 'force'>;

/** The entries that a restore names. What the plan does not show any more is not there. */
type Choose<Way> = (db: Queryable, sight: Sight, way: Way, oldest: Date | null) => Promise<EntryRow[]>;

const isShown = ({ time }: { time: string }, oldest: Date | null): boolean =>
  oldest === null || Date.parse(time) >= oldest.getTime();

const entriesById: Choose<readonly string[]> = async (db, sight, ids, oldest) => {
  const positions = [...new Set(ids)].map((id) => {
    const position = entryPositionOf(sight.table.id, id);
    if (position === undefined) throw notFound('History entry', id);
    return position;
  });
  const entries = (await selectEntriesAt(db, sight, positions)).filter((entry) => isShown(entry, oldest));
  if (entries.length < positions.length)
    throw new ApiError(
      'not_found',
      `${positions.length - entries.length} of the history entries are not there any more`,
    );
  return entries;
};

const entriesOfOperation: Choose<string> = async (db, sight, operationId, oldest) => {
  const operation = await selectEntriesOf(db, sight, operationId);
  if (operation === undefined || !isShown(operation, oldest)) throw notFound('Operation', operationId);
  // A change by others is to the caller what they see of it; their own one they have seen as a whole.
  if (operation.isPart) throw notWhole();
  return operation.entries;
};

const entriesSince: Choose<{ recordId: string; at: Date }> = async (db, sight, { recordId, at }, oldest) => {
  if (oldest !== null && at < oldest)
    throw invalid({
      path: 'at',
      message: `The history of this plan goes back to ${oldest.toISOString()}`,
      expected: 'a later moment',
    });
  const entries = await selectEntriesSince(db, sight, recordId, at);
  if (entries.length === 0 && !(await isKnownRecord(db, sight, recordId))) throw notFound('Record', recordId);
  return entries;
};

const chosenEntries: Choose<Chosen> = async (db, sight, { historyIds, operationId, recordId, at }, oldest) => {
  const ways = [historyIds !== undefined, operationId !== undefined, recordId !== undefined || at !== undefined];
  if (ways.filter(Boolean).length !== 1)
    throw invalid({ path: '', message: 'Expected exactly one of historyIds, operationId, or recordId with at' });
  if (historyIds !== undefined) return entriesById(db, sight, historyIds, oldest);
  if (operationId !== undefined) return entriesOfOperation(db, sight, operationId, oldest);
  const moment = momentOf(at, 'at');
  if (recordId === undefined || moment === undefined)
    throw invalid({ path: recordId === undefined ? 'recordId' : 'at', message: 'Required' });
  return entriesSince(db, sight, { recordId, at: moment }, oldest);
};

/** A value that a constraint refuses is a conflict like any other. */
const asConflicts = (error: unknown, rows: readonly { id: string }[], table: TableSchema): unknown => {
  if (!(error instanceof ApiError) || error.code !== 'validation_error') return error;
  const errors = (error.data as { errors?: CellError[] } | undefined)?.errors;
  if (errors === undefined) return error;
  return refuse(
    errors.map(({ index, field, message }) => ({
      recordId: (rows[index] as { id: string }).id,
      fieldId: table.byId.has(field) ? field : '',
      reason: 'does_not_fit',
      message,
    })),
  );
};

const restoreDeleted = async (
  context: TableContext,
  opId: number,
  { operationId, force = false }: Body,
): Promise<Restored> => {
  // Whom rules bind get back what they deleted themselves: that needs no grant to make records.
  demand(context.access, isBound(context.access) ? 'record|delete' : 'record|create', context.access.tableId as string);
  const restored = await restoreRecords(context, opId, { force, refuse, explain: asConflicts });
  if (restored === undefined)
    throw new ApiError(
      'not_found',
      `The records that ${operationId} deleted are not kept any more: they were restored, deleted for good, or are older than the history of this plan`,
    );
  return {
    kind: 'records',
    operationId: restored.operationId,
    restored: restored.cells,
    recordIds: restored.recordIds,
    skipped: [],
  };
};

/** Named by its operation and nothing else. */
const isAlone = ({ historyIds, recordId, at }: Body): boolean =>
  historyIds === undefined && recordId === undefined && at === undefined;

/** In the transaction of the context. */
export const restoreWithin = async (context: TableContext, body: Body): Promise<Restored> => {
  const { db: tx } = context;
  const { baseId, tableId, spaceId } = context.access;
  // Records are locked here before it is known what else is reached: those who lock in the one order wait. Before anything else: Citus takes all transactions that have not asked a
  // node yet for one, and sees a deadlock in it when another that has asked one waits among them.
  await closeGate(tx, baseId);
  const deletion =
    body.operationId === undefined || !isAlone(body)
      ? undefined
      : await selectDeletion(tx, { baseId, id: tableId }, body.operationId);
  if (deletion !== undefined) return restoreDeleted(context, deletion, body);
  // By force it may add select choices, which is a change of the schema: that lock comes before those of records.
  if (body.force === true) await lockSchema(tx, baseId, tableId);
  const table = await loadTable(tx, baseId, tableId);
  const sight = sightOf(context, table);
  const entries = await chosenEntries(tx, sight, body, await oldestVisible(tx, context));
  const cells = await withSeenLinks(tx, sight, cellsOf(entries, await metasOf(tx, table, entries)));
  const recordIds = [...new Set(cells.map((cell) => cell.recordId))];
  const fields = sight.fields.filter((field) => cells.some((cell) => cell.fieldId === field.id));
  const current = await selectCurrent(tx, sight, recordIds, fields);
  const people = await peopleFor(tx, table, spaceId, () => new Set(fields.map((field) => field.id)), false);
  const restoration = prepareRestoration(sight, cells, current, cellContext(context, people, new Map()), {
    compare: body.at === undefined,
  });
  const force = body.force ?? false;
  const inTheWay = [...restoration.conflicts, ...restoration.impossible];
  if (inTheWay.length > 0 && !force) throw refuse(inTheWay);
  const skipped = restoration.impossible.slice(0, maxListed);
  if (restoration.rows.length === 0) return { kind: 'cells', operationId: null, restored: 0, recordIds: [], skipped };
  const planned = await planUpdate(
    context,
    sight,
    { rows: restoration.rows, keyType: 'id', typecast: force },
    'restore',
  );
  const written = await writeUpdate(context, planned).catch((error: unknown) => {
    throw asConflicts(error, restoration.rows, table);
  });
  if (written instanceof Unwritten) throw await explainNoUpdate(context, planned);
  return {
    kind: 'cells',
    operationId: planned.operation.publicId,
    restored: restoration.cells,
    recordIds: restoration.rows.map((row) => row.id),
    skipped,
  };
};

/** An operation that changed more than cells: fields, views, or which records there are. Undefined for all others. */
const restoreOther = async (
  context: TableContext,
  operation: OperationRow | undefined,
  force: boolean,
): Promise<Restored | undefined> => {
  if (operation === undefined) return undefined;
  if (!isShown(operation, await oldestVisible(context.db, context))) throw notFound('Operation', operation.publicId);
  // A change of somebody else may name fields and views that are not seen.
  if (operation.change !== null && isBound(context.access) && operation.actor !== context.principal.userId)
    throw notFound('Operation', operation.publicId);
  if (operation.change !== null && operation.kind !== 'computed')
    return restoreSchema(context, operation, operation.change, force);
  return operation.rowDelta > 0 ? removeCreated(context, operation, force) : undefined;
};

const restoreOnce = async (context: TableContext, operation: OperationRow | undefined, body: Body): Promise<Restored> =>
  (await restoreOther(context, operation, body.force ?? false)) ??
  guardedTransaction({ unconfirmed: context }, (within) => restoreWithin(within, body));

/** With what the operation made beside its own records, in one transaction. */
const restoreWhole = (context: TableContext, operation: OperationRow, body: Body): Promise<Restored> =>
  guardedTransaction({ unconfirmed: context }, async (within) => {
    await closeGate(within.db, within.access.baseId);
    const placement = operation.sideEffects?.placement;
    const { restored, ...besides } = await withSideEffects(within, operation.sideEffects, () =>
      placement === undefined ? restoreOnce(within, operation, body) : undoPlacement(within, placement),
    );
    return { ...restored, ...besides };
  });

export const restoreHistory = async (context: Context, body: Body): Promise<Restored> => {
  const { baseId, tableId } = context.access as TableContext['access'];
  const operation =
    isAlone(body) && body.operationId !== undefined
      ? await selectOperation(context.db, { baseId, id: tableId }, body.operationId)
      : undefined;
  const restored = await (operation?.sideEffects == null ? restoreOnce : restoreWhole)(
    context as TableContext,
    operation as OperationRow,
    body,
  );
  // By force it may have added choices, and it may name people.
  context.catalog.forget(context.access.tableId as string);
  context.work.add(namedJob(context.access.baseId as string));
  return restored;
};
