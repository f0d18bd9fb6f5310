// Record history: what changed, who changed it, and how to take it back.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { shownEmail } from './user.ts';

const State = Type.Object({
  meta: Type.Object({
    name: Type.String(),
    type: Type.String(),
    cellValueType: Type.String(),
    options: Type.Unknown({
      description: 'The options of the field at the time; of select choices only those that the value uses',
    }),
  }),
  data: Type.Unknown({ description: 'The cell value; null when empty' }),
});

export const HistoryEntry = Type.Object({
  id: Type.String(),
  tableId: Type.String(),
  recordId: Type.String(),
  fieldId: Type.String(),
  before: State,
  after: State,
  createdTime: Type.String(),
  createdBy: Type.String({ description: 'User id' }),
  operationId: Type.Optional(Type.String({ description: 'The same for all entries of one request' })),
  created: Type.Optional(
    Type.Boolean({ description: 'True for the first value of a cell, derived from the creation of the record' }),
  ),
});
export type HistoryEntry = Static<typeof HistoryEntry>;

const HistoryPage = Type.Object({
  historyList: Type.Array(HistoryEntry),
  userMap: Type.Record(
    Type.String(),
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      email: shownEmail,
      avatar: Type.Union([Type.String(), Type.Null()]),
    }),
    { description: 'The authors on this page, by id' },
  ),
  nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'For the next page; null at the end' }),
  creationKnown: Type.Optional(
    Type.Boolean({
      description:
        'At the end of the history of one record, with `includeCreated`: false when its first values are not known any more, because the history that they follow from was removed or is older than the plan shows',
    }),
  ),
});

const ids = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 1_000, description }));

const filters = {
  startDate: Type.Optional(
    Type.String({
      maxLength: 50,
      description: 'Only changes from this moment on, to the millisecond; without an offset it is UTC',
    }),
  ),
  endDate: Type.Optional(
    Type.String({ maxLength: 50, description: 'Only changes up to this moment, and those of this very millisecond' }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 50, description: '`nextCursor` of the page before' })),
  fieldIds: ids('Only changes of these fields'),
  createdByIds: ids('Only changes by these users'),
  operationId: Type.Optional(
    Type.String({ maxLength: 50, description: 'Only changes of one request, by its `X-Operation-Id`' }),
  ),
  take: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'How many; 20 when absent' })),
};

const TableParams = Type.Object({ tableId: Type.String() });
const RecordParams = Type.Object({ tableId: Type.String(), recordId: Type.String() });

export const listTableHistory = endpoint({
  name: 'listTableHistory',
  method: 'GET',
  path: '/table/:tableId/record/history',
  summary: 'History of a table',
  description: 'One entry per cell that changed, newest first.',
  tag: 'History',
  access: { on: 'table', action: 'table_record_history|read' },
  params: TableParams,
  query: Type.Object({ ...filters, recordIds: ids('Only changes of these records') }),
  status: 200,
  response: HistoryPage,
});

export const listRecordHistory = endpoint({
  name: 'listRecordHistory',
  method: 'GET',
  path: '/table/:tableId/record/:recordId/history',
  summary: 'History of one record',
  description:
    'Kept when the record is deleted. With `includeCreated` it ends with the first value of every cell, while those are known. A token needs the scope `table_record_history|read`, too.',
  tag: 'History',
  access: { on: 'table', action: 'record|read' },
  params: RecordParams,
  query: Type.Object({ ...filters, includeCreated: Type.Optional(Type.Boolean()) }),
  status: 200,
  response: HistoryPage,
});

export const RestoreConflict = Type.Object({
  recordId: Type.String(),
  fieldId: Type.String(),
  reason: Type.Enum(['changed_since', 'field_deleted', 'record_deleted', 'does_not_fit', 'computed']),
  message: Type.String(),
});
export type RestoreConflict = Static<typeof RestoreConflict>;

