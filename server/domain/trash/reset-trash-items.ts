import { can, demandOwner } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/db.ts';
import { deleteTrashedAutomations } from '../automation/automation.sql.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { forgetDeleted } from '../record/write/deleted-record.sql.ts';
import { deleteTrashedDashboards } from '../table/dashboard.sql.ts';
import { dropTrashOf } from './drop-table-trash.ts';
import type { TrashPlace } from './list-trash-items.ts';
import { destroyTrashedTable } from './destroy-trashed-table.ts';
import { selectTrashedTableIds } from './trash.sql.ts';

/** Table by table: a fault leaves the rest in the trash, and one that is restored meanwhile is left alone. */
export const resetTrashItems = async (context: Context, { resourceId, resourceType }: TrashPlace): Promise<void> => {
  const { db } = context;
  const stand = await demandAccess(
    db,
    context,
    { type: resourceType, id: resourceId, trashed: false },
    'table|trash_reset',
  );
  demandOwner(stand);
  const doer = doerOf(context);
  await writeAudit(db, doer, 'trash.emptied', { spaceIds: [stand.spaceId] }, { [`${resourceType}Id`]: resourceId });
  if (resourceType === 'table') {
    await forgetDeleted(db, { baseId: stand.baseId as string, id: resourceId });
    return dropTrashOf(context, resourceId);
  }
  const access = { ...context.access, baseId: resourceId, role: stand.role, rights: stand.rights };
  await (db as Db).transaction(async (tx) => {
    // A token that was made for tables alone leaves automations where they are.
    if (!can(access, 'automation|delete')) return;
    for (const { id, name } of await deleteTrashedAutomations(tx, resourceId))
      await writeAudit(tx, doer, 'automation.destroyed', { baseIds: [resourceId] }, { automationId: id, name });
  });
  await (db as Db).transaction(async (tx) => {
    if (!can(access, 'base|update')) return;
    for (const { id, name } of await deleteTrashedDashboards(tx, resourceId))
      await writeAudit(tx, doer, 'dashboard.destroyed', { baseIds: [resourceId] }, { dashboardId: id, name });
  });
  for (const tableId of await selectTrashedTableIds(db, resourceId)) {
    await destroyTrashedTable(context, stand.spaceId, { baseId: resourceId, tableId });
  }
};
