import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type * as contract from '@rowhouse/contract/node.ts';
import { can, demand, demandOwner } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import {
  deleteDashboard,
  destroyDashboard,
  duplicateDashboard,
  renameDashboard,
} from '../dashboard/change-dashboard.ts';
import { deleteTable } from '../table/delete-table.ts';
import { destroyTable } from '../table/destroy-table.ts';
import { selectDashboardBase } from '../table/dashboard.sql.ts';
import { duplicateTable } from '../table/duplicate-table.ts';
import { renameTable } from '../table/rename-table.ts';
import { selectIsTrashed } from '../table/table.sql.ts';
import { setTableIcon } from '../table/update-table.ts';
import { findNodeFor } from './demand-node-right.ts';
import { deleteEmptyFolder, renameFolder } from './folders.ts';
import { getNode, nodeIdOf, resourceIdsOf } from './read-nodes.ts';

export const updateNode = async (
  context: Context,
  baseId: string,
  nodeId: string,
  { name, icon }: BodyOf<typeof contract.updateNode>,
): Promise<contract.BaseNode> => {
  const { kind, id } = await findNodeFor(context, baseId, nodeId, { folder: 'base|update', table: 'table|update' });
  if (kind !== 'table' && icon != null)
    throw invalid({ path: 'icon', message: `A ${kind} has no icon`, expected: 'a name alone' });
  if (name !== undefined)
    await (kind === 'folder'
      ? renameFolder(context, baseId, id, name)
      : kind === 'dashboard'
        ? renameDashboard(context, { baseId, dashboardId: id }, name)
        : renameTable(context, { baseId, tableId: id }, name));
  if (kind === 'table' && icon !== undefined) await setTableIcon(context, { baseId, tableId: id }, icon);
  return getNode(context, baseId, nodeId);
};

export const duplicateNode = async (
  context: Context,
  baseId: string,
  nodeId: string,
  { name, includeRecords = false }: BodyOf<typeof contract.duplicateNode>,
): Promise<contract.BaseNode> => {
  const { kind, id } = await findNodeFor(context, baseId, nodeId, { folder: 'table|create', table: 'table|create' });
  if (kind === 'folder')
    throw invalid({
      path: 'nodeId',
      message: 'A folder cannot be duplicated',
      expected: 'the node of a table or dashboard',
    });
  if (kind === 'dashboard') {
    const { id: copyId } = await duplicateDashboard(context, { baseId, dashboardId: id }, name);
    return getNode(context, baseId, nodeIdOf(copyId));
  }
  const wanted = name ?? (await getNode(context, baseId, nodeId)).resourceMeta.name;
  const copy = await duplicateTable(context, { baseId, tableId: id }, { name: wanted, includeRecords });
  return getNode(context, baseId, nodeIdOf(copy.id));
};

type Deleted = ResponseOf<typeof contract.deleteNode>;

export const deleteNode = async (context: Context, baseId: string, nodeId: string): Promise<Deleted> => {
  const { kind, id } = await findNodeFor(context, baseId, nodeId, { folder: 'base|update', table: 'table|delete' });
  if (kind === 'folder') await deleteEmptyFolder(context, baseId, id);
  else if (kind === 'dashboard') await deleteDashboard(context, { baseId, dashboardId: id });
  else await deleteTable(context, { baseId, tableId: id });
  return { resourceId: id, resourceType: kind, permanent: kind === 'folder' };
};

/** Also of what is in the trash. */
export const deleteNodePermanently = async (context: Context, baseId: string, nodeId: string): Promise<Deleted> => {
  const { access, db } = context;
  const ids = resourceIdsOf(nodeId);
  const tableId = ids?.tableId;
  if (
    tableId !== undefined &&
    can(access, 'table|delete') &&
    (await selectIsTrashed(db, baseId, tableId)) !== undefined
  ) {
    demandOwner(access);
    await destroyTable(context, { baseId, tableId });
    return { resourceId: tableId, resourceType: 'table', permanent: true };
  }
  if (ids !== undefined && can(access, 'base|update') && (await selectDashboardBase(db, ids.dashboardId)) === baseId) {
    demandOwner(access);
    await destroyDashboard(context, { baseId, dashboardId: ids.dashboardId });
    return { resourceId: ids.dashboardId, resourceType: 'dashboard', permanent: true };
  }
  const { kind, id } = await findNodeFor(context, baseId, nodeId, { folder: 'base|update', table: 'table|delete' });
  if (kind !== 'folder') throw notFound('Node', nodeId.slice(0, 50));
  demand(access, 'base|update', id);
  await deleteEmptyFolder(context, baseId, id);
  return { resourceId: id, resourceType: kind, permanent: true };
};
