import { can } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { readCursor } from './cursor.ts';
import { listTableTrash } from './list-table-trash.ts';
import { type TableContents, showTrash } from './show-trash.ts';
import { selectTrashedParts } from './trash.sql.ts';

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
  const stand = await demandAccess(
    context.db,
    context,
    { type: 'base', id: resourceId, trashed: false },
    'table|delete',
  );
  const access = { ...context.access, baseId: stand.baseId, role: stand.role, rights: stand.rights };
  const rows = await selectTrashedParts(
    context.db,
    {
      baseId: resourceId,
      withAutomations: can(access, 'automation|delete'),
      withDashboards: can(access, 'base|update'),
    },
    { after: readCursor(cursor), take: take + 1 },
  );
  return showTrash(context.db, context.principal, ({ kind }) => kind, rows, take);
};
