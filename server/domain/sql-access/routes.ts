import * as contract from '@rowhouse/contract/connection.ts';
import { querySql as queryEndpoint } from '@rowhouse/contract/sql-query.ts';
import { Answer, type Route, route } from '../../endpoint/route.ts';
import { createConnection } from './create-connection.ts';
import { deleteConnection } from './delete-connection.ts';
import { getConnection } from './get-connection.ts';
import { querySql } from './query-sql.ts';

export const sqlAccessRoutes: Route[] = [
  route(contract.createDbConnection, (context, { params }) => createConnection(context, params.baseId)),
  route(contract.getDbConnection, (context, { params }) => getConnection(context, params.baseId)),
  route(contract.deleteDbConnection, (context, { params }) => deleteConnection(context, params.baseId)),
  route(
    queryEndpoint,
    async (context, { params, body }) =>
      new Answer({ text: await querySql(context, params.baseId, body), mayShowFiles: false }),
  ),
];
