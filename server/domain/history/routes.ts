import * as contract from '@rowhouse/contract/history.ts';
import { Answer, route, type Route } from '../../endpoint/route.ts';
import { listHistoryOfRecord, listHistoryOfTable } from './list-history.ts';
import { restoreHistory } from './restore-history.ts';

export const historyRoutes: Route[] = [
  route(contract.listTableHistory, (context, { query }) => listHistoryOfTable(context, query)),
  route(contract.listRecordHistory, (context, { params, query }) => listHistoryOfRecord(context, params.recordId, query)),
  route(contract.restoreHistory, async (context, { body }) => {
    const restored = await restoreHistory(context, body);
    return new Answer({ body: restored, headers: restored.operationId === null ? {} : { 'x-operation-id': restored.operationId } });
  }),
];
