// What is done with records and cells that were selected in a view: by place, by name, or all of them.
import { type Static, Type } from 'typebox';
import { endpoint, stream } from './endpoint.ts';
import { Field } from './field.ts';
import { arranging, finding } from './query.ts';

const TableParams = Type.Object({ tableId: Type.String() });
const Deleted = Type.Object({
  ids: Type.Array(Type.String(), { description: 'Of the records that were deleted, in the order of the view' }),
});

const ids = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 1_000_000, description }));

const Selected = Type.Object({
  ...finding,
  ...arranging,
  selection: Type.Object({
    recordIds: ids('These records'),
    excludeRecordIds: ids('All records of the query but these'),
  }),
});

export const deleteSelection = endpoint({
  name: 'deleteSelection',
  method: 'POST',
  path: '/table/:tableId/selection/delete-by-id',
  summary: 'Delete selected records',
  description:
    'Any number of records in one request and one operation: those that are named, or all that the view and the query show without those that are excluded. All or nothing. `X-Operation-Id` of the answer brings all of them back.',
  tag: 'Selection',
  access: { on: 'table', action: 'record|delete' },
  params: TableParams,
  body: Selected,
  status: 201,
  response: Deleted,
});

/** One event of `deleteSelectionStream`. */
export const DeletionEvent = Type.Union([
  Type.Object({ id: Type.Literal('progress'), processedCount: Type.Integer(), totalCount: Type.Integer() }),
  Type.Object({
    id: Type.Literal('done'),
    processedCount: Type.Integer(),
    totalCount: Type.Integer(),
    data: Deleted,
    operationId: Type.Optional(Type.String()),
  }),
  Type.Object({ id: Type.Literal('error'), code: Type.String(), message: Type.String() }),
]);
export type DeletionEvent = Static<typeof DeletionEvent>;

export const deleteSelectionStream = endpoint({
  name: 'deleteSelectionStream',
  method: 'POST',
  path: '/table/:tableId/selection/delete-by-id-stream',
  summary: 'Delete selected records, and tell how far it is',
  description:
    'As `delete-by-id`, for many records. The answer is a stream of `data:` lines with JSON. `{"id":"progress","processedCount","totalCount"}`: so many are deleted; nobody sees that before all are. `{"id":"done","data":{"ids"},"operationId"}`: all are. `{"id":"error","code","message"}`: none is. It may go back to 0 when somebody changed the table meanwhile. When the client hangs up before that, nothing is deleted, as everywhere.',
  tag: 'Selection',
  access: { on: 'table', action: 'record|delete' },
  params: TableParams,
  body: Selected,
  status: 200,
  response: stream('text/event-stream'),
});

export const patchSelectionStream = endpoint({
  name: 'patchSelectionStream',
  method: 'PATCH',
  path: '/table/:tableId/selection/delete-by-id-stream',
  summary: 'The same, by the method that clients of Teable use',
  description: 'As `POST …/selection/delete-by-id-stream`.',
  tag: 'Selection',
  access: { on: 'table', action: 'record|delete' },
  params: TableParams,
  body: Selected,
  status: 200,
  response: stream('text/event-stream'),
});

const rangeType = Type.Optional(
  Type.Enum(['rows', 'columns'], { description: 'What `ranges` counts; cells when absent' }),
);

const columnLimits = {
  projection: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 500,
      description: 'Only these fields count as columns, by id; all that the view shows when absent',
    }),
  ),
  excludeFieldIds: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), { maxItems: 500, description: 'These fields do not count as columns' }),
  ),
};

const inQuery = {
  ...finding,
  ...arranging,
  type: rangeType,
  ranges: Type.String({
    maxLength: 20_000,
    description:
      'JSON. Cells: `[[column, row], [column, row]]`, the corners. Rows or columns: a list of `[from, to]`. All inclusive, from 0; a range of columns means every record.',
  }),
};

/** In a body, what a query string has as JSON text may be JSON. */
const asJson = (description: string) => Type.Optional(Type.Unknown({ description }));

const inBody = {
  ...finding,
  ...arranging,
  ...columnLimits,
  filter: asJson('A filter, added to the one of the view'),
  orderBy: asJson('A sort, which goes before the one of the view'),
  groupBy: asJson('Groups in place of those of the view'),
  search: asJson('What to search for, in which fields, and whether other records are left out'),
  type: rangeType,
  ranges: Type.Array(Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2 }), {
    minItems: 1,
    maxItems: 2_000,
    description:
      'Cells: the two corners, `[column, row]` each. Rows or columns: a list of `[from, to]`. All inclusive, from 0',
  }),
};

