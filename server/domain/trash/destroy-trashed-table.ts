import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';

import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { selectSpaceId } from '../plan/count-rows.sql.ts';
import { destroyTableIn } from '../table/destroy-table.ts';
import type { TablePath } from '../table/find-table.ts';
import { closeLinks } from '../table/related-tables.ts';
import { lockTrashedTable } from './trash.sql.ts';

/** False when it is not in the trash any more: one that was restored meanwhile is left alone. */
export const destroyTrashedTable = async (
  context: Context,
  spaceId: string,
  { baseId, tableId }: TablePath,
): Promise<boolean> => {
  const isGone = await retriedTransaction(context.db, async (tx) => {
    await closeLinks(tx, baseId);
    if (!(await lockTrashedTable(tx, tableId))) return false;
    await destroyTableIn(tx, { baseId, tableId });
    await writeAudit(tx, doerOf(context), 'table.destroyed', { spaceIds: [spaceId] }, { baseId, tableId });
    await bumpEpochs(tx, [await selectSpaceId(tx, baseId)]);
    return true;
  });
  if (isGone) context.catalog.forget(tableId);
  return isGone;
};
