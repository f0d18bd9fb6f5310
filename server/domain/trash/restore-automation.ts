// An automation that was deleted comes back to its base, switched off: what it does while nobody looks is for a person to turn on.
import { notFound } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/db.ts';
import { lockTrashedAutomation, untrashAutomationRow } from '../automation/automation.sql.ts';
import { demandRoom } from '../automation/create-automation.ts';
import { lockPlace } from '../collaborator/collaborator.sql.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { tailOf } from './show-trash.ts';
import { selectTrashedAutomation } from './trash.sql.ts';

/** False: no automation in the trash has this id. */
export const restoreAutomation = async (context: Context, trashId: string): Promise<boolean> => {
  const found = await selectTrashedAutomation(context.db, `wfl${tailOf(trashId)}`);
  if (found === undefined) return false;
  const { id, baseId } = found;
  const missing = notFound('Trash item', trashId);
  await (context.db as Db).transaction(async (tx) => {
    await demandAccess(tx, context, { type: 'base', id: baseId, trashed: false }, 'automation|delete', missing);
    // Two that come back at once are counted one after the other.
    await lockPlace(tx, { type: 'base', id: baseId });
    const automation = await lockTrashedAutomation(tx, id);
    if (automation === undefined) throw missing;
    await demandRoom(tx, baseId);
    await untrashAutomationRow(tx, id);
    await writeAudit(
      tx,
      doerOf(context),
      'automation.restored',
      { baseIds: [baseId] },
      { baseId, automationId: id, name: automation.name },
    );
  });
  return true;
};
