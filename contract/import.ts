// Tables from files: CSV, TSV, XLSX and JSON.
import { type Static, Type } from 'typebox';
import { DateOrder } from './date-order.ts';
import { endpoint } from './endpoint.ts';
import { FieldTypeName, Name } from './field.ts';
import { FullTable } from './table.ts';

const tag = 'import';
const attachmentUrl = Type.String({
  minLength: 1,
  maxLength: 4_000,
  description: '`presignedUrl` or `url` of an uploaded file, as `/attachments/notify` answers it.',
});
export const ImportFileType = Type.Enum(['csv', 'excel', 'json'], {
  description:
    '`csv` also for values that are separated by tabs, semicolons or bars; `json` for a list of objects, or one object on each line: its columns are the keys, and it has no row of names.',
});
export type ImportFileType = Static<typeof ImportFileType>;
const key = { maxLength: 255 };
const column = { type: FieldTypeName, name: Name };
const baseId = Type.String({ maxLength: 100, description: 'Id of the base.' });
const index = Type.Integer({ minimum: 0, maximum: 10_000 });
const headerRow = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 100,
    description:
      'Which row of the file holds the names, from 1 on; those above it are left out. 0: none does. Without it the first row holds them.',
  }),
);
const options = Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Of the field.' }));

export const analyzeImport = endpoint({
  name: 'analyzeImport',
  method: 'GET',
  path: '/import/analyze',
  summary: 'What a file would become',
  description:
    'The names are those of the first row or of `headerRow`, the types those that fit all values of the next 5,000.',
  tag,
  access: { on: 'user' },
  query: Type.Object({ attachmentUrl, fileType: ImportFileType, headerRow }),
  status: 200,
  response: Type.Object({
    worksheets: Type.Record(
      Type.String(),
      Type.Object({
        name: Type.String(),
        columns: Type.Array(Type.Object({ type: FieldTypeName, name: Type.String(), options })),
        sample: Type.Array(Type.Array(Type.String()), { description: 'The first rows of the file, with the names.' }),
      }),
    ),
  }),
});

export const importTables = endpoint({
  name: 'importTables',
  method: 'POST',
  path: '/import/:baseId',
  summary: 'Make tables from a file',
  description:
    'Answers the tables, empty; their records follow in jobs, whose ids are in the header `X-Job-Id`, in the order of the tables. Values are converted to the type of their column; what does not fit is left out and listed in the `result` of the job.',
  tag,
  access: { on: 'base', action: 'base|table_import' },
  params: Type.Object({ baseId }),
  body: Type.Object({
    attachmentUrl,
    fileType: ImportFileType,
    tz: Type.String({ minLength: 1, maxLength: 100, description: 'Time zone of dates, such as `Europe/Berlin`.' }),
    worksheets: Type.Record(
      Type.String(key),
      Type.Object({
        name: Name,
        columns: Type.Array(Type.Object({ ...column, sourceColumnIndex: index, options }), { maxItems: 500 }),
        useFirstRowAsHeader: Type.Boolean({ description: 'The first row holds names and is left out.' }),
        headerRow,
        importData: Type.Boolean({ description: 'False: only the table, without records.' }),
      }),
    ),
    dateOrder: Type.Optional(DateOrder),
    notification: Type.Optional(Type.Boolean({ description: 'Taken from clients that send it, and not used.' })),
  }),
  status: 201,
  response: Type.Array(FullTable),
});

export const importRecords = endpoint({
  name: 'importRecords',
  method: 'PATCH',
  path: '/import/:baseId/:tableId',
  summary: 'Add the rows of a file to a table',
  description:
    'They are added by a job, whose id is in the header `X-Job-Id`. It can be cancelled; what it has added until then stays. `operationIds` in its `result` undo it. With `matchFieldIds` rows update the records that are there already.',
  tag,
  access: { on: 'table', action: 'table|import' },
  params: Type.Object({ baseId, tableId: Type.String({ maxLength: 100, description: 'Id of the table.' }) }),
  body: Type.Object({
    attachmentUrl,
    fileType: ImportFileType,
    insertConfig: Type.Object({
      sourceWorkSheetKey: Type.String(key),
      excludeFirstRow: Type.Boolean(),
      headerRow,
      matchFieldIds: Type.Optional(
        Type.Array(Type.String({ maxLength: 100 }), {
          maxItems: 3,
          description:
            'Update by a key: a row changes the record whose cells of these fields are the same, and is added when there is none. Of several rows with the same key the last one counts; a row without a key is added.',
        }),
      ),
      sourceColumnMap: Type.Record(Type.String({ maxLength: 100 }), Type.Union([index, Type.Null()]), {
        description: 'Field id → column of the file, from 0 on; null leaves the field empty.',
      }),
    }),
    dateOrder: Type.Optional(DateOrder),
    notification: Type.Optional(Type.Boolean()),
  }),
  status: 200,
});
