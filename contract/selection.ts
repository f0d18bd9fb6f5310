// What is done with records that were selected in a view: by place, by name, or all of them.
import { type Static, Type } from 'typebox';
import { endpoint, stream } from './endpoint.ts';
import { arranging, finding } from './query.ts';

const TableParams = Type.Object({ tableId: Type.String() });
const Deleted = Type.Object({ ids: Type.Array(Type.String(), { description: 'Of the records that were deleted, in the order of the view' }) });

const ids = (description: string) => Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 1_000_000, description }));

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
  description: 'Any number of records in one request and one operation: those that are named, or all that the view and the query show without those that are excluded. All or nothing. `X-Operation-Id` of the answer brings all of them back.',
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
  Type.Object({ id: Type.Literal('done'), processedCount: Type.Integer(), totalCount: Type.Integer(), data: Deleted, operationId: Type.Optional(Type.String()) }),
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

export const deleteRanges = endpoint({
  name: 'deleteRanges',
  method: 'DELETE',
  path: '/table/:tableId/selection/delete',
  summary: 'Delete records by their rows in a view',
  tag: 'Selection',
  access: { on: 'table', action: 'record|delete' },
  params: TableParams,
  query: Type.Object({
    ...finding,
    ...arranging,
    type: Type.Optional(Type.Enum(['rows', 'columns'], { description: 'What `ranges` counts; cells when absent' })),
    ranges: Type.String({ maxLength: 20_000, description: 'JSON. Cells: `[[column, row], [column, row]]`, the corners. Rows or columns: a list of `[from, to]`. All inclusive, from 0; a range of columns means every record.' }),
  }),
  status: 200,
  response: Deleted,
});
