// Finding bases, tables, folders and automations of a space by their names.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';

const found = ['base', 'table', 'folder', 'workflow', 'dashboard'] as const;
export type FoundType = (typeof found)[number];

export const searchSpace = endpoint({
  name: 'searchSpace',
  method: 'GET',
  path: '/space/:spaceId/search',
  summary: 'Find bases, tables, folders, automations and dashboards of a space by their names',
  description:
    'What you see of them, the newest first; without regard to case and accents. Tables and folders need the scope `table|read`, automations `automation|read`, dashboards `base|read`.',
  tag: 'space',
  access: { on: 'space', action: 'base|read' },
  params: Type.Object({ spaceId: Type.String({ maxLength: 100, description: 'Id of the space.' }) }),
  query: Type.Object({
    search: text({ minLength: 1, maxLength: 255, description: 'Part of the name.' }),
    type: Type.Optional(Type.Enum([...found], { description: 'Only these; `workflow`: automations.' })),
    pageSize: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, description: 'How many at most; 10 when absent.' }),
    ),
    cursor: Type.Optional(Type.String({ maxLength: 200, description: '`nextCursor` of the page before.' })),
  }),
  status: 200,
  response: Type.Object({
    list: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        type: Type.Enum([...found]),
        icon: Type.Union([Type.String(), Type.Null()]),
        baseId: Type.String(),
        baseName: Type.String(),
        createdTime: Type.String(),
        createdUser: Type.Optional(
          Type.Object({
            id: Type.String(),
            name: Type.String(),
            avatar: Type.Union([Type.String(), Type.Null()]),
          }),
        ),
      }),
    ),
    total: Type.Integer({ description: 'Of all pages.' }),
    nextCursor: Type.Union([Type.String(), Type.Null()]),
  }),
});
