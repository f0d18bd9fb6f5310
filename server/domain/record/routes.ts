import { notFound } from '@rowhouse/contract/error.ts';
import * as attachment from '@rowhouse/contract/attachment.ts';
import { submitForm as submitFormEndpoint } from '@rowhouse/contract/form.ts';
import * as contract from '@rowhouse/contract/record.ts';
import * as filterLink from '@rowhouse/contract/filter-link.ts';
import * as selection from '@rowhouse/contract/selection.ts';
import * as viewOrder from '@rowhouse/contract/view-order.ts';
import { Answer, type AnswerText, guardedRoute, route, type Route } from '../../endpoint/route.ts';
import { createOnce } from './write/create-once.ts';
import { deleteRecords } from './write/delete-records.ts';
import { type DeletedSelection, deleteRanges, deleteSelection } from './write/delete-selection.ts';
import { deleteSelectionStream } from './write/delete-selection-stream.ts';
import { duplicateRecord } from './write/duplicate-record.ts';
import { getRecord } from './read/get-record.ts';
import { listFieldFilterRecords, listViewFilterRecords } from './read/list-filter-records.ts';
import { listRecords } from './read/list-records.ts';
import { clearRanges } from './selection/clear-ranges.ts';
import { copyRanges } from './selection/copy-ranges.ts';
import { getIdsOfRanges } from './selection/get-ids-of-ranges.ts';
import { pasteIntoRanges } from './selection/paste-into-ranges.ts';
import { previewPaste } from './selection/preview-paste.ts';
import { duplicateView } from './order/duplicate-view.ts';
import { moveRecords } from './order/move-records.ts';
import { sortManually } from './order/sort-manually.ts';
import { submitForm } from './write/submit-form.ts';
import { upsertRecords } from './write/upsert-records.ts';
import { insertAttachments, uploadAttachment } from './write/upload-attachment.ts';
import { updateRecord } from './write/update-record.ts';
import { updateOnce } from './write/update-once.ts';

const operationHeader = (operationId: string): Record<string, string> =>
  operationId === '' ? {} : { 'x-operation-id': operationId };

const manyRecords = 1_000;
const someRecords = 100;

function* encoded(parts: Iterable<string>): Generator<Buffer> {
  for (const part of parts) yield Buffer.from(part);
}

/** Texts that are sent are joined and encoded once more on their way, so a long one is sent as bytes; unless the addresses of files are yet to be put in. */
const bodyOf = (parts: Iterable<string>, records: number, isText: boolean): AnswerText => {
  if (records > manyRecords) return encoded(parts);
  const texts = [...parts];
  if (records < someRecords || isText) return texts.join('');
  const whole = Buffer.allocUnsafeSlow(texts.reduce((length, text) => length + Buffer.byteLength(text), 0));
  let at = 0;
  for (const text of texts) at += whole.write(text, at);
  return whole;
};

const selectionAnswer = ({ operationId, ids }: DeletedSelection): Answer =>
  new Answer({ body: { ids }, headers: operationHeader(operationId) });

