// Fields: types, options and the endpoints that change them.
import { type Static, Type } from 'typebox';
import { DateOrder } from './date-order.ts';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';

/** What a cell is, whatever type of field it is in: the operators of filters and the statistics of columns follow from it. */
export type CellKind = 'text' | 'number' | 'boolean' | 'date' | 'choice' | 'person' | 'link' | 'file' | 'button';

/** The list of types. A type whose cells are of the kind of another field, or of a result, has null. */
export const cellKinds = {
  singleLineText: 'text',
  longText: 'text',
  number: 'number',
  rating: 'number',
  checkbox: 'boolean',
  date: 'date',
  singleSelect: 'choice',
  multipleSelect: 'choice',
  user: 'person',
  attachment: 'file',
  button: 'button',
  autoNumber: 'number',
  createdTime: 'date',
  lastModifiedTime: 'date',
  createdBy: 'person',
  lastModifiedBy: 'person',
  link: 'link',
  formula: null,
  rollup: null,
  count: 'number',
  conditionalRollup: null,
} as const satisfies Record<string, CellKind | null>;

export type FieldTypeName = keyof typeof cellKinds;
export const fieldTypes = Object.keys(cellKinds) as FieldTypeName[];
export const FieldTypeName = Type.Enum(fieldTypes);

/** Most characters of a cell. */
export const longestText = { singleLineText: 100_000, longText: 1_000_000 } as const;

export const CellValueType = Type.Enum(['string', 'number', 'boolean', 'dateTime']);
export type CellValueType = Static<typeof CellValueType>;

const kindOfValue: Record<CellValueType, CellKind> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  dateTime: 'date',
};

export const kindOf = ({ type, cellValueType }: { type: string; cellValueType: CellValueType }): CellKind =>
  (cellKinds as Record<string, CellKind | null>)[type] ?? kindOfValue[cellValueType];

export const DbFieldType = Type.Enum(['TEXT', 'REAL', 'INTEGER', 'BOOLEAN', 'DATETIME', 'JSON']);
export type DbFieldType = Static<typeof DbFieldType>;

const tableId = Type.String({ maxLength: 100, description: 'Id of the table.' });
const fieldId = Type.String({ maxLength: 100, description: 'Id of the field.' });

/** Names are data: any text of up to 255 characters. */
export const Name = text({ minLength: 1, maxLength: 255, description: 'Any text; unique among its siblings.' });

export const Description = Type.Union([text({ maxLength: 10_000 }), Type.Null()], {
  description: 'Free text; null takes it away.',
});

export const DbFieldName = Type.String({
  pattern: '^\\w{1,63}$',
  description:
    'Name of the column in the database. Must not begin with two underscores, nor be a system column of PostgreSQL.',
});

/** How many records of one table go with how many of the other, seen from the table of the field. */
export const relationships = ['oneOne', 'manyMany', 'oneMany', 'manyOne'] as const;
export type Relationship = (typeof relationships)[number];

/** What a rollup makes of the cells of linked records: `sum({values})`. */
export const rollupFunctions = [
  'countall',
  'counta',
  'count',
  'sum',
  'average',
  'max',
  'min',
  'and',
  'or',
  'xor',
  'array_join',
  'array_unique',
  'array_compact',
  'concatenate',
] as const;
export type RollupFunction = (typeof rollupFunctions)[number];

/** Records whose cells one cell shows, when they are found by a filter. */
export const mostLookedUp = 5_000;

const LookupOptions = Type.Object(
  {
    linkFieldId: Type.Optional(Type.String({ maxLength: 100, description: 'The link field of this table.' })),
    foreignTableId: Type.Optional(Type.String({ maxLength: 100, description: 'The table that it leads to.' })),
    lookupFieldId: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The field of that table whose cells are shown. A count needs none.',
      }),
    ),
    filter: Type.Optional(
      Type.Unknown({
        description:
          'Only records that meet it count. Without a link a value may be a cell of this table: `{type: "field", fieldId}`.',
      }),
    ),
    sort: Type.Optional(
      Type.Union(
        [Type.Object({ fieldId: Type.String({ maxLength: 100 }), order: Type.Enum(['asc', 'desc']) }), Type.Null()],
        { description: 'By a field of the other table, in place of the order of the link.' },
      ),
    ),
    limit: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: mostLookedUp }), Type.Null()], {
        description: 'Only the first so many records.',
      }),
    ),
  },
  {
    description:
      'Of lookups, rollups and counts: which cells of which records. The server adds relationship and keys of the link.',
  },
);
export type LookupOptions = Static<typeof LookupOptions>;

const FieldOptions = Type.Record(Type.String(), Type.Unknown(), {
  description: 'What the type can be told; see the guide for the options of each type.',
});

export const Field = Type.Object({
  id: fieldId,
  name: Type.String(),
  type: FieldTypeName,
  description: Type.Optional(Type.String()),
  options: FieldOptions,
  cellValueType: CellValueType,
  dbFieldType: DbFieldType,
  dbFieldName: Type.String({ description: 'Name of the column in the database.' }),
  isPrimary: Type.Optional(Type.Literal(true, { description: 'Its cells are the names of the records.' })),
  isComputed: Type.Optional(Type.Literal(true, { description: 'Its cells cannot be written.' })),
  isMultipleCellValue: Type.Optional(Type.Literal(true, { description: 'A cell is a list.' })),
  notNull: Type.Optional(Type.Literal(true, { description: 'No cell may be empty.' })),
  unique: Type.Optional(Type.Literal(true, { description: 'No two records may have the same cell.' })),
  isPending: Type.Optional(
    Type.Literal(true, {
      description: 'Its cells are being computed in the background. What is read meanwhile is right, and slower.',
    }),
  ),
  isLookup: Type.Optional(
    Type.Literal(true, { description: 'It shows the cells of linked records; its type is that of their field.' }),
  ),
  isConditionalLookup: Type.Optional(
    Type.Literal(true, { description: 'It shows the cells of records that a filter finds, without a link.' }),
  ),
  lookupOptions: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Which cells of which records a lookup, rollup or count shows.',
    }),
  ),
  hasError: Type.Optional(
    Type.Literal(true, {
      description: 'A field that it needs is gone: its cells are empty until that is back or the formula is changed.',
    }),
  ),
});
export type Field = Static<typeof Field>;

