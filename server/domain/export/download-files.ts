// GET /table/:tableId/record/:recordId/:fieldId/downloadAttachments
import type { Attachment, downloadAttachments as endpoint } from '@rowhouse/contract/attachment.ts';
import type { ParamsOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { Unconfirmed } from '../../context.ts';
import { StreamAnswer } from '../../endpoint/route.ts';
import { guardedRead, seen } from '../../pipeline/pipeline.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { selectFiles, selectUsed } from '../file/file.sql.ts';
import type { Storage } from '../../stored-files.ts';
import { selectRecords } from '../record/read/read.sql.ts';
import { archiveNames } from './archive-names.ts';
import { zip } from './zip.ts';

/** With what an archive holds besides. */
const mostBytes = 4_200_000_000;

interface Chosen {
  title: string;
  files: { name: string; token: string; size: number }[];
  storage: Storage;
}

const choose = (request: Unconfirmed, { recordId, fieldId }: ParamsOf<typeof endpoint>): Promise<Chosen> =>
  guardedRead(request, async (context, sight) => {
    const field = sight.byId.get(fieldId);
    if (field === undefined) throw notFound('Field', fieldId);
    if (fieldTypeOf(field.type).namesFiles !== true)
      throw invalid({
        path: 'fieldId',
        message: `"${field.name}" is of type ${field.type}`,
        expected: 'the id of an attachment field',
      });
    const [row] = await selectRecords(context.db, sight, [recordId], {
      fields: [field],
      keyType: 'id',
      format: 'json',
    });
    if (row === undefined) throw notFound('Record', recordId);
    const { fields } = JSON.parse(`${row.json}}`) as { fields: Record<string, Attachment[]> };
    const mentions = (fields[fieldId] ?? []).flat();
    const used = await selectUsed(
      context.db,
      context.access.baseId,
      mentions.map(({ token }) => token),
    );
    const known = new Map((await selectFiles(context.db, used)).map((file) => [file.token, file]));
    const files = mentions.flatMap(({ name, token }) =>
      known.has(token) ? [{ name, token, size: known.get(token)?.size ?? 0 }] : [],
    );
    return seen(context, sight, { title: field.name, files, storage: context.files.storage });
  });

export const downloadAttachments = async (
  request: Unconfirmed,
  params: ParamsOf<typeof endpoint>,
): Promise<StreamAnswer> => {
  const { title, files, storage } = await choose(request, params);
  if (files.reduce((sum, { size }) => sum + size, 0) > mostBytes)
    throw invalid({
      path: 'recordId',
      message: 'The files have more than 4 GB in all',
      expected: 'fewer files; they can be downloaded one by one',
    });
  const names = archiveNames(files.map(({ name }) => name));
  const entries = files.map(({ token, size }, at) => ({
    name: names[at] as string,
    body: storage.read(token, 0, size - 1),
  }));
  return new StreamAnswer(zip(entries), {
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(archiveNames([title])[0] as string).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}.zip`,
  });
};
