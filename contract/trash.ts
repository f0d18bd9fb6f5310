// The trash: spaces, bases, tables, automations, dashboards, records, fields and views that were deleted and can be restored.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { shownEmail } from './user.ts';

const cursor = Type.Optional(Type.String({ maxLength: 100, description: '`nextCursor` of the page before.' }));

const item = {
  id: Type.String({ description: 'What restoring takes.' }),
  deletedTime: Type.String(),
  deletedBy: Type.String({ description: 'A user id.' }),
};

const TrashedResource = Type.Object({ ...item, resourceId: Type.String(), resourceType: Type.Enum(['space', 'base']) });
const TableOrRecords = Type.Object({
  ...item,
  resourceId: Type.Optional(Type.String({ description: 'Of a table, an automation or a dashboard.' })),
  resourceIds: Type.Optional(
    Type.Array(Type.String(), { description: 'Of the records that one request deleted, or of a field or view.' }),
  ),
  resourceType: Type.Enum(['table', 'workflow', 'dashboard', 'record', 'field', 'view'], {
    description: '`workflow`: an automation.',
  }),
});

const contents = <T extends Type.TSchema>(items: T) =>
  Type.Object({
    trashItems: Type.Array(items, { description: 'Latest first.' }),
    userMap: Type.Record(
      Type.String(),
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        email: shownEmail,
        avatar: Type.Union([Type.String(), Type.Null()]),
      }),
      { description: 'Who deleted them, by user id.' },
    ),
    resourceMap: Type.Record(
      Type.String(),
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        spaceId: Type.Optional(Type.String({ description: 'Of a base.' })),
        type: Type.Optional(Type.String({ description: 'Of a field or view.' })),
        isLookup: Type.Optional(Type.Null()),
        options: Type.Optional(
          Type.Union([Type.Array(Type.String()), Type.Null()], { description: 'Of a field: its choices.' }),
        ),
      }),
      { description: 'By the id of the space, base, table, automation, dashboard, record, field or view.' },
    ),
    nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'null on the last page.' }),
  });

export const listTrash = endpoint({
  name: 'listTrash',
  method: 'GET',
  path: '/trash',
  summary: 'List the spaces or bases in the trash that you could restore',
  description:
    'A token needs the scope `space|delete` or `base|delete`. The bases of a space in the trash come back with it and are not listed.',
  tag: 'trash',
  access: { on: 'user' },
  query: Type.Object({ resourceType: Type.Enum(['space', 'base']), cursor }),
  status: 200,
  response: contents(TrashedResource),
});

const place = Type.Object({
  resourceId: Type.String({ maxLength: 100 }),
  resourceType: Type.Enum(['base', 'table'], {
    description:
      '`base`: tables, automations and dashboards that were deleted; `table`: records, fields and views, kept for as long as the history is.',
  }),
  cursor,
});

export const listTrashItems = endpoint({
  name: 'listTrashItems',
  method: 'GET',
  path: '/trash/items',
  summary:
    'List the tables, automations and dashboards of a base, or the records, fields and views of a table, that are in the trash',
  tag: 'trash',
  access: { on: 'user' },
  query: place,
  status: 200,
  response: contents(TableOrRecords),
});

export const restoreTrash = endpoint({
  name: 'restoreTrash',
  method: 'POST',
  path: '/trash/restore/:trashId',
  summary: 'Restore a space, base, table, automation, dashboard, records, a field or a view',
  description:
    '409 while what it stands in is in the trash itself. A table whose name was taken meanwhile gets a number. Records come back with their ids, numbers, authors, times and places; what does not fit their fields any more is cast. 409 when a value has to be unique and is taken, 402 when the plan has no room. A field comes back with its cells, a view as it was, an automation switched off; anyone who restores one needs `field|create` or `view|create`, too.',
  tag: 'trash',
  access: { on: 'user' },
  params: Type.Object({ trashId: Type.String() }),
  status: 201,
});

export const resetTrashItems = endpoint({
  name: 'resetTrashItems',
  method: 'DELETE',
  path: '/trash/reset-items',
  summary:
    'Delete the tables, automations and dashboards of a base, or the records, fields and views of a table, that are in the trash for good',
  description: 'For owners of the space.',
  tag: 'trash',
  access: { on: 'user' },
  query: place,
  status: 200,
});

export const deleteTrashItem = endpoint({
  name: 'deleteTrashItem',
  method: 'DELETE',
  path: '/trash/:trashId',
  summary: 'Delete one thing that is in the trash for good',
  description:
    'A space, base, table, automation, dashboard, field or view, or the records that one request deleted. For owners of the space. 409 while what it stands in is in the trash itself, or when it was restored meanwhile. There is no way back.',
  tag: 'trash',
  access: { on: 'user' },
  params: Type.Object({ trashId: Type.String({ maxLength: 100, description: '`id` of a list of the trash.' }) }),
  status: 200,
});