export const recordRoutes: Route[] = [
  guardedRoute(selection.deleteSelection, async (request, { body }) =>
    selectionAnswer(await deleteSelection(request, body)),
  ),
  guardedRoute(selection.deleteSelectionStream, (request, { body }) => deleteSelectionStream(request, body)),
  guardedRoute(selection.patchSelectionStream, (request, { body }) => deleteSelectionStream(request, body)),
  guardedRoute(selection.deleteRanges, async (request, { query }) =>
    selectionAnswer(await deleteRanges(request, query)),
  ),
  guardedRoute(selection.getIdsOfRanges, (request, { query }) => getIdsOfRanges(request, query)),
  guardedRoute(selection.copyRanges, (request, { query }) => copyRanges(request, query)),
  guardedRoute(
    selection.clearRanges,
    async (request, { body }) => new Answer({ headers: operationHeader(await clearRanges(request, body)) }),
  ),
  route(selection.pasteIntoRanges, async (context, { body }) => {
    const { operationIds, answer } = await pasteIntoRanges(context, body);
    return new Answer({ body: answer, headers: operationHeader(operationIds.join(', ')) });
  }),
  guardedRoute(selection.previewPaste, (request, { body }) => previewPaste(request, body)),
  guardedRoute(contract.createRecords, async (request, { body, headers }) => {
    const { operationId, text, mayShowFiles } = await createOnce(
      request,
      body,
      headers['idempotency-key'] as string | undefined,
    );
    return new Answer({
      text: bodyOf(text, body.records.length, mayShowFiles !== false),
      headers: operationHeader(operationId),
      mayShowFiles,
    });
  }),
  guardedRoute(submitFormEndpoint, async (request, { body }) => {
    const { operationId, text } = await submitForm(request, body);
    return new Answer({ text, headers: operationHeader(operationId) });
  }),
  guardedRoute(contract.updateRecords, async (request, { body, headers }) => {
    const { operationId, records } = await updateOnce(request, body, headers['idempotency-key'] as string | undefined);
    return new Answer({ text: `[${records.join(',')}]`, headers: operationHeader(operationId) });
  }),
  guardedRoute(contract.upsertRecords, async (request, { body }) => {
    const { operationIds, text } = await upsertRecords(request, body);
    return new Answer({ text, headers: operationHeader(operationIds.join(', ')) });
  }),
  guardedRoute(contract.updateRecord, async (request, { params, body, headers }) => {
    const { operationId, records, versions } = await updateRecord(request, params.recordId, body, headers);
    if (records[0] === undefined) throw notFound('Record', params.recordId);
    const etag = versions[0] === undefined ? {} : { etag: `"${versions[0]}"` };
    return new Answer({ text: records[0], headers: { ...operationHeader(operationId), ...etag } });
  }),
  guardedRoute(contract.getRecord, async (request, { params, query }) => {
    const { tag, text } = await getRecord(request, params.recordId, query);
    return new Answer({ text, headers: { etag: tag } });
  }),
  guardedRoute(contract.listRecords, async (request, { query }) => new Answer(await listRecords(request, query))),
  guardedRoute(contract.deleteRecord, async (request, { params }) => {
    const { operationId, records } = await deleteRecords(request, [params.recordId]);
    return new Answer({ text: records[0] as string, headers: operationHeader(operationId) });
  }),
  guardedRoute(contract.deleteRecords, async (request, { query }) => {
    const { operationId, records } = await deleteRecords(request, query.recordIds);
    return new Answer({ text: `{"records":[${records.join(',')}]}`, headers: operationHeader(operationId) });
  }),
  guardedRoute(contract.duplicateRecord, async (request, { params, body }) => {
    const { operationId, text } = await duplicateRecord(request, params.recordId, body as never);
    return new Answer({ text, headers: operationHeader(operationId) });
  }),
  guardedRoute(attachment.insertAttachments, async (request, { params, body }) => {
    const { operationId, records } = await insertAttachments(request, params, body);
    return new Answer({ text: records[0] as string, headers: operationHeader(operationId) });
  }),
  guardedRoute(attachment.uploadAttachment, async (request, { params, body, headers }) => {
    const { operationId, records } = await uploadAttachment(request, params, body, headers);
    return new Answer({ text: records[0] as string, headers: operationHeader(operationId) });
  }),
  guardedRoute(filterLink.listViewFilterRecords, (request, { params }) =>
    listViewFilterRecords(request, params.viewId),
  ),
  guardedRoute(filterLink.listFieldFilterRecords, (request, { params }) =>
    listFieldFilterRecords(request, params.fieldId),
  ),
  guardedRoute(
    viewOrder.moveRecords,
    async (request, { params, body }) =>
      new Answer({ headers: operationHeader(await moveRecords(request, params.viewId, body)) }),
  ),
  route(viewOrder.duplicateView, (context, { params }) => duplicateView(context, params.tableId, params.viewId)),
  route(viewOrder.sortManually, (context, { params, body }) => sortManually(context, params, body)),
];
