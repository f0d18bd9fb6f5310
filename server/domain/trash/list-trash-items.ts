import type { Context } from '../../context.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { readCursor } from './cursor.ts';
import { listTableTrash } from './list-table-trash.ts';
import { type TableContents, showTrash } from './show-trash.ts';
import { selectTrashedTables } from './trash.sql.ts';

const take = 100;

export interface TrashPlace {
  resourceId: string;
  resourceType: 'base' | 'table';
  cursor?: string;
}

export const listTrashItems = async (
  context: Context,
  { resourceId, resourceType, cursor }: TrashPlace,
): Promise<TableContents> => {
  if (resourceType === 'table') return listTableTrash(context, resourceId, cursor);
  await demandAccess(context.db, context, { type: 'base', id: resourceId, trashed: false }, 'table|delete');
  const rows = await selectTrashedTables(context.db, resourceId, { after: readCursor(cursor), take: take + 1 });
  return showTrash(context.db, context.principal, 'table', rows, take);
};
