import * as contract from '@rowhouse/contract/record-template.ts';
import { Answer, guardedRoute, route, type Route } from '../../endpoint/route.ts';
import { createRecordFromTemplate } from './create-record-from-template.ts';
import { createRecordTemplate } from './create-record-template.ts';
import { deleteRecordTemplate } from './delete-record-template.ts';
import { listRecordTemplates } from './list-record-templates.ts';
import { restoreRecordTemplate } from './restore-record-template.ts';
import { updateRecordTemplate } from './update-record-template.ts';

export const recordTemplateRoutes: Route[] = [
  route(contract.listRecordTemplates, (context, { params }) => listRecordTemplates(context, params.tableId)),
  route(contract.createRecordTemplate, (context, { params, body }) =>
    createRecordTemplate(context, params.tableId, body),
  ),
  route(contract.updateRecordTemplate, (context, { params, body }) => updateRecordTemplate(context, params, body)),
  route(contract.deleteRecordTemplate, (context, { params }) => deleteRecordTemplate(context, params)),
  route(contract.restoreRecordTemplate, (context, { params }) => restoreRecordTemplate(context, params)),
  guardedRoute(contract.createRecordFromTemplate, async (request, { params, body }) => {
    const { operationId, text } = await createRecordFromTemplate(request, params, body ?? {});
    return new Answer({ text, headers: operationId === '' ? {} : { 'x-operation-id': operationId } });
  }),
];
