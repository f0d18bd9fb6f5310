// Views: how a table is looked at. Options and columns have a schema per view type; all are strict.
import { type Static, type TSchema, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { colors, Description, Name } from './field.ts';
import { Filter } from './filter.ts';
import { ShareMeta } from './share-meta.ts';
import { text } from './text.ts';

export const viewTypes = ['grid', 'kanban', 'gallery', 'calendar', 'form'] as const;
export const ViewType = Type.Enum([...viewTypes]);
export type ViewType = (typeof viewTypes)[number];

export const statistics = [
  'count',
  'empty',
  'filled',
  'unique',
  'max',
  'min',
  'sum',
  'average',
  'checked',
  'unChecked',
  'percentEmpty',
  'percentFilled',
  'percentUnique',
  'percentChecked',
  'percentUnChecked',
  'earliestDate',
  'latestDate',
  'dateRangeOfDays',
  'dateRangeOfMonths',
  'totalAttachmentSize',
] as const;

const strict = { additionalProperties: false };
const orNull = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const fieldReference = Type.String({ maxLength: 100, description: 'Id of a field of the table.' });
const flag = Type.Optional(Type.Boolean());
const colorFieldReference = Type.Optional(
  Type.Union([fieldReference, Type.Null()], {
    description: 'Id of a select field: its choice gives the card a band of colour.',
  }),
);

export const viewOptions = {
  grid: Type.Object(
    {
      rowHeight: Type.Optional(Type.Enum(['short', 'medium', 'tall', 'extraTall', 'autoFit'])),
      fieldNameDisplayLines: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
      frozenColumnCount: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
    },
    strict,
  ),
  kanban: Type.Object(
    {
      stackFieldId: Type.Optional(fieldReference),
      coverFieldId: orNull(fieldReference),
      colorFieldId: colorFieldReference,
      isCoverFit: flag,
      isFieldNameHidden: flag,
      isEmptyStackHidden: flag,
      totalFieldId: Type.Optional(
        Type.Union([fieldReference, Type.Null()], {
          description: 'Id of a field with numbers: its total is shown above each stack.',
        }),
      ),
      totalFunc: Type.Optional(Type.Enum(['sum', 'average', 'min', 'max'], { description: '`sum` when left out.' })),
    },
    strict,
  ),
  gallery: Type.Object(
    {
      coverFieldId: orNull(fieldReference),
      colorFieldId: colorFieldReference,
      isCoverFit: flag,
      isFieldNameHidden: flag,
    },
    strict,
  ),
  calendar: Type.Object(
    {
      startDateFieldId: orNull(fieldReference),
      endDateFieldId: orNull(fieldReference),
      titleFieldId: orNull(fieldReference),
      colorConfig: orNull(
        Type.Object(
          {
            type: Type.Enum(['field', 'custom']),
            fieldId: orNull(fieldReference),
            color: orNull(Type.Enum([...colors])),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
  form: Type.Object(
    {
      coverUrl: Type.Optional(text({ maxLength: 2_000 })),
      logoUrl: Type.Optional(text({ maxLength: 2_000 })),
      submitLabel: Type.Optional(text({ maxLength: 255 })),
      title: Type.Optional(
        text({ maxLength: 255, description: 'Above the form; the name of the view when left out or empty.' }),
      ),
      thanksTitle: Type.Optional(text({ maxLength: 255, description: 'Shown after a record was submitted.' })),
      thanksText: Type.Optional(text({ maxLength: 10_000 })),
      isAnotherHidden: Type.Optional(
        Type.Boolean({ description: 'After a record was submitted, no button leads back to an empty form.' }),
      ),
      coverColor: orNull(Type.Enum([...colors])),
    },
    strict,
  ),
} as const satisfies Record<ViewType, TSchema>;

const order = Type.Optional(Type.Number({ description: 'Columns stand in ascending order of it.' }));
const cardColumn = Type.Object({ order, visible: flag }, strict);

export const viewColumn = {
  grid: Type.Object(
    {
      order,
      width: Type.Optional(Type.Number({ minimum: 0, maximum: 100_000 })),
      hidden: flag,
      statisticFunc: orNull(Type.Enum([...statistics])),
    },
    strict,
  ),
  kanban: cardColumn,
  gallery: cardColumn,
  calendar: cardColumn,
  form: Type.Object(
    {
      order,
      visible: flag,
      required: flag,
      title: orNull(text({ maxLength: 1_000, description: 'The question, in place of the name of the field.' })),
      help: orNull(
        text({ maxLength: 10_000, description: 'Said below the name of the field, in place of its description.' }),
      ),
      defaultValue: Type.Optional(
        Type.Unknown({
          description: 'What the form is filled with to begin with, as a cell of the field; null for nothing.',
        }),
      ),
      condition: orNull(Filter),
    },
    strict,
  ),
} as const satisfies Record<ViewType, TSchema>;

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
  body: Type.Object({ options: OptionsOfAnyType }),
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
