import * as contract from '@rowhouse/contract/record.ts';
import * as viewOrder from '@rowhouse/contract/view-order.ts';
import { Answer, route, type Route } from '../../http/route.ts';
import { createOnce } from './create-once.ts';
import { deleteRecords } from './delete-records.ts';
import { duplicateRecord } from './duplicate-record.ts';
import { getRecord } from './get-record.ts';
import { listRecords } from './list-records.ts';
import { moveRecords } from './move-records.ts';
import { sortManually } from './sort-manually.ts';
import { updateRecord } from './update-record.ts';
import { updateRecords } from './update-records.ts';

const operationHeader = (operationId: string): Record<string, string> => (operationId === '' ? {} : { 'x-operation-id': operationId });

const manyRecords = 1_000;

function* encoded(parts: Iterable<string>): Generator<Buffer> {
  for (const part of parts) yield Buffer.from(part);
}

export const recordRoutes: Route[] = [
  route(
    contract.createRecords,
    async (context, { body, headers }) => {
      const { operationId, text } = await createOnce(context, body, headers['idempotency-key'] as string | undefined);
      return new Answer({ text: body.records.length > manyRecords ? encoded(text) : [...text].join(''), headers: operationHeader(operationId) });
    },
    { guarded: true },
  ),
  route(
    contract.updateRecords,
    async (context, { body }) => {
      const { operationId, records } = await updateRecords(context, body);
      return new Answer({ text: `[${records.join(',')}]`, headers: operationHeader(operationId) });
    },
    { guarded: true },
  ),
  route(
    contract.updateRecord,
    async (context, { params, body, headers }) => {
      const { operationId, records, versions } = await updateRecord(context, params.recordId, body, headers['if-match']);
      return new Answer({ text: records[0] as string, headers: { ...operationHeader(operationId), etag: `"${versions[0]}"` } });
    },
    { guarded: true },
  ),
  route(
    contract.getRecord,
    async (context, { params, query }) => {
      const { version, text } = await getRecord(context, params.recordId, query);
      return new Answer({ text, headers: { etag: `"${version}"` } });
    },
    { guarded: true },
  ),
  route(contract.listRecords, async (context, { query }) => new Answer(await listRecords(context, query)), { guarded: true }),
  route(
    contract.deleteRecord,
    async (context, { params }) => {
      const { operationId, records } = await deleteRecords(context, [params.recordId]);
      return new Answer({ text: records[0] as string, headers: operationHeader(operationId) });
    },
    { guarded: true },
  ),
  route(
    contract.deleteRecords,
    async (context, { query }) => {
      const { operationId, records } = await deleteRecords(context, query.recordIds);
      return new Answer({ text: `{"records":[${records.join(',')}]}`, headers: operationHeader(operationId) });
    },
    { guarded: true },
  ),
  route(
    contract.duplicateRecord,
    async (context, { params, body }) => {
      const { operationId, text } = await duplicateRecord(context, params.recordId, body as never);
      return new Answer({ text, headers: operationHeader(operationId) });
    },
    { guarded: true },
  ),
  route(viewOrder.moveRecords, (context, { params, body }) => moveRecords(context, params, body)),
  route(viewOrder.sortManually, (context, { params, body }) => sortManually(context, params, body)),
];