export const SideEffect = Type.Object({
  kind: Type.Enum(['recordsDeleted', 'recordsRestored', 'choicesRemoved', 'choicesAdded']),
  count: Type.Integer(),
  tableId: Type.String(),
  table: Type.String({ description: 'The name of the table' }),
  fieldId: Type.Optional(Type.String({ description: 'Of choices' })),
  field: Type.Optional(Type.String({ description: 'The name of the field' })),
});
export type SideEffect = Static<typeof SideEffect>;

export const Leftover = Type.Object({
  kind: Type.Enum(['record', 'choice']),
  id: Type.String({ description: 'Of the record or the choice' }),
  tableId: Type.String(),
  table: Type.String({ description: 'The name of the table' }),
  field: Type.Optional(Type.String({ description: 'The name of the field, of choices' })),
  reason: Type.Enum(['changed_since', 'linked', 'commented', 'used', 'not_allowed'], {
    description:
      'Why it stays: somebody has changed it, links to it, has commented on it or uses it since, or the caller may not delete it',
  }),
  message: Type.String(),
});
export type Leftover = Static<typeof Leftover>;

/** What undoing did, and what it left, of records in other tables and choices that came with the operation. */
export const besides = {
  sideEffects: Type.Optional(
    Type.Array(SideEffect, {
      description:
        'What came with the operation and went with it again, or the other way round: records of other tables, choices of fields',
    }),
  ),
  left: Type.Optional(
    Type.Array(Leftover, {
      maxItems: 100,
      description: 'What came with the operation and stays, because somebody has used it since',
    }),
  ),
  leftTotal: Type.Optional(Type.Integer({ description: 'How many stay' })),
};

export const restoreHistory = endpoint({
  name: 'restoreHistory',
  method: 'POST',
  path: '/table/:tableId/record/history/restore',
  summary: 'Restore old values',
  description:
    'Undoes an operation: writes the values from before the named entries, from before a whole request (`operationId`), or of a record at a moment (`recordId` and `at`). It is a new operation, itself in the history. Where the request deleted records (`X-Operation-Id` of its answer), they come back with their ids, numbers, authors and times; this also needs `record|create`, and room in the plan. Where it created records, they are deleted, which needs `record|delete`. Where it changed fields or views, they become what they were, a converted field with all of its cells; this needs the right to make that change. Records that it made in other tables, and choices that it added, go with it, unless somebody has used them since: those are listed in `left`. A cell that has changed since is a conflict: nothing is written and 409 lists the conflicts, unless `force` is true; then what can be restored is, and the rest is listed in `skipped`.',
  tag: 'History',
  access: { on: 'table', action: 'record|update' },
  params: TableParams,
  body: Type.Object({
    historyIds: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: 20_000 })),
    operationId: Type.Optional(Type.String({ maxLength: 50 })),
    recordId: Type.Optional(Type.String({ maxLength: 50 })),
    at: Type.Optional(
      Type.String({
        maxLength: 50,
        description: 'The moment whose values come back, with what was changed in this very millisecond',
      }),
    ),
    force: Type.Optional(Type.Boolean()),
  }),
  status: 200,
  response: Type.Object({
    kind: Type.Enum(['cells', 'records', 'schema', 'order'], {
      description: 'What came back or went: cells, whole records, fields and views, or places in a view',
    }),
    operationId: Type.Union([Type.String(), Type.Null()], {
      description: 'The new operation; null when there was nothing to write',
    }),
    restored: Type.Integer({ description: 'How many cells were written back' }),
    recordIds: Type.Array(Type.String()),
    deleted: Type.Optional(
      Type.Literal(true, { description: 'The records are those that the operation had created: they are deleted' }),
    ),
    fields: Type.Optional(Type.Array(Type.String(), { description: 'The names of the fields that changed' })),
    views: Type.Optional(
      Type.Array(Type.String(), { description: 'The names of the views that changed, where no field did' }),
    ),
    skipped: Type.Array(RestoreConflict),
    ...besides,
  }),
});
