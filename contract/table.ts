// Tables: where records stand, with their fields and views.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Description, Field, Name, NewField } from './field.ts';
import { NewView, Position, View } from './view.ts';

const baseId = Type.String({ maxLength: 100, description: 'Id of the base.' });
const ofBase = Type.Object({ baseId });
const ofTable = Type.Object({ baseId, tableId: Type.String({ maxLength: 100, description: 'Id of the table.' }) });

// One class: as alternatives, which share some characters, a wrong icon would be tried in 2^50 ways.
const emoji = /^[\p{Extended_Pictographic}\p{Emoji_Component}]+$/u;
const Icon = Type.Union(
  [
    Type.Refine(
      Type.String({ maxLength: 50 }),
      (icon) => emoji.test(icon),
      () => 'Expected an emoji',
    ),
    Type.Null(),
  ],
  {
    description: 'An emoji; null takes it away.',
  },
);

const DbTableName = Type.String({
  pattern: '^[A-Za-z_]\\w{0,62}$',
  description: 'Name of the table in the schema of its base. Must not begin with two underscores.',
});

export const Table = Type.Object({
  id: Type.String(),
  name: Type.String(),
  dbTableName: Type.String({ description: 'Schema and table in the database: `<base id>.<name>`.' }),
  description: Type.Optional(Type.String()),
  icon: Type.Optional(Type.String()),
  order: Type.Number(),
  lastModifiedTime: Type.String(),
  defaultViewId: Type.Optional(Type.String({ description: 'The first view.' })),
});
export type Table = Static<typeof Table>;

export const FullTable = Type.Object({
  ...Table.properties,
  fields: Type.Array(Field),
  views: Type.Array(View),
  records: Type.Array(Type.Object({ id: Type.String(), fields: Type.Record(Type.String(), Type.Unknown()) })),
});
export type FullTable = Static<typeof FullTable>;

export const NewTable = Type.Object({
  name: Type.Optional(Name),
  dbTableName: Type.Optional(DbTableName),
  description: Type.Optional(Description),
  icon: Type.Optional(Icon),
  order: Type.Optional(
    Type.Number({ description: 'Tables are listed in ascending order of it; at the end when left out.' }),
  ),
  fields: Type.Optional(
    Type.Array(NewField, {
      maxItems: 500,
      description: 'The first one becomes the primary field. Left out or empty: Name, Count and Status.',
    }),
  ),
  views: Type.Optional(Type.Array(NewView, { maxItems: 100, description: 'Left out or empty: one grid view.' })),
  records: Type.Optional(
    Type.Array(Type.Object({ fields: Type.Record(Type.String(), Type.Unknown()) }), {
      description: 'Left out: three empty records, unless a field must not be empty.',
    }),
  ),
  fieldKeyType: Type.Optional(
    Type.Enum(['id', 'name', 'dbFieldName'], {
      description: 'What the keys of `fields` in records are; `name` when left out.',
    }),
  ),
});
export type NewTable = Static<typeof NewTable>;

const tag = 'table';

export const createTable = endpoint({
  name: 'createTable',
  method: 'POST',
  path: '/base/:baseId/table',
  summary: 'Create a table with fields, views and records',
  description: 'All or nothing. A name that is taken gets " 2", " 3" … appended.',
  tag,
  access: { on: 'base', action: 'table|create' },
  params: ofBase,
  body: NewTable,
  bodyOptional: true,
  status: 201,
  response: FullTable,
});

export const listTables = endpoint({
  name: 'listTables',
  method: 'GET',
  path: '/base/:baseId/table',
  summary: 'List tables',
  tag,
  access: { on: 'base', action: 'table|read' },
  params: ofBase,
  status: 200,
  response: Type.Array(Table),
});

export const getTable = endpoint({
  name: 'getTable',
  method: 'GET',
  path: '/base/:baseId/table/:tableId',
  summary: 'Get a table',
  tag,
  access: { on: 'table', action: 'table|read' },
  params: ofTable,
  status: 200,
  response: Table,
});

export const getDefaultViewId = endpoint({
  name: 'getDefaultViewId',
  method: 'GET',
  path: '/base/:baseId/table/:tableId/default-view-id',
  summary: 'Get the id of the first view',
  tag,
  access: { on: 'table', action: 'table|read' },
  params: ofTable,
  status: 200,
  response: Type.Object({ id: Type.String() }),
});

const permissions = Type.Record(Type.String(), Type.Boolean(), { description: 'Action → whether the caller may.' });

