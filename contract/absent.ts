// What clients of Teable ask for and Rowhouse does not have: the answer is its empty value, so that they go on.
import { type TSchema, Type } from 'typebox';
import { type Declaration, endpoint, type Requirement } from './endpoint.ts';

const id = Type.String({ maxLength: 100 });
const inSpace = { access: { on: 'space', action: 'space|read' }, params: Type.Object({ spaceId: id }) } as const;
const inBase = { access: { on: 'base', action: 'base|read' }, params: Type.Object({ baseId: id }) } as const;
const inTable = { access: { on: 'table', action: 'table|read' }, params: Type.Object({ tableId: id }) } as const;
const ofRecords = { access: { on: 'table', action: 'record|read' }, params: Type.Object({ tableId: id }) } as const;
const ofTable = {
  access: { on: 'table', action: 'table|read' },
  params: Type.Object({ baseId: id, tableId: id }),
} as const;
const forUsers = { access: { on: 'user' } } as const;
const forAdmins = { access: { on: 'admin' } } as const;

const none = Type.Array(Type.Never(), { maxItems: 0 });
const optional = (names: readonly string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.String({ maxLength: 1_000 }))])));

interface Where {
  access: Requirement;
  params?: TSchema;
}

const absent = (
  name: string,
  path: string,
  summary: string,
  where: Where,
  response: TSchema | undefined,
  more: Partial<Pick<Declaration, 'query' | 'method'>> = {},
) =>
  endpoint({
    name,
    method: 'GET',
    path,
    summary: `${summary}: none`,
    description: 'There is nothing of the kind here. It answers for clients that ask.',
    tag: 'absent',
    ...where,
    status: 200,
    ...(response === undefined ? {} : { response }),
    ...more,
  } as Declaration);

/** Each with the value that it answers. */
export const absences: readonly (readonly [Declaration, unknown])[] = [
  [
    absent(
      'getOpenTasks',
      '/table/:tableId/aggregation/task-status-collection',
      'Cells that an AI is filling',
      ofRecords,
      Type.Object({ cells: none, fieldMap: Type.Object({}) }),
    ),
    { cells: [], fieldMap: {} },
  ],
  [
    absent('getAiConfig', '/:baseId/ai/config', 'Models of a base', inBase, Type.Object({ llmProviders: none })),
    { llmProviders: [] },
  ],
  [absent('listIntegrations', '/space/:spaceId/integration', 'Integrations of a space', inSpace, none), []],
  [
    absent(
      'getAiSetting',
      '/space/:spaceId/public/ai-setting',
      'Models of a space',
      inSpace,
      Type.Object({ enable: Type.Boolean(), llmProviders: none }),
    ),
    { enable: false, llmProviders: [] },
  ],
  [absent('listPlugins', '/plugin', 'Plugins of the caller', forUsers, none), []],
  [
    absent('listPublishedPlugins', '/plugin/center/list', 'Published plugins', forUsers, none, {
      query: Type.Object({
        ids: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 1_000 })),
        positions: Type.Optional(Type.String({ maxLength: 1_000 })),
      }),
    }),
    [],
  ],
  [absent('listPluginPanels', '/table/:tableId/plugin-panel', 'Plugin panels of a table', inTable, none), []],
  [
    absent('listPluginMenus', '/table/:tableId/plugin-context-menu', 'Plugins in the menu of a table', inTable, none),
    [],
  ],
  [absent('listWaiting', '/auth/waitlist', 'Who waits for an account', forAdmins, none), []],
  [
    absent(
      'listBrokenSearchIndexes',
      '/base/:baseId/table/:tableId/abnormal-index',
      'Indexes for searching that need a repair',
      ofTable,
      none,
      { query: optional(['type']) },
    ),
    [],
  ],
];
