// One thing in the trash goes for good, as all of them do when the trash is emptied.
import { type ApiError, conflict, notFound } from '@rowhouse/contract/error.ts';
import { isId } from '@rowhouse/contract/id.ts';
import { demandOwner } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/db.ts';
import { deleteTrashedAutomations } from '../automation/automation.sql.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { forgetDeletedBy } from '../record/write/deleted-record.sql.ts';
import { deleteTrashedDashboards, selectTrashedDashboard } from '../table/dashboard.sql.ts';
import { destroyBaseIn } from './destroy-base.ts';
import { destroyTrashedSpace } from './destroy-space.ts';
import { destroyTrashedTable } from './destroy-trashed-table.ts';
import { dropPart } from './drop-table-trash.ts';
import { atTable } from './list-table-trash.ts';
import { type RecordTrash, recordTrashOf } from './record-trash-id.ts';
import { findTablePart } from './restore-table-part.ts';
import { tailOf } from './show-trash.ts';
import { selectTrashed, selectTrashedAutomation } from './trash.sql.ts';

/** The base of the table. For owners, as emptying its trash is. */
const demandTable = async (context: Context, tableId: string, missing: ApiError): Promise<string> => {
  const { access } = await atTable(context, tableId, 'table|trash_reset', missing);
  demandOwner(access);
  return access.baseId as string;
};

const note = (context: Context, tx: Tx, baseId: string, what: Record<string, string>): Promise<void> =>
  writeAudit(tx, doerOf(context), 'trash.deleted', { baseIds: [baseId] }, { baseId, ...what });

const forgetRecords = async (context: Context, { tableId, opId }: RecordTrash, missing: ApiError): Promise<void> => {
  const baseId = await demandTable(context, tableId, missing);
  await (context.db as Db).transaction(async (tx) => {
    if ((await forgetDeletedBy(tx, { baseId, id: tableId }, opId)) === 0) throw missing;
    await note(context, tx, baseId, { tableId, kind: 'record' });
  });
};

const deleteAutomation = async (
  context: Context,
  { id, baseId }: { id: string; baseId: string },
  missing: ApiError,
): Promise<void> => {
  const place = { type: 'base', id: baseId, trashed: false } as const;
  demandOwner(await demandAccess(context.db, context, place, 'automation|delete', missing));
  await (context.db as Db).transaction(async (tx) => {
    const [gone] = await deleteTrashedAutomations(tx, baseId, id);
    if (gone === undefined) throw missing;
    const what = { automationId: id, name: gone.name };
    await writeAudit(tx, doerOf(context), 'automation.destroyed', { baseIds: [baseId] }, what);
  });
};

const deleteDashboard = async (
  context: Context,
  { id, baseId }: { id: string; baseId: string },
  missing: ApiError,
): Promise<void> => {
  const place = { type: 'base', id: baseId, trashed: false } as const;
  demandOwner(await demandAccess(context.db, context, place, 'base|update', missing));
  await (context.db as Db).transaction(async (tx) => {
    const [gone] = await deleteTrashedDashboards(tx, baseId, id);
    if (gone === undefined) throw missing;
    const what = { dashboardId: id, name: gone.name };
    await writeAudit(tx, doerOf(context), 'dashboard.destroyed', { baseIds: [baseId] }, what);
  });
};

/** A space, a base or a table. */
const destroy = async (context: Context, trashId: string, missing: ApiError): Promise<void> => {
  const trashed = await selectTrashed(context.db, tailOf(trashId));
  if (trashed === undefined) throw missing;
  const { type, id } = trashed;
  const action = type === 'table' ? 'table|trash_reset' : (`${type}|delete` as const);
  const stand = await demandAccess(context.db, context, { type, id, trashed: true }, action, missing);
  demandOwner(stand);
  if (type !== 'space' && stand.spaceTrashed)
    throw conflict(`Its space ${stand.spaceId} is in the trash: delete that, or restore it first`);
  if (type === 'space') return destroyTrashedSpace(context, id);
  if (type === 'base') {
    if (!(await destroyBaseIn(context, stand.spaceId, id, 'trashed'))) throw missing;
    return;
  }
  const baseId = stand.baseId as string;
  if (stand.baseTrashed) throw conflict(`Its base ${baseId} is in the trash: delete that, or restore it first`);
  if (!(await destroyTrashedTable(context, stand.spaceId, { baseId, tableId: id }))) throw missing;
};

export const deleteTrashItem = async (context: Context, trashId: string): Promise<void> => {
  const missing = notFound('Trash item', trashId);
  const records = recordTrashOf(trashId);
  if (records !== undefined) return forgetRecords(context, records, missing);
  if (!isId('tra', trashId)) throw missing;
  const part = await findTablePart(context, trashId);
  if (part !== undefined) {
    const { id, kind, tableId } = part;
    const baseId = await demandTable(context, tableId, missing);
    const also = (tx: Tx): Promise<void> => note(context, tx, baseId, { tableId, kind, [`${kind}Id`]: id });
    if (!(await dropPart(context, { id, kind, baseId, tableId }, also))) throw missing;
    return;
  }
  const automation = await selectTrashedAutomation(context.db, `wfl${tailOf(trashId)}`);
  if (automation !== undefined) return deleteAutomation(context, automation, missing);
  const dashboard = await selectTrashedDashboard(context.db, `dsh${tailOf(trashId)}`);
  return dashboard === undefined ? destroy(context, trashId, missing) : deleteDashboard(context, dashboard, missing);
};
