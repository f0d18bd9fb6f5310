// Views: how a table is looked at. What differs from type to type is in view-type/.
import { type Static, type TSchema, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Description, Name } from './field.ts';
import { Filter } from './filter.ts';
import { ShareMeta } from './share-meta.ts';
import { fieldReference, flag, orNull } from './view-type.ts';
import { type ViewType as ViewTypeName, viewTypes } from './view-types.ts';

export const ViewType = Type.Enum([...viewTypes]);
export type ViewType = ViewTypeName;

const sortItem = Type.Object({ fieldId: fieldReference, order: Type.Enum(['asc', 'desc']) });
const several = { maxItems: 50 };

export const Sort = Type.Object({
  sortObjs: Type.Array(sortItem, several),
  manualSort: Type.Optional(
    Type.Boolean({ description: 'The sort was applied once; records now stand in the order given by hand.' }),
  ),
});
export const Group = Type.Array(sortItem, several);

const OptionsOfAnyType = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The options of the type; an unknown key is refused.',
});
const ColumnOfAnyType = Type.Record(Type.String(), Type.Unknown(), {
  description: 'How the view shows a field; the keys depend on the view type.',
});

export const OwnQuery = Type.Object(
  {
    filter: Type.Union([Filter, Type.Null()]),
    sort: Type.Array(sortItem, several),
    group: Type.Array(sortItem, several),
  },
  { description: 'Instead of filter, sort and group of the view, for one person.' },
);
export type OwnQuery = Static<typeof OwnQuery>;

export const View = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: ViewType,
  description: Type.Optional(Type.String()),
  order: Type.Number(),
  options: OptionsOfAnyType,
  filter: Type.Optional(Filter),
  sort: Type.Optional(Sort),
  group: Type.Optional(Group),
  isLocked: Type.Optional(Type.Literal(true)),
  personalOf: Type.Optional(
    Type.String({ description: 'Id of its owner: the only one who may change it. Absent when it is not personal.' }),
  ),
  ownQuery: Type.Optional(OwnQuery),
  enableShare: Type.Optional(Type.Boolean({ description: 'Whether it is shared; absent when it never was.' })),
  shareId: Type.Optional(Type.String({ description: 'Of the address, `/share/{shareId}/view`.' })),
  shareMeta: Type.Optional(ShareMeta),
  isShareHeld: Type.Optional(
    Type.Literal(true, {
      description:
        'The share shows no records: its filter, or a field that the filter rests on, has changed since somebody decided what it shows. Set the filter or save the settings of the share to decide again; undoing the change ends it, too. Of a form: a link that it shows offers no records, because what limits it has changed in this way.',
    }),
  ),
  columnMeta: Type.Record(Type.String(), Type.Object({ order: Type.Number() }), { description: 'By field id.' }),
  createdBy: Type.String(),
  createdTime: Type.String(),
  lastModifiedBy: Type.Optional(Type.String()),
  lastModifiedTime: Type.Optional(Type.String()),
});
export type View = Static<typeof View>;

export const NewView = Type.Object({
  type: ViewType,
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  order: Type.Optional(
    Type.Number({ description: 'Views are listed in ascending order of it; at the end when left out.' }),
  ),
  options: Type.Optional(OptionsOfAnyType),
  filter: orNull(Filter),
  sort: orNull(Sort),
  group: orNull(Group),
  isLocked: flag,
  isPersonal: Type.Optional(
    Type.Boolean({
      description: 'Only the person who creates it may change it. A table that is created has no personal views.',
    }),
  ),
  columnMeta: Type.Optional(Type.Record(Type.String(), ColumnOfAnyType, { description: 'By field id.' })),
});
export type NewView = Static<typeof NewView>;

export const Position = Type.Object({
  anchorId: Type.String({ maxLength: 100, description: 'The sibling to stand beside.' }),
  position: Type.Enum(['before', 'after']),
});

const tag = 'view';
const tableId = Type.String({ maxLength: 100, description: 'Id of the table.' });
const ofTable = Type.Object({ tableId });
const ofView = Type.Object({ tableId, viewId: Type.String({ maxLength: 100, description: 'Id of the view.' }) });

export const createView = endpoint({
  name: 'createView',
  method: 'POST',
  path: '/table/:tableId/view',
  summary: 'Create a view',
  tag,
  access: { on: 'table', action: 'view|create' },
  params: ofTable,
  body: NewView,
  status: 201,
  response: View,
});

export const listViews = endpoint({
  name: 'listViews',
  method: 'GET',
  path: '/table/:tableId/view',
  summary: 'List views',
  tag,
  access: { on: 'table', action: 'view|read' },
  params: ofTable,
  status: 200,
  response: Type.Array(View),
});

export const getView = endpoint({
  name: 'getView',
  method: 'GET',
  path: '/table/:tableId/view/:viewId',
  summary: 'Get a view',
  tag,
  access: { on: 'table', action: 'view|read' },
  params: ofView,
  status: 200,
  response: View,
});

