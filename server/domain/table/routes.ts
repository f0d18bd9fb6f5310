import { duplicateBase as duplicateBaseEndpoint } from '@rowhouse/contract/base.ts';
import { signAttachments } from '@rowhouse/contract/attachment.ts';
import { getBaseDiagram } from '@rowhouse/contract/diagram.ts';
import * as contract from '@rowhouse/contract/table.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { createTable } from './create-table.ts';
import { deleteTable } from './delete-table.ts';
import { describeTable, setTableIcon } from './update-table.ts';
import { destroyTable } from './destroy-table.ts';
import { duplicateBase } from './duplicate-base.ts';
import { duplicateTable } from './duplicate-table.ts';
import { demandInBase } from './find-table.ts';
import { getDiagram } from './get-diagram.ts';
import { getTablePermission } from './get-table-permission.ts';
import { moveTable } from './move-table.ts';
import { getDefaultViewId, getTable, listTables } from './read-tables.ts';
import { renameTable } from './rename-table.ts';
import { setDbTableName } from './set-db-table-name.ts';
import { signFiles } from './sign-files.ts';

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
  route(
    contract.listSearchIndexes,
    async (context, { params }) => (demandInBase(context, params), ['search' as const]),
  ),
  route(contract.toggleSearchIndex, async (context, { params }) => demandInBase(context, params)),
  route(contract.repairSearchIndex, async (context, { params }) => demandInBase(context, params)),
  route(getBaseDiagram, (context, { params }) => getDiagram(context, params.baseId)),
  route(signAttachments, (context, { params, body }) => signFiles(context, params.baseId, body)),
  // Copying a base means copying tables, which the domain of bases knows nothing of.
  route(duplicateBaseEndpoint, (context, { body }) => duplicateBase(context, body)),
];