const definition = {
  type: FieldTypeName,
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  dbFieldName: Type.Optional(DbFieldName),
  options: Type.Optional(FieldOptions),
  unique: Type.Optional(Type.Boolean({ description: 'No two records may have the same cell.' })),
  notNull: Type.Optional(Type.Boolean({ description: 'No cell may be empty.' })),
  isLookup: Type.Optional(
    Type.Boolean({
      description:
        'Show cells of linked records, as `lookupOptions` says. The type is that of the field that is looked up.',
    }),
  ),
  isConditionalLookup: Type.Optional(
    Type.Boolean({
      description: 'Of a lookup: its records are found by the filter in `lookupOptions`, without a link.',
    }),
  ),
  lookupOptions: Type.Optional(LookupOptions),
};

export const NewField = Type.Object({
  id: Type.Optional(
    Type.String({
      pattern: '^fld[0-9A-Za-z]{16}$',
      description:
        'An id of your own, so that formulas in the same request can name the field. Made by the server if left out.',
    }),
  ),
  ...definition,
  order: Type.Optional(
    Type.Object(
      { viewId: Type.String({ maxLength: 100 }), orderIndex: Type.Number() },
      { description: 'Where the column stands in one view.' },
    ),
  ),
});
export type NewField = Static<typeof NewField>;

const tag = 'field';

export const createField = endpoint({
  name: 'createField',
  method: 'POST',
  path: '/table/:tableId/field',
  summary: 'Create a field',
  description: 'A name that is taken gets " 2", " 3" … appended.',
  tag,
  access: { on: 'table', action: 'field|create' },
  params: Type.Object({ tableId }),
  body: NewField,
  status: 201,
  response: Field,
});

export const listFields = endpoint({
  name: 'listFields',
  method: 'GET',
  path: '/table/:tableId/field',
  summary: 'List fields',
  tag,
  access: { on: 'table', action: 'field|read' },
  params: Type.Object({ tableId }),
  query: Type.Object({
    viewId: Type.Optional(Type.String({ maxLength: 100, description: 'In the order of this view.' })),
    filterHidden: Type.Optional(Type.Boolean({ description: 'Leave out what the view hides.' })),
    projection: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), { maxItems: 2_000, description: 'Only these fields.' }),
    ),
  }),
  status: 200,
  response: Type.Array(Field),
});

export const getField = endpoint({
  name: 'getField',
  method: 'GET',
  path: '/table/:tableId/field/:fieldId',
  summary: 'Get a field',
  tag,
  access: { on: 'table', action: 'field|read' },
  params: Type.Object({ tableId, fieldId }),
  status: 200,
  response: Field,
});

export const updateField = endpoint({
  name: 'updateField',
  method: 'PATCH',
  path: '/table/:tableId/field/:fieldId',
  summary: 'Rename or describe a field',
  description: 'Type and options are changed by converting the field.',
  tag,
  access: { on: 'table', action: 'field|update' },
  params: Type.Object({ tableId, fieldId }),
  body: Type.Object({
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    dbFieldName: Type.Optional(DbFieldName),
  }),
  status: 200,
  response: Field,
});

export const convertField = endpoint({
  name: 'convertField',
  method: 'PUT',
  path: '/table/:tableId/field/:fieldId/convert',
  summary: 'Change type, options or constraints of a field',
  description:
    'Cells are carried over where the new type can hold them, and emptied where it cannot. A choice that keeps its id and changes its name is renamed in the cells; a choice that is left out is taken from them.',
  tag,
  access: { on: 'table', action: 'field|update' },
  params: Type.Object({ tableId, fieldId }),
  body: Type.Object({
    ...definition,
    dateOrder: Type.Optional(DateOrder),
    before: Type.Optional(
      Type.Object(
        { type: FieldTypeName, options: FieldOptions },
        {
          description:
            'The type and options that the change was made from. If the field has others by now, nothing is changed; the answer is 409, with the present ones in `data.present`.',
        },
      ),
    ),
  }),
  status: 200,
  response: Field,
});

export const duplicateField = endpoint({
  name: 'duplicateField',
  method: 'POST',
  path: '/table/:tableId/field/:fieldId/duplicate',
  summary: 'Duplicate a field with its cells',
  tag,
  access: { on: 'table', action: 'field|create' },
  params: Type.Object({ tableId, fieldId }),
  body: Type.Object({
    name: Name,
    viewId: Type.Optional(
      Type.String({ maxLength: 100, description: 'Put the copy beside the original in this view.' }),
    ),
  }),
  status: 201,
  response: Field,
});

export const deleteField = endpoint({
  name: 'deleteField',
  method: 'DELETE',
  path: '/table/:tableId/field/:fieldId',
  summary: 'Delete a field',
  tag,
  access: { on: 'table', action: 'field|delete' },
  params: Type.Object({ tableId, fieldId }),
  status: 200,
});

export const deleteFields = endpoint({
  name: 'deleteFields',
  method: 'DELETE',
  path: '/table/:tableId/field',
  summary: 'Delete several fields',
  tag,
  access: { on: 'table', action: 'field|delete' },
  params: Type.Object({ tableId }),
  query: Type.Object({ fieldIds: Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 1_000 }) }),
  status: 200,
});
