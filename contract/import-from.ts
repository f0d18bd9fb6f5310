// Bases that come from Airtable or Teable.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Job } from './job.ts';
import { text } from './text.ts';

const secret = Type.String({ minLength: 1, maxLength: 2_000 });
const otherBaseId = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[0-9A-Za-z]+$',
  description: 'Id of the base there.',
});
const address = Type.String({ minLength: 8, maxLength: 500, description: 'A public http or https address.' });
const Objects = Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object' }), { maxItems: 100_000 });

export const ImportSource = Type.Union([
  Type.Object(
    {
      type: Type.Literal('airtable'),
      apiKey: Type.String({
        ...secret,
        description:
          'A personal access token with the scopes `schema.bases:read` and `data.records:read`. It is kept encrypted, and only for the job.',
      }),
      baseId: otherBaseId,
      url: Type.Optional(Type.String({ ...address, description: '`https://api.airtable.com` when absent.' })),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      type: Type.Literal('airtable-json'),
      tables: Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object' }), {
        maxItems: 1_000,
        description: '`tables` of the answer of Airtable’s metadata API.',
      }),
      records: Type.Record(Type.String({ maxLength: 100 }), Objects, {
        description:
          'Id of a table → its `records`, as Airtable answers them with `returnFieldsByFieldId=true`, or by the names of fields.',
      }),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    { type: Type.Literal('teable'), url: address, token: secret, baseId: otherBaseId },
    { additionalProperties: false },
  ),
]);
export type ImportSource = Static<typeof ImportSource>;

export const listOtherBases = endpoint({
  name: 'listOtherBases',
  method: 'POST',
  path: '/base/import-from/bases',
  summary: 'Which bases of Airtable or Teable a key opens',
  description:
    'To choose one for `import-from`. The key is used for this and not kept. Only public addresses are fetched from. It needs `base|create` on the space.',
  tag: 'import',
  access: { on: 'user', scope: 'base|create' },
  body: Type.Object({
    spaceId: Type.String({ maxLength: 100 }),
    source: Type.Union([
      Type.Object(
        { type: Type.Literal('airtable'), apiKey: secret, url: Type.Optional(address) },
        { additionalProperties: false },
      ),
      Type.Object({ type: Type.Literal('teable'), url: address, token: secret }, { additionalProperties: false }),
    ]),
  }),
  status: 200,
  response: Type.Object({ bases: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })) }),
});

export const importFrom = endpoint({
  name: 'importFrom',
  method: 'POST',
  path: '/base/import-from',
  summary: 'Make a base from one of Airtable or Teable',
  description:
    'Tables, fields of all types that there are here, links, lookups, attachments, and views as far as they can be told. Fields that are computed there in a way that is not known here become fields with their values. It is a job, which is answered: its `result` holds `baseId`, how many records each table got, and in `left` what was left out or became something else. Only public addresses are fetched from. It needs `base|create` on the space. A job that is interrupted begins again; what it had made until then is in the trash.',
  tag: 'import',
  access: { on: 'user', scope: 'base|create' },
  body: Type.Object({
    spaceId: Type.String({ maxLength: 100 }),
    name: Type.Optional(
      text({ minLength: 1, maxLength: 255, description: 'Of the base; the one it has there when absent.' }),
    ),
    source: ImportSource,
  }),
  status: 201,
  response: Job,
});
