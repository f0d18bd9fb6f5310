// What is done with records that were selected in a view: by place, by name, or all of them.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { arranging, finding } from './query.ts';

const TableParams = Type.Object({ tableId: Type.String() });
const Deleted = Type.Object({ ids: Type.Array(Type.String(), { description: 'Of the records that were deleted, in the order of the view' }) });

const ids = (description: string) => Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 1_000_000, description }));

export const deleteSelection = endpoint({
  name: 'deleteSelection',
  method: 'POST',
  path: '/table/:tableId/selection/delete-by-id',
  summary: 'Delete selected records',
  description: 'Any number of records in one request and one operation: those that are named, or all that the view and the query show without those that are excluded. All or nothing. `X-Operation-Id` of the answer brings all of them back.',
  tag: 'Selection',
  access: { on: 'table', action: 'record|delete' },
  params: TableParams,
  body: Type.Object({
    ...finding,
    ...arranging,
    selection: Type.Object({
      recordIds: ids('These records'),
      excludeRecordIds: ids('All records of the query but these'),
    }),
  }),
  status: 201,
  response: Deleted,
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
