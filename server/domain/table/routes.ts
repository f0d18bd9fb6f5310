import * as contract from '@rowhouse/contract/table.ts';
import { type Route, route } from '../../http/route.ts';
import { createTable } from './create-table.ts';
import { deleteTable } from './delete-table.ts';
import { describeTable } from './describe-table.ts';
import { destroyTable } from './destroy-table.ts';
import { duplicateTable } from './duplicate-table.ts';
import { getDefaultViewId } from './get-default-view-id.ts';
import { getTable } from './get-table.ts';
import { getTablePermission } from './get-table-permission.ts';
import { listTables } from './list-tables.ts';
import { moveTable } from './move-table.ts';
import { renameTable } from './rename-table.ts';
import { setDbTableName } from './set-db-table-name.ts';
import { setTableIcon } from './set-table-icon.ts';

export const tableRoutes: Route[] = [
  // The body may be left out altogether, which the type of the contract cannot say.
  route(contract.createTable, (context, { body }) => createTable(context, body ?? {})),
  route(contract.listTables, (context, { params }) => listTables(context, params.baseId)),
  route(contract.getTable, (context, { params }) => getTable(context, params)),
  route(contract.getDefaultViewId, (context, { params }) => getDefaultViewId(context, params)),
  route(contract.getTablePermission, (context, { params }) => getTablePermission(context, params)),
  route(contract.renameTable, (context, { params, body }) => renameTable(context, params, body.name)),
  route(contract.setTableIcon, (context, { params, body }) => setTableIcon(context, params, body.icon)),
  route(contract.describeTable, (context, { params, body }) => describeTable(context, params, body.description)),
  route(contract.setDbTableName, (context, { params, body }) => setDbTableName(context, params, body.dbTableName)),
  route(contract.moveTable, (context, { params, body }) => moveTable(context, params, body)),
  route(contract.duplicateTable, (context, { params, body }) => duplicateTable(context, params, body)),
  route(contract.deleteTable, (context, { params }) => deleteTable(context, params)),
  route(contract.deleteTablePermanently, (context, { params }) => destroyTable(context, params)),
];
