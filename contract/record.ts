// Records: create, read, update, delete, duplicate.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { arranging, finding } from './query.ts';

export const FieldKeyType = Type.Enum(['id', 'name', 'dbFieldName'], {
  description: 'What the keys of `fields` are: field ids, field names or column names',
});
export type FieldKeyType = Static<typeof FieldKeyType>;

/** A map from field key to cell value; any key, any JSON value. */
const Fields = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description:
    'Field key → cell value. null clears a cell, an absent key leaves it. A singleLineText holds up to 100,000 characters, a longText up to 1,000,000.',
});
const Before = Type.Optional(
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description:
      'Field key → what the cell was when the change was made, for cells that the request writes. When one is something else by now nothing is written: 409, with what they are in `data.present`, a list of `{recordId, field, value}`. People, records and files are compared by their ids.',
  }),
);

const Time = Type.String({ description: 'ISO 8601, UTC' });

export const RecordVo = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String({ description: 'The primary cell as text' })),
  fields: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description: 'Field key → cell value; empty cells are left out',
  }),
  autoNumber: Type.Optional(Type.Integer()),
  createdTime: Type.Optional(Time),
  lastModifiedTime: Type.Optional(Time),
  createdBy: Type.Optional(Type.String({ description: 'User id' })),
  lastModifiedBy: Type.Optional(Type.String({ description: 'User id' })),
  permissions: Type.Optional(
    Type.Record(Type.String(), Type.Record(Type.String(), Type.Boolean()), {
      description: 'Per field what the caller may do: `{read, update}`',
    }),
  ),
  undeletable: Type.Optional(Type.Boolean({ description: 'True when the caller may not delete the record' })),
});
export type RecordVo = Static<typeof RecordVo>;

export const Order = Type.Object(
  {
    viewId: Type.String({ maxLength: 50 }),
    anchorId: Type.String({ maxLength: 50, description: 'The record to stand before or after' }),
    position: Type.Enum(['before', 'after']),
  },
  { description: 'Where the records go in a view' },
);
export type Order = Static<typeof Order>;

export const GroupPoint = Type.Union([
  Type.Object({
    id: Type.String(),
    type: Type.Literal(0),
    depth: Type.Integer(),
    value: Type.Unknown(),
    isCollapsed: Type.Boolean(),
  }),
  Type.Object({ type: Type.Literal(1), count: Type.Integer() }),
]);
export type GroupPoint = Static<typeof GroupPoint>;

export const TypecastEntry = Type.Object({
  index: Type.Integer({ description: 'Place of the record in the request' }),
  field: Type.String({ description: 'Field key' }),
  from: Type.Unknown(),
  to: Type.Unknown(),
  note: Type.Enum(['converted', 'created', 'dropped']),
  ambiguous: Type.Optional(
    Type.Literal(true, {
      description:
        'A date such as 03/04/2024, which could be read in another way, too: it was read as the other dates of its field in this request, or else with the month first. A field with a format such as D/M/YYYY has no ambiguous dates.',
    }),
  ),
});

export const TypecastReport = Type.Object({
  entries: Type.Array(TypecastEntry, { maxItems: 1_000 }),
  total: Type.Integer(),
});
export type TypecastReport = Static<typeof TypecastReport>;

const Extra = Type.Object({
  groupPoints: Type.Optional(Type.Union([Type.Array(GroupPoint), Type.Null()])),
  typecast: Type.Optional(TypecastReport),
  allGroupHeaderRefs: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), depth: Type.Integer() }), {
      description: 'Every group, also those inside of collapsed ones',
    }),
  ),
  searchHitIndex: Type.Optional(
    Type.Union([Type.Array(Type.Object({ recordId: Type.String(), fieldId: Type.String() })), Type.Null()], {
      description: 'The cells of this page that the search found',
    }),
  ),
  nextCursor: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'For `cursor`; null at the end' })),
});

