import type { ApiError } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { demandAccess } from '../collaborator/demand-access.ts';

/** The request as one to a table that its address does not name. */
export const atTable = async (context: Context, tableId: string, action: 'table|trash_read' | 'table|trash_update', missing?: ApiError): Promise<Context> => {
  const { spaceId, baseId, role, epoch } = await demandAccess(context.db, context, { type: 'table', id: tableId, trashed: false }, action, missing);
  return { ...context, access: { ...context.access, epoch, spaceId, baseId, tableId, role }, refresh: async () => (await atTable(context, tableId, action, missing)).access };
};