export const getTablePermission = endpoint({
  name: 'getTablePermission',
  method: 'GET',
  path: '/base/:baseId/table/:tableId/permission',
  summary: 'What the caller may do with a table',
  tag,
  access: { on: 'table', action: 'table|read' },
  params: ofTable,
  status: 200,
  response: Type.Object({ table: permissions, view: permissions, record: permissions, field: permissions }),
});

const access = { on: 'table', action: 'table|update' } as const;

export const renameTable = endpoint({
  name: 'renameTable',
  method: 'PUT',
  path: '/base/:baseId/table/:tableId/name',
  summary: 'Rename a table',
  tag,
  access,
  params: ofTable,
  body: Type.Object({ name: Name }),
  status: 200,
});

export const setTableIcon = endpoint({
  name: 'setTableIcon',
  method: 'PUT',
  path: '/base/:baseId/table/:tableId/icon',
  summary: 'Set the icon of a table',
  tag,
  access,
  params: ofTable,
  body: Type.Object({ icon: Icon }),
  status: 200,
});

export const describeTable = endpoint({
  name: 'describeTable',
  method: 'PUT',
  path: '/base/:baseId/table/:tableId/description',
  summary: 'Describe a table',
  tag,
  access,
  params: ofTable,
  body: Type.Object({ description: Description }),
  status: 200,
});

export const setDbTableName = endpoint({
  name: 'setDbTableName',
  method: 'PUT',
  path: '/base/:baseId/table/:tableId/db-table-name',
  summary: 'Rename the table in the database',
  tag,
  access,
  params: ofTable,
  body: Type.Object({ dbTableName: DbTableName }),
  status: 200,
});

export const moveTable = endpoint({
  name: 'moveTable',
  method: 'PUT',
  path: '/base/:baseId/table/:tableId/order',
  summary: 'Move a table before or after another',
  tag,
  access,
  params: ofTable,
  body: Position,
  status: 200,
});

export const duplicateTable = endpoint({
  name: 'duplicateTable',
  method: 'POST',
  path: '/base/:baseId/table/:tableId/duplicate',
  summary: 'Duplicate a table',
  tag,
  access: { on: 'table', action: 'table|create' },
  params: ofTable,
  body: Type.Object({ name: Name, includeRecords: Type.Boolean({ description: 'Copy the records too.' }) }),
  status: 201,
  response: Type.Object({
    ...Table.properties,
    fields: Type.Array(Field),
    views: Type.Array(View),
    viewMap: Type.Record(Type.String(), Type.String(), { description: 'Id of a view → id of its copy.' }),
    fieldMap: Type.Record(Type.String(), Type.String(), { description: 'Id of a field → id of its copy.' }),
  }),
});

export const deleteTable = endpoint({
  name: 'deleteTable',
  method: 'DELETE',
  path: '/base/:baseId/table/:tableId',
  summary: 'Move a table to the trash',
  tag,
  access: { on: 'table', action: 'table|delete' },
  params: ofTable,
  status: 200,
});

export const deleteTablePermanently = endpoint({
  name: 'deleteTablePermanently',
  method: 'DELETE',
  path: '/base/:baseId/table/:tableId/permanent',
  summary: 'Delete a table for good, with its records and their history',
  description: 'For owners of the space, whether it is in the trash or not. There is no way back.',
  tag,
  access: { on: 'table', action: 'table|delete', trashed: true, ownersOnly: true },
  params: ofTable,
  status: 200,
});

const SearchIndex = Type.Enum(['search']);
const always =
  'Searching is always ready: there is nothing to switch on or to repair. It is here for clients that ask for it.';

export const listSearchIndexes = endpoint({
  name: 'listSearchIndexes',
  method: 'GET',
  path: '/base/:baseId/table/:tableId/activated-index',
  summary: 'List what is ready for searching',
  description: always,
  tag,
  access: { on: 'table', action: 'table|read' },
  params: ofTable,
  status: 200,
  response: Type.Array(SearchIndex),
});

export const toggleSearchIndex = endpoint({
  name: 'toggleSearchIndex',
  method: 'POST',
  path: '/base/:baseId/table/:tableId/index',
  summary: 'Prepare a table for searching',
  description: always,
  tag,
  access,
  params: ofTable,
  body: Type.Object({ type: SearchIndex }),
  status: 201,
});

export const repairSearchIndex = endpoint({
  name: 'repairSearchIndex',
  method: 'PATCH',
  path: '/base/:baseId/table/:tableId/index/repair',
  summary: 'Repair what is ready for searching',
  description: always,
  tag,
  access,
  params: ofTable,
  query: Type.Object({ type: Type.Optional(SearchIndex) }),
  status: 200,
});