const TableParams = Type.Object({ tableId: Type.String() });
const RecordParams = Type.Object({ tableId: Type.String(), recordId: Type.String() });

const typecast = Type.Optional(
  Type.Boolean({
    description:
      'Convert values that do not fit; missing select choices are created. Off by default: such values are refused.',
  }),
);

const shared = { fieldKeyType: Type.Optional(FieldKeyType), typecast, order: Type.Optional(Order) };

export const createRecords = endpoint({
  name: 'createRecords',
  method: 'POST',
  path: '/table/:tableId/record',
  summary: 'Create several records',
  description:
    'All or nothing: one bad cell and nothing is written. A token without `record|read` sees of the records, here and wherever records are written, their ids and the cells that it sent. `extra.groupPoints` holds the group headers of the view when it is grouped. With `typecast` the answer lists in `extra.typecast` every cell that was changed on the way.',
  tag: 'Record',
  access: { on: 'table', action: 'record|create' },
  params: TableParams,
  headers: Type.Object({
    'Idempotency-Key': Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'The same key with the same body answers the first answer again, for 24 hours',
      }),
    ),
  }),
  body: Type.Object({ records: Type.Array(Type.Object({ fields: Fields })), ...shared }),
  status: 201,
  response: Type.Object({ records: Type.Array(RecordVo), extra: Type.Optional(Extra) }),
});

const changedOnce = {
  'Idempotency-Key': Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'The same key with the same body changes nothing a second time, for 24 hours, and answers the records as they are by then',
    }),
  ),
};

export const updateRecords = endpoint({
  name: 'updateRecords',
  method: 'PATCH',
  path: '/table/:tableId/record',
  summary: 'Update several records',
  description:
    'All or nothing. The answer has the records in the order of the request; when the same request was carried out before, without those that were deleted since.',
  tag: 'Record',
  access: { on: 'table', action: 'record|update' },
  params: TableParams,
  headers: Type.Object(changedOnce),
  body: Type.Object({
    records: Type.Array(Type.Object({ id: Type.String(), fields: Fields, before: Before })),
    ...shared,
  }),
  status: 200,
  response: Type.Array(RecordVo),
});

export const upsertRecords = endpoint({
  name: 'upsertRecords',
  method: 'POST',
  path: '/table/:tableId/record/upsert',
  summary: 'Create records, or change those that are there',
  description:
    'A record is the one that is meant when all its cells of `matchFields` are those of the request; if there is none it is created. All or nothing. Upserts of one table wait for each other, so that however many run at once, none creates what another has. Needs `record|create` too. Two records of the table that both match are a 409.',
  tag: 'Record',
  access: { on: 'table', action: 'record|update' },
  params: TableParams,
  body: Type.Object({
    matchFields: Type.Array(Type.String({ maxLength: 300 }), {
      minItems: 1,
      maxItems: 10,
      description:
        'Keys of text, number, date or single select fields, by `fieldKeyType`. Every record has a value for each.',
    }),
    records: Type.Array(Type.Object({ fields: Fields })),
    fieldKeyType: Type.Optional(FieldKeyType),
    typecast,
  }),
  status: 200,
  response: Type.Object({
    created: Type.Array(RecordVo, { description: 'In the order of the request, as the others.' }),
    updated: Type.Array(RecordVo),
    unchanged: Type.Array(RecordVo, { description: 'They were there with the same cells.' }),
    operationIds: Type.Array(Type.String(), {
      description: 'What was done, for undoing: an update, a creation, both or nothing.',
    }),
  }),
});

export const updateRecord = endpoint({
  name: 'updateRecord',
  method: 'PATCH',
  path: '/table/:tableId/record/:recordId',
  summary: 'Update one record',
  tag: 'Record',
  access: { on: 'table', action: 'record|update' },
  params: RecordParams,
  headers: Type.Object({
    ...changedOnce,
    'If-Match': Type.Optional(
      Type.String({ description: 'The ETag of the version this change was made on: 412 when the record has moved on' }),
    ),
  }),
  body: Type.Object({ record: Type.Object({ fields: Fields, before: Before }), ...shared }),
  status: 200,
  response: RecordVo,
});

