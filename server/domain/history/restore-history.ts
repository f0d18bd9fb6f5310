// POST /table/:tableId/record/history/restore
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError, conflict, invalid, notFound } from '@rowhouse/contract/error.ts';
import type { RestoreConflict, restoreHistory as endpoint } from '@rowhouse/contract/history.ts';
import { demand } from '../../catalog/access.ts';
import { lockSchema } from '../../catalog/table.sql.ts';
import { loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Queryable, Tx } from '../../db/db.ts';
import type { CellError } from '../record/cells.ts';
import { selectDeletion } from '../record/kept.sql.ts';
import { peopleFor } from '../record/people.ts';
import { restoreRecords } from './restore-records.ts';
import { changeRecords } from '../record/update-records.ts';
import { cellContext, retryWhenStale, type TableAccess } from '../record/write.ts';
import { placeOf } from './history-id.ts';
import { type EntryRow, selectEntriesAt, selectEntriesOf, selectEntriesSince } from './history.sql.ts';
import { dateOf } from './list-history.ts';
import { oldestVisible } from './retention.ts';
import { selectCurrent } from './restore.sql.ts';
import { cellsOf, planRestore } from './restore-plan.ts';
import { metasOf } from './show-entries.ts';

type Body = BodyOf<typeof endpoint>;
type Restored = ResponseOf<typeof endpoint>;

const maxListed = 100;

const entriesById = async (db: Queryable, table: TableSchema, ids: readonly string[]): Promise<EntryRow[]> => {
  const places = [...new Set(ids)].map((id) => {
    const place = placeOf(table.id, id);
    if (place === undefined) throw notFound('History entry', id);
    return place;
  });
  const entries = await selectEntriesAt(db, table, places);
  if (entries.length < places.length) throw new ApiError('not_found', `${places.length - entries.length} of the history entries are not there any more`);
  return entries;
};

const selectChosen = async (db: Queryable, table: TableSchema, body: Body): Promise<EntryRow[]> => {
  const ways = [body.historyIds !== undefined, body.operationId !== undefined, body.recordId !== undefined || body.at !== undefined];
  if (ways.filter(Boolean).length !== 1) throw invalid({ path: '', message: 'Expected exactly one of historyIds, operationId, or recordId with at' });
  if (body.historyIds !== undefined) return entriesById(db, table, body.historyIds);
  if (body.operationId !== undefined) {
    const entries = await selectEntriesOf(db, table, body.operationId);
    if (entries === undefined) throw notFound('Operation', body.operationId);
    return entries;
  }
  const at = dateOf(body.at, 'at');
  if (body.recordId === undefined || at === undefined) throw invalid({ path: body.recordId === undefined ? 'recordId' : 'at', message: 'Required' });
  return selectEntriesSince(db, table, body.recordId, at);
};

const refuse = (conflicts: readonly RestoreConflict[]): ApiError =>
  conflict(`${conflicts.length} cell(s) stand in the way of the restore; nothing was written. Send "force": true to restore what can be`, {
    conflicts: conflicts.slice(0, maxListed),
    total: conflicts.length,
  });

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

const restoreDeleted = async (context: Context, tx: Tx, opId: number, { operationId, force = false }: Body): Promise<Restored> => {
  demand(context.access, 'record|create', context.access.tableId as string);
  const restored = await restoreRecords(context, tx, opId, { force, refuse, explain: asConflicts });
  if (restored === undefined) throw new ApiError('not_found', `The records that ${operationId} deleted are not kept any more: they were restored, deleted for good, or are older than the history of this plan`);
  return { operationId: restored.operationId, restored: restored.cells, recordIds: restored.recordIds, skipped: [] };
};

const restoreWithin = async (context: Context, tx: Tx, body: Body): Promise<Restored> => {
  const { baseId, tableId, spaceId } = context.access as TableAccess;
  const isAlone = body.historyIds === undefined && body.recordId === undefined && body.at === undefined;
  const deletion = body.operationId === undefined || !isAlone ? undefined : await selectDeletion(tx, { baseId, id: tableId }, body.operationId);
  if (deletion !== undefined) return restoreDeleted(context, tx, deletion, body);
  // By force it may add select choices, which is a change of the schema: that lock comes before those of records.
  if (body.force === true) await lockSchema(tx, baseId, tableId);
  const table = await loadTable(tx, baseId, tableId);
  const oldest = await oldestVisible(tx, context);
  const entries = (await selectChosen(tx, table, body)).filter((entry) => oldest === null || Date.parse(entry.time) >= oldest.getTime());
  const cells = cellsOf(entries, await metasOf(tx, table, entries));
  const recordIds = [...new Set(cells.map((cell) => cell.recordId))];
  const fields = table.fields.filter((field) => cells.some((cell) => cell.fieldId === field.id));
  const current = await selectCurrent(tx, table, recordIds, fields);
  const people = await peopleFor(tx, table, spaceId, new Set(fields.map((field) => field.id)), false);
  const plan = planRestore(table, cells, current, cellContext(context, people, new Map()), { compare: body.at === undefined });
  const force = body.force ?? false;
  const inTheWay = [...plan.conflicts, ...plan.impossible];
  if (inTheWay.length > 0 && !force) throw refuse(inTheWay);
  const skipped = plan.impossible.slice(0, maxListed);
  if (plan.rows.length === 0) return { operationId: null, restored: 0, recordIds: [], skipped };
  const changed = await changeRecords(context, table, { rows: plan.rows, keyType: 'id', typecast: force }, { kind: 'restore', within: tx }).catch((error: unknown) => {
    throw asConflicts(error, plan.rows, table);
  });
  return { operationId: changed.operationId, restored: plan.cells, recordIds: plan.rows.map((row) => row.id), skipped };
};

export const restoreHistory = (context: Context, body: Body): Promise<Restored> =>
  retryWhenStale(context, () => context.db.transaction((tx) => restoreWithin(context, tx, body)));
