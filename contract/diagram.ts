// The tables of a base with their fields, and what joins them: for a picture of the base.
import { Type } from 'typebox';
import { baseParams } from './collaborator.ts';
import { endpoint } from './endpoint.ts';
import { fieldTypes, relationships } from './field.ts';

const End = Type.Object({
  tableId: Type.String(),
  tableName: Type.String(),
  fieldId: Type.String(),
  fieldName: Type.String(),
});

export const getBaseDiagram = endpoint({
  name: 'getBaseDiagram',
  method: 'GET',
  path: '/base/:baseId/erd',
  summary: 'The tables of a base, and what joins them',
  description:
    'Tables and fields that you see. An edge goes from a link to the field at its other end, or to the title of the records that it leads to; from a field to the lookup or rollup that shows it.',
  tag: 'base',
  access: { on: 'base', action: 'table|read' },
  params: baseParams,
  status: 200,
  response: Type.Object({
    baseId: Type.String(),
    nodes: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Of the table.' }),
        name: Type.String(),
        icon: Type.Optional(Type.String()),
        fields: Type.Array(
          Type.Object({
            id: Type.String(),
            name: Type.String(),
            type: Type.Enum([...fieldTypes]),
            isLookup: Type.Optional(Type.Boolean()),
            isPrimary: Type.Optional(Type.Boolean()),
          }),
        ),
      }),
    ),
    edges: Type.Array(
      Type.Object({
        source: End,
        target: End,
        relationship: Type.Optional(Type.Enum([...relationships])),
        isOneWay: Type.Optional(Type.Boolean()),
        type: Type.Enum([...fieldTypes, 'lookup']),
      }),
    ),
  }),
});
