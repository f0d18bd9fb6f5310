// A whole base as one file, and back.
import { Type } from 'typebox';
import { endpoint, stream } from './endpoint.ts';

const tag = 'base';
const Ids = Type.Record(Type.String(), Type.String());

export const exportBase = endpoint({
  name: 'exportBase',
  method: 'GET',
  path: '/base/:baseId/export',
  summary: 'Export a base as one file',
  description:
    'Everything in it: tables, fields, views, records, links, files, what is in the trash, and the history unless `history=false`; not who may see it. It is the file that `rowhouse backup --base` writes. A job makes it, whose id is in the header `X-Job-Id`; when it is done, `url` in its `result` is where the file is read for a day, and only the one who asked sees it. Also needs `table|export`, `record|read` and `table_record_history|read`.',
  tag,
  access: { on: 'base', action: 'base|update' },
  params: Type.Object({ baseId: Type.String({ maxLength: 100, description: 'Id of the base.' }) }),
  query: Type.Object({
    history: Type.Optional(
      Type.Boolean({ description: 'False: without history and without deleted records. Default true.' }),
    ),
  }),
  status: 200,
});

export const importBase = endpoint({
  name: 'importBase',
  method: 'POST',
  path: '/base/import',
  summary: 'Make a base from a file',
  description:
    'From a file that `/base/{baseId}/export` or `rowhouse backup --base` made, here or elsewhere, and that was uploaded before. Base, tables, fields, views and files get new ids; records keep theirs. It is done by a job, whose id is in the header `X-Job-Id`: of a small file it is over when this is answered. It needs `base|create` on the space.',
  tag,
  access: { on: 'user', scope: 'base|create' },
  body: Type.Object({
    notify: Type.Object(
      { token: Type.String({ maxLength: 50 }) },
      { description: 'What `/attachments/notify` answered; its `token` counts.' },
    ),
    spaceId: Type.String({ maxLength: 100 }),
  }),
  status: 201,
  response: Type.Object({
    base: Type.Object({
      id: Type.String(),
      name: Type.String(),
      icon: Type.Union([Type.String(), Type.Null()]),
      spaceId: Type.String(),
    }),
    tableIdMap: Type.Unsafe<Record<string, string>>({ ...Ids, description: 'Id in the file → new id.' }),
    fieldIdMap: Ids,
    viewIdMap: Ids,
  }),
});

export const importBaseStream = endpoint({
  name: 'importBaseStream',
  method: 'POST',
  path: '/base/import-stream',
  summary: 'Make a base from a file, and tell how far it is',
  description:
    'As `POST /base/import`, answered with lines of Server-Sent Events: `data: {"type": "progress", "phase", "processedRows"?, "totalRows"?}` while it is made, then `{"type": "done", "data"}` with the answer of `POST /base/import`, or `{"type": "error", "message"}`. What can be refused at once is refused with a status, before the stream begins. The base is made by a job: it goes on when the connection ends.',
  tag,
  access: { on: 'user', scope: 'base|create' },
  body: importBase.body,
  status: 200,
  response: stream('text/event-stream'),
});
