// Adds files to a cell: one that comes with the request or is fetched, and ones that are here already.
import type { IncomingHttpHeaders } from 'node:http';
import type {
  insertAttachments as insertEndpoint,
  uploadAttachment as endpoint,
} from '@rowhouse/contract/attachment.ts';
import type { BodyOf, ParamsOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError, invalid, notFound } from '@rowhouse/contract/error.ts';
import { type Sight, sightForUse } from '../../../catalog/sight.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import type { Context, Unconfirmed } from '../../../context.ts';
import { guardedRead, seen, type TableAccess } from '../../../pipeline/pipeline.ts';
import { fieldTypeOf } from '../../cell/types.ts';
import { fetchFile } from '../../file/fetch-file.ts';
import type { FileFacts } from '../../file/file.ts';
import { keepFile } from '../../file/keep-file.ts';
import { readForm } from '../../file/read-form.ts';
import { selectRecords } from '../read/read.sql.ts';
import { changeRecords, type Updated } from './update-records.ts';

type Params = ParamsOf<typeof endpoint>;

/** A form has something around its file: at most so much is not counted before it is there. */
const around = 4_096;

const fieldOf = (sight: Sight, fieldId: string): FieldSchema => {
  const field = sight.byId.get(fieldId);
  if (field === undefined) throw notFound('Field', fieldId);
  if (fieldTypeOf(field.type).namesFiles !== true)
    throw invalid({
      path: 'fieldId',
      message: `"${field.name}" is of type ${field.type}`,
      expected: 'the id of an attachment field',
    });
  return field;
};

interface Present {
  version: number;
  cell: unknown[];
}

const presentCell = (request: Unconfirmed, { recordId, fieldId }: Params): Promise<Present> =>
  guardedRead(request, async (context, sight) => {
    const field = fieldOf(sight, fieldId);
    const [row] = await selectRecords(context.db, sightForUse(sight), [recordId], {
      fields: [field],
      keyType: 'id',
      format: 'json',
    });
    if (row === undefined) throw notFound('Record', recordId);
    const { fields } = JSON.parse(`${row.json}}`) as { fields: Record<string, unknown[]> };
    return seen(context, sight, { version: row.version, cell: fields[fieldId] ?? [] });
  });

const fetched = async (context: Context, spaceId: string, url: string): Promise<FileFacts> => {
  const { body, size, mimetype, name, cancel } = await fetchFile(url, { anywhere: context.config.fetchPrivate });
  try {
    return await keepFile(context, spaceId, { body, name, mimetype, atLeast: size ?? 0 });
  } finally {
    cancel();
  }
};

const receive = async (
  context: Context,
  body: AsyncIterable<Buffer>,
  headers: IncomingHttpHeaders,
): Promise<FileFacts> => {
  const { spaceId } = context.access as TableAccess;
  const part = await readForm(body, headers['content-type'], 'file', 'fileUrl');
  if ('url' in part) return fetched(context, spaceId, part.url);
  return keepFile(context, spaceId, {
    ...part.file,
    atLeast: Math.max(0, Number(headers['content-length'] ?? 0) - around),
  });
};

/** Others may add to the same cell meanwhile: nobody's file is lost. */
const change = async (
  request: Unconfirmed,
  params: Params,
  edit: (cell: readonly unknown[]) => unknown[],
): Promise<Updated> => {
  for (;;) {
    const { version, cell } = await presentCell(request, params);
    try {
      return await changeRecords(request, {
        rows: [{ id: params.recordId, fields: { [params.fieldId]: edit(cell) } }],
        keyType: 'id',
        typecast: false,
        match: { read: version },
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'precondition_failed') throw error;
    }
  }
};

export const insertAttachments = (
  request: Unconfirmed,
  params: Params,
  { attachments, anchorId }: BodyOf<typeof insertEndpoint>,
): Promise<Updated> =>
  change(request, params, (cell) => {
    if (anchorId === undefined) return [...cell, ...attachments];
    const at = cell.findIndex((file) => (file as { id: string }).id === anchorId);
    if (at === -1)
      throw invalid({
        path: 'anchorId',
        message: `no file ${JSON.stringify(anchorId)} is in the cell`,
        expected: 'the id of a file in it, such as "act…"; without it they are put behind all others',
      });
    return [...cell.slice(0, at + 1), ...attachments, ...cell.slice(at + 1)];
  });

export const uploadAttachment = async (
  request: Unconfirmed,
  params: Params,
  body: AsyncIterable<Buffer>,
  headers: IncomingHttpHeaders,
): Promise<Updated> => {
  // Whatever can be refused is refused before anything is read.
  await presentCell(request, params);
  const { token, name } = await receive(request.unconfirmed, body, headers);
  return change(request, params, (cell) => [...cell, { token, name }]);
};