export const deleteView = endpoint({
  name: 'deleteView',
  method: 'DELETE',
  path: '/table/:tableId/view/:viewId',
  summary: 'Delete a view',
  description: 'The last view of a table stays.',
  tag,
  access: { on: 'table', action: 'view|delete' },
  params: ofView,
  status: 200,
});

const access = { on: 'table', action: 'view|update' } as const;

const before = <Part extends TSchema>(part: Part) =>
  Type.Optional(
    Type.Union([part, Type.Null()], {
      description:
        'What the view had when the change was made; null for nothing. If it has something else by now, nothing is changed; the answer is 409, with what it has in `data.present`.',
    }),
  );

export const renameView = endpoint({
  name: 'renameView',
  method: 'PUT',
  path: '/table/:tableId/view/:viewId/name',
  summary: 'Rename a view',
  tag,
  access,
  params: ofView,
  body: Type.Object({ name: Name }),
  status: 200,
});

export const describeView = endpoint({
  name: 'describeView',
  method: 'PUT',
  path: '/table/:tableId/view/:viewId/description',
  summary: 'Describe a view',
  tag,
  access,
  params: ofView,
  body: Type.Object({ description: Description }),
  status: 200,
});

export const setViewFilter = endpoint({
  name: 'setViewFilter',
  method: 'PUT',
  path: '/table/:tableId/view/:viewId/filter',
  summary: 'Set the filter of a view',
  tag,
  access,
  params: ofView,
  body: Type.Object({ filter: Type.Union([Filter, Type.Null()]), before: before(Filter) }),
  status: 200,
});

export const setViewSort = endpoint({
  name: 'setViewSort',
  method: 'PUT',
  path: '/table/:tableId/view/:viewId/sort',
  summary: 'Set the sort of a view',
  tag,
  access,
  params: ofView,
  body: Type.Object({ sort: Type.Union([Sort, Type.Null()]), before: before(Sort) }),
  status: 200,
});

export const setViewGroup = endpoint({
  name: 'setViewGroup',
  method: 'PUT',
  path: '/table/:tableId/view/:viewId/group',
  summary: 'Set the grouping of a view',
  tag,
  access,
  params: ofView,
  body: Type.Object({ group: Type.Union([Group, Type.Null()]), before: before(Group) }),
  status: 200,
});

export const setViewColumns = endpoint({
  name: 'setViewColumns',
  method: 'PUT',
  path: '/table/:tableId/view/:viewId/column-meta',
  summary: 'Change how a view shows some fields',
  description: 'Keys that are not named keep their value. The primary field cannot be hidden.',
  tag,
  access,
  params: ofView,
  body: Type.Array(Type.Object({ fieldId: fieldReference, columnMeta: ColumnOfAnyType }), { maxItems: 2_000 }),
  status: 200,
});

export const setViewOptions = endpoint({
  name: 'setViewOptions',
  method: 'PATCH',
  path: '/table/:tableId/view/:viewId/options',
  summary: 'Change options of a view',
  description: 'Options that are not named keep their value.',
  tag,
  access,
  params: ofView,
  body: Type.Object({
    options: OptionsOfAnyType,
    before: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'What some options had when the change was made; null for nothing. If one has something else by now, nothing is changed; the answer is 409, with what they have in `data.present`.',
      }),
    ),
  }),
  status: 200,
});

export const moveView = endpoint({
  name: 'moveView',
  method: 'PUT',
  path: '/table/:tableId/view/:viewId/order',
  summary: 'Move a view before or after another',
  tag,
  access,
  params: ofView,
  body: Position,
  status: 200,
});

export const makeViewPersonal = endpoint({
  name: 'makeViewPersonal',
  method: 'PUT',
  path: '/table/:tableId/view/:viewId/personal',
  summary: 'Make a view personal, or collaborative again',
  description:
    'A personal view is changed by its owner alone: the one who makes it personal. Others can look at it and duplicate it. Owners and creators of the base may make it collaborative, or delete it. One view of a table stays collaborative.',
  tag,
  access,
  params: ofView,
  body: Type.Object({ isPersonal: Type.Boolean() }),
  status: 200,
});

export const lockView = endpoint({
  name: 'lockView',
  method: 'PUT',
  path: '/table/:tableId/view/:viewId/locked',
  summary: 'Lock or unlock a view',
  description: 'A locked view refuses every change. Only owners and creators may unlock it.',
  tag,
  access,
  params: ofView,
  body: Type.Object({ isLocked: Type.Optional(Type.Boolean({ description: 'False when left out.' })) }),
  status: 200,
});

export const setOwnQuery = endpoint({
  name: 'setOwnQuery',
  method: 'PUT',
  path: '/table/:tableId/view/:viewId/own-query',
  summary: 'Filter, sort and group a view for yourself',
  description:
    'Nobody else sees it. The list of views has it as `ownQuery`; the app then asks for records with it instead of what the view has. null ends it.',
  tag,
  access: { on: 'table', action: 'view|read' },
  params: ofView,
  body: Type.Object({ query: Type.Union([OwnQuery, Type.Null()]) }),
  status: 200,
});