const content = {
  content: Type.Union(
    [
      Type.String({ maxLength: 20_000_000 }),
      Type.Array(Type.Array(Type.Unknown(), { maxItems: 500 }), { maxItems: 50_000 }),
    ],
    {
      description: 'Text with a tab between cells and a line for each row, or rows of cell values',
    },
  ),
  header: Type.Optional(
    Type.Array(
      Type.Object(
        { name: Type.String({ maxLength: 1_000 }), type: Type.String({ maxLength: 50 }) },
        { additionalProperties: true },
      ),
      { maxItems: 500, description: 'The fields that the columns were copied from' },
    ),
  ),
};

export const deleteRanges = endpoint({
  name: 'deleteRanges',
  method: 'DELETE',
  path: '/table/:tableId/selection/delete',
  summary: 'Delete records by their rows in a view',
  tag: 'Selection',
  access: { on: 'table', action: 'record|delete' },
  params: TableParams,
  query: Type.Object({ ...inQuery, projection: columnLimits.projection }),
  status: 200,
  response: Deleted,
});

export const getIdsOfRanges = endpoint({
  name: 'getIdsOfRanges',
  method: 'GET',
  path: '/table/:tableId/selection/range-to-id',
  summary: 'Which records and fields a range means',
  description:
    'At most 10,000 records. Columns count the fields that the view shows in its order, the primary field first; rows count the records of the query.',
  tag: 'Selection',
  access: { on: 'table', action: 'record|read' },
  params: TableParams,
  query: Type.Object({ ...inQuery, ...columnLimits, returnType: Type.Enum(['recordId', 'fieldId', 'all']) }),
  status: 200,
  response: Type.Object({
    recordIds: Type.Optional(Type.Array(Type.String())),
    fieldIds: Type.Optional(Type.Array(Type.String())),
  }),
});

export const copyRanges = endpoint({
  name: 'copyRanges',
  method: 'GET',
  path: '/table/:tableId/selection/copy',
  summary: 'Copy cells as text',
  description:
    'At most 50,000 cells. A tab stands between cells, a line break between rows; a cell that holds one of them is quoted.',
  tag: 'Selection',
  access: { on: 'table', action: 'record|read' },
  params: TableParams,
  query: Type.Object({ ...inQuery, ...columnLimits }),
  status: 200,
  response: Type.Object({
    content: Type.String(),
    header: Type.Array(Field, { description: 'The fields of the columns' }),
  }),
});

export const clearRanges = endpoint({
  name: 'clearRanges',
  method: 'PATCH',
  path: '/table/:tableId/selection/clear',
  summary: 'Empty cells',
  description: 'At most 50,000 cells, in one operation. Computed cells stay as they are.',
  tag: 'Selection',
  access: { on: 'table', action: 'record|update' },
  params: TableParams,
  body: Type.Object(inBody),
  status: 200,
});

export const pasteIntoRanges = endpoint({
  name: 'pasteIntoRanges',
  method: 'PATCH',
  path: '/table/:tableId/selection/paste',
  summary: 'Paste cells',
  description:
    'At most 50,000 cells, all or nothing, with typecast. The content fills the range when it fits into it several times, and else is laid from its first cell on. Beyond the last row records are created, beyond the last column up to 100 fields, where the caller may do so; else that part is left out. Computed cells stay as they are. `X-Operation-Id` names what it did, separated by commas, in the order it was done.',
  tag: 'Selection',
  access: { on: 'table', action: 'record|update' },
  params: TableParams,
  body: Type.Object({ ...inBody, ...content }),
  status: 200,
  response: Type.Object({
    ranges: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
      minItems: 2,
      maxItems: 2,
      description: 'The corners of what was pasted, `[column, row]` each',
    }),
  }),
});

export const previewPaste = endpoint({
  name: 'previewPaste',
  method: 'PATCH',
  path: '/table/:tableId/selection/temporaryPaste',
  summary: 'What pasting would write',
  description:
    'The cells by field id, row by row, as a paste would write them. Nothing is written, and no choice is added.',
  tag: 'Selection',
  access: { on: 'table', action: 'record|read' },
  params: TableParams,
  body: Type.Object({
    viewId: finding.viewId,
    ignoreViewQuery: finding.ignoreViewQuery,
    ...columnLimits,
    type: rangeType,
    ranges: inBody.ranges,
    ...content,
  }),
  status: 200,
  response: Type.Array(Type.Object({ fields: Type.Record(Type.String(), Type.Unknown()) })),
});
