// What a change of a field would do, told before it is made.
import { type Static, Type } from 'typebox';
import { DateOrder } from './date-order.ts';
import { endpoint } from './endpoint.ts';
import { CellValueType, convertField, NewField } from './field.ts';

const tag = 'field';
const tableId = Type.String({ maxLength: 100, description: 'Id of the table.' });
const fieldId = Type.String({ maxLength: 100, description: 'Id of the field.' });

const FieldGraph = Type.Object(
  {
    nodes: Type.Array(
      Type.Object({
        id: Type.String(),
        label: Type.String(),
        comboId: Type.String({ description: 'Its table.' }),
        fieldType: Type.String(),
        isLookup: Type.Optional(Type.Boolean()),
        isSelected: Type.Boolean({ description: 'The field itself.' }),
      }),
    ),
    edges: Type.Array(
      Type.Object({
        source: Type.String(),
        target: Type.String({ description: 'The field that needs the source.' }),
        label: Type.String({ description: 'The type of the target, or `lookup`.' }),
      }),
    ),
    combos: Type.Array(Type.Object({ id: Type.String(), label: Type.String() }), { description: 'The tables.' }),
  },
  {
    description:
      'The fields that need the field, directly or through others, also of other tables, and what else each of them needs.',
  },
);
export type FieldGraph = Static<typeof FieldGraph>;

const Estimate = Type.Object({
  estimateTime: Type.Number({ description: 'Milliseconds, roughly.' }),
  updateCellCount: Type.Integer({
    description:
      'Cells of the field and of the fields that need it: of formulas all, of links and what is looked up those of records that are linked. What is computed at read is not among them.',
  }),
  linkFieldCount: Type.Optional(
    Type.Integer({ description: 'Links that show this field as the title of their records.' }),
  ),
  graph: FieldGraph,
});

const Preview = Type.Optional(
  Type.Object(
    {
      cellValueType: CellValueType,
      isMultipleCellValue: Type.Boolean(),
      text: Type.Optional(
        Type.String({
          description:
            'Its cell in the record that was named, or else in the first one, as people see it. Absent when it is empty or there is no record.',
        }),
      ),
    },
    { description: 'Of a formula: what it gives.' },
  ),
);

const previewed = Type.Object({
  recordId: Type.Optional(Type.String({ maxLength: 100, description: 'For which record a formula is tried.' })),
});

export const planField = endpoint({
  name: 'planField',
  method: 'GET',
  path: '/table/:tableId/field/:fieldId/plan',
  summary: 'Estimate the work of recalculating a field',
  tag,
  access: { on: 'table', action: 'field|read' },
  params: Type.Object({ tableId, fieldId }),
  status: 200,
  response: Estimate,
});

export const planFieldCreate = endpoint({
  name: 'planFieldCreate',
  method: 'POST',
  path: '/table/:tableId/field/plan',
  summary: 'Estimate the work of creating a field',
  tag,
  access: { on: 'table', action: 'field|create' },
  params: Type.Object({ tableId }),
  query: previewed,
  body: NewField,
  status: 201,
  response: Type.Object({ ...Estimate.properties, preview: Preview }),
});

export const planFieldConvert = endpoint({
  name: 'planFieldConvert',
  method: 'PUT',
  path: '/table/:tableId/field/:fieldId/plan',
  summary: 'Estimate the work of converting a field',
  tag,
  access: { on: 'table', action: 'field|update' },
  params: Type.Object({ tableId, fieldId }),
  query: previewed,
  body: Type.Omit(convertField.body, ['before']),
  status: 200,
  response: Type.Object({
    ...Estimate.properties,
    preview: Preview,
    skip: Type.Optional(Type.Boolean({ description: 'No cell changes.' })),
    filledCellCount: Type.Optional(Type.Integer({ description: 'Cells that hold something now.' })),
    lostCellCount: Type.Optional(
      Type.Integer({ description: 'Of those, cells that would be emptied, or of which only a part would stay.' }),
    ),
    lostExamples: Type.Optional(
      Type.Array(Type.Object({ text: Type.String(), count: Type.Integer() }), {
        description: 'The most frequent cells that would be lost, as people see them, and how often each is there.',
      }),
    ),
    changedCellCount: Type.Optional(
      Type.Integer({
        description:
          'Cells that would be filled, with something else than they hold now: a number cut to a rating, words that become yes or no.',
      }),
    ),
    changedExamples: Type.Optional(
      Type.Array(Type.Object({ text: Type.String(), becomes: Type.String(), count: Type.Integer() }), {
        description: 'The most frequent of these, as people see them before and after.',
      }),
    ),
    ambiguousDates: Type.Optional(
      Type.Object(
        {
          order: DateOrder,
          by: Type.Enum(['column', 'guess']),
          count: Type.Integer(),
          example: Type.Optional(Type.String()),
        },
        {
          description:
            'Dates that could be read in another way, too, and how they would be read: by the other dates of the column, or by `dateOrder`.',
        },
      ),
    ),
  }),
});

export const planFieldDelete = endpoint({
  name: 'planFieldDelete',
  method: 'DELETE',
  path: '/table/:tableId/field/:fieldId/plan',
  summary: 'Estimate the work of deleting a field',
  tag,
  access: { on: 'table', action: 'field|delete' },
  params: Type.Object({ tableId, fieldId }),
  status: 200,
  response: Estimate,
});