const CellFormat = Type.Enum(['json', 'text'], { description: '`text` gives every cell as a person sees it' });
const projection = Type.Optional(
  Type.Array(Type.String({ maxLength: 300 }), { maxItems: 2_000, description: 'Only these fields, by `fieldKeyType`' }),
);
const reading = { projection, cellFormat: Type.Optional(CellFormat), fieldKeyType: Type.Optional(FieldKeyType) };

export const getRecord = endpoint({
  name: 'getRecord',
  method: 'GET',
  path: '/table/:tableId/record/:recordId',
  summary: 'Get one record',
  tag: 'Record',
  access: { on: 'table', action: 'record|read' },
  params: RecordParams,
  query: Type.Object(reading),
  status: 200,
  response: RecordVo,
});

export const getRecordStatus = endpoint({
  name: 'getRecordStatus',
  method: 'GET',
  path: '/table/:tableId/record/:recordId/status',
  summary: 'Whether a record is there, and among those that a query finds',
  tag: 'Record',
  access: { on: 'table', action: 'record|read' },
  params: RecordParams,
  query: Type.Object(finding),
  status: 200,
  response: Type.Object({
    isVisible: Type.Boolean(),
    isDeleted: Type.Boolean({ description: 'True for what was never there, too' }),
  }),
});

export const listRecords = endpoint({
  name: 'listRecords',
  method: 'GET',
  path: '/table/:tableId/record',
  summary: 'List records',
  description:
    'Empty cells stand first ascending and last descending; ties stand in the manual order of the view and then by autoNumber. Text is sorted by its first 200 characters. Groups are counted over everything that was found, and are in the answer unless `cursor` is given. `Link: rel="next"` names the next page.',
  tag: 'Record',
  access: { on: 'table', action: 'record|read' },
  params: TableParams,
  query: Type.Object({
    ...finding,
    ...arranging,
    ...reading,
    take: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_000, description: 'How many; 100 when absent' })),
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    withGroups: Type.Optional(
      Type.Boolean({
        description: 'False leaves `extra.groupPoints` out, which spares counting the groups for every page',
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: 10_000,
        description:
          'Go on behind the page that gave this `extra.nextCursor`, with the same order. A page deep inside costs what the first one costs.',
      }),
    ),
  }),
  status: 200,
  response: Type.Object({ records: Type.Array(RecordVo), extra: Type.Optional(Extra) }),
});

export const deleteRecord = endpoint({
  name: 'deleteRecord',
  method: 'DELETE',
  path: '/table/:tableId/record/:recordId',
  summary: 'Delete one record',
  description: 'The answer is the record as it was, keyed by field id.',
  tag: 'Record',
  access: { on: 'table', action: 'record|delete' },
  params: RecordParams,
  status: 200,
  response: RecordVo,
});

export const deleteRecords = endpoint({
  name: 'deleteRecords',
  method: 'DELETE',
  path: '/table/:tableId/record',
  summary: 'Delete several records',
  description: 'All or nothing. The answer holds the records as they were, keyed by field id.',
  tag: 'Record',
  access: { on: 'table', action: 'record|delete' },
  params: TableParams,
  query: Type.Object({ recordIds: Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: 20_000 }) }),
  status: 200,
  response: Type.Object({ records: Type.Array(RecordVo) }),
});

export const duplicateRecord = endpoint({
  name: 'duplicateRecord',
  method: 'POST',
  path: '/table/:tableId/record/:recordId/duplicate',
  summary: 'Duplicate a record',
  description: 'The copy is keyed by field id. The body says where it goes; without one it goes to the end.',
  tag: 'Record',
  access: { on: 'table', action: 'record|create' },
  params: RecordParams,
  body: Order,
  bodyOptional: true,
  status: 201,
  response: Type.Object({ records: Type.Array(RecordVo) }),
});
