import * as contract from '@rowhouse/contract/history.ts';
import * as undoRedo from '@rowhouse/contract/undo-redo.ts';
import { Answer, guardedRoute, route, type Route } from '../../endpoint/route.ts';
import { listHistoryOfRecord, listHistoryOfTable } from './list-history.ts';
import { restoreHistory } from './restore-history.ts';
import { redo, undo } from './undo-step.ts';

export const historyRoutes: Route[] = [
  guardedRoute(
    contract.listTableHistory,
    async (request, { query }) => new Answer({ text: await listHistoryOfTable(request, query) }),
  ),
  guardedRoute(
    contract.listRecordHistory,
    async (request, { params, query }) =>
      new Answer({ text: await listHistoryOfRecord(request, params.recordId, query) }),
  ),
  route(contract.restoreHistory, async (context, { body }) => {
    const restored = await restoreHistory(context, body);
    return new Answer({
      body: restored,
      headers: restored.operationId === null ? {} : { 'x-operation-id': restored.operationId },
    });
  }),
  route(undoRedo.undo, (context, { headers, body }) => undo(context, headers, body)),
  route(undoRedo.redo, (context, { headers, body }) => redo(context, headers, body)),
];
