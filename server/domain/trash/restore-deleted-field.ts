import { notFound } from '@rowhouse/contract/error.ts';
import { demand } from '../../catalog/access.ts';
import { selectEpoch } from '../../catalog/access.sql.ts';
import type { Context } from '../../context.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import type { DeletedField } from '../field/deleted-field.sql.ts';
import { restoreField } from '../field/restore-field.ts';
import { oldestVisible } from '../history/retention.ts';

export const restoreDeletedField = async (context: Context, trashId: string, { id, tableId, deletedTime }: DeletedField): Promise<void> => {
  const missing = notFound('Trash item', trashId);
  const epoch = await selectEpoch(context.db);
  const { spaceId, baseId, role } = await demandAccess(context.db, context, { type: 'table', id: tableId, trashed: false }, 'table|trash_update', missing);
  const there: Context = { ...context, access: { ...context.access, epoch, spaceId, baseId, tableId, role } };
  demand(there.access, 'field|create', tableId);
  const oldest = await oldestVisible(context.db, there);
  if (oldest !== null && Date.parse(deletedTime) < oldest.getTime()) throw missing;
  await restoreField(there, tableId, id, missing);
  context.live.changed(baseId as string);
};
