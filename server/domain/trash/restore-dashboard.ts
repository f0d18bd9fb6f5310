// A dashboard that was deleted comes back to its base, at the end and with a name that is free.
import { notFound } from '@rowhouse/contract/error.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { noteDashboard, noteTables } from '../../catalog/table.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { lastPosition, readTree, settleTree } from '../table/arrange.ts';
import { selectDashboards, selectTrashedDashboard, untrashDashboard } from '../table/dashboard.sql.ts';
import { lockBase } from '../table/find-table.ts';
import { tailOf } from './show-trash.ts';

/** False: no dashboard in the trash has this id. */
export const restoreDashboard = async (context: Context, trashId: string): Promise<boolean> => {
  const id = `dsh${tailOf(trashId)}`;
  const found = await selectTrashedDashboard(context.db, id);
  if (found === undefined) return false;
  const { baseId } = found;
  const missing = notFound('Trash item', trashId);
  await retriedTransaction(context.db, async (tx) => {
    await demandAccess(tx, context, { type: 'base', id: baseId, trashed: false }, 'base|update', missing);
    await lockBase(tx, baseId);
    const trashed = await selectTrashedDashboard(tx, id);
    if (trashed === undefined) throw missing;
    const name = uniqueName(
      trashed.name,
      (await selectDashboards(tx, baseId)).map((one) => one.name),
    );
    await untrashDashboard(tx, id, name, lastPosition(await readTree(tx, baseId)) + 1);
    await settleTree(tx, baseId);
    await writeAudit(
      tx,
      doerOf(context),
      'dashboard.restored',
      { baseIds: [baseId] },
      { baseId, dashboardId: id, name },
    );
    await noteDashboard(tx, baseId, id, context.principal.userId);
    await noteTables(tx, baseId, context.principal.userId);
  });
  context.live.changed(baseId);
  return true;
};
