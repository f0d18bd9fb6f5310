import * as contract from '@rowhouse/contract/history.ts';
import { Answer, guardedRoute, route, type Route } from '../../endpoint/route.ts';
import { listHistoryOfRecord, listHistoryOfTable } from './list-history.ts';
import { restoreHistory } from './restore-history.ts';

export const historyRoutes: Route[] = [
  guardedRoute(contract.listTableHistory, (request, { query }) => listHistoryOfTable(request, query)),
  guardedRoute(contract.listRecordHistory, (request, { params, query }) => listHistoryOfRecord(request, params.recordId, query)),
  route(contract.restoreHistory, async (context, { body }) => {
    const restored = await restoreHistory(context, body);
    return new Answer({ body: restored, headers: restored.operationId === null ? {} : { 'x-operation-id': restored.operationId } });
  }),
];
