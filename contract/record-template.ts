// Record templates: named sets of values for new records of a table.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Name } from './field.ts';
import { createRecords, FieldKeyType, Order } from './record.ts';

interface Fitting {
  type: string;
  isComputed?: boolean | undefined;
  unique?: boolean | undefined;
  options?: unknown;
}

/** Whether a template can have a value for it: one that more than one record may have. */
export const fitsTemplate = ({ type, isComputed, unique, options }: Fitting): boolean =>
  isComputed !== true &&
  unique !== true &&
  type !== 'attachment' &&
  type !== 'button' &&
  !(type === 'link' && ['oneOne', 'oneMany'].includes((options as { relationship: string }).relationship));

export const RecordTemplate = Type.Object({
  id: Type.String(),
  name: Type.String(),
  fields: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Field id → cell value, as a new record takes it. Without fields that the caller does not see, and without what its field does not take any more: deleted fields, choices, records and people.',
  }),
  fieldsLeftOut: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Ids of fields in `fields` that the caller may not give to new records: their records come without them.',
    }),
  ),
  createdBy: Type.String(),
  createdTime: Type.String(),
  lastModifiedBy: Type.Optional(Type.String()),
  lastModifiedTime: Type.Optional(Type.String()),
});
export type RecordTemplate = Static<typeof RecordTemplate>;

const tag = 'record template';
const id = (of: string) => Type.String({ maxLength: 100, description: `Id of the ${of}.` });
const ofTable = Type.Object({ tableId: id('table') });
const ofTemplate = Type.Object({ tableId: id('table'), recordTemplateId: id('template') });
const fields = Type.Optional(
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description:
      'Field key → cell value. Not for computed and unique fields, files, buttons, and links whose records can be linked only once.',
  }),
);
const fieldKeyType = Type.Optional(FieldKeyType);

export const listRecordTemplates = endpoint({
  name: 'listRecordTemplates',
  method: 'GET',
  path: '/table/:tableId/record-template',
  summary: 'List record templates',
  description: 'By name. A token without `record|read` sees no values.',
  tag,
  access: { on: 'table', action: 'record|read' },
  params: ofTable,
  status: 200,
  response: Type.Array(RecordTemplate),
});

export const createRecordTemplate = endpoint({
  name: 'createRecordTemplate',
  method: 'POST',
  path: '/table/:tableId/record-template',
  summary: 'Create a record template',
  description:
    'With the values of a record (`recordId`), with values given by hand, or with both; then the latter count. A table has at most 100.',
  tag,
  access: { on: 'table', action: 'view|update' },
  params: ofTable,
  isStep: false,
  body: Type.Object({ name: Name, recordId: Type.Optional(id('record')), fields, fieldKeyType }),
  status: 201,
  response: RecordTemplate,
});

export const updateRecordTemplate = endpoint({
  name: 'updateRecordTemplate',
  method: 'PATCH',
  path: '/table/:tableId/record-template/:recordTemplateId',
  summary: 'Change a record template',
  description: 'Fields that are not named keep their value; null takes it away.',
  tag,
  access: { on: 'table', action: 'view|update' },
  params: ofTemplate,
  isStep: false,
  body: Type.Object({ name: Type.Optional(Name), fields, fieldKeyType }),
  status: 200,
  response: RecordTemplate,
});

export const deleteRecordTemplate = endpoint({
  name: 'deleteRecordTemplate',
  method: 'DELETE',
  path: '/table/:tableId/record-template/:recordTemplateId',
  summary: 'Delete a record template',
  description: 'It can be restored for 30 days. Records that were made with it stay as they are.',
  tag,
  access: { on: 'table', action: 'view|update' },
  params: ofTemplate,
  isStep: false,
  status: 200,
});

export const restoreRecordTemplate = endpoint({
  name: 'restoreRecordTemplate',
  method: 'POST',
  path: '/table/:tableId/record-template/:recordTemplateId/restore',
  summary: 'Restore a deleted record template',
  description: 'With its id: views whose default it was begin with it again.',
  tag,
  access: { on: 'table', action: 'view|update' },
  params: ofTemplate,
  isStep: false,
  status: 201,
  response: RecordTemplate,
});

export const createRecordFromTemplate = endpoint({
  name: 'createRecordFromTemplate',
  method: 'POST',
  path: '/table/:tableId/record-template/:recordTemplateId/record',
  summary: 'Create a record from a template',
  description:
    '`fields` count before the values of the template. Values that the caller may not give to a new record are left out.',
  tag,
  access: { on: 'table', action: 'record|create' },
  params: ofTemplate,
  body: Type.Object({ fields, fieldKeyType, order: Type.Optional(Order) }),
  bodyOptional: true,
  status: 201,
  response: createRecords.response,
});
