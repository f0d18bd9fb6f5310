// Dashboards of a base: charts on a grid of 12 columns. Teable's clients know an item as an installed plugin; here all of them are charts.
import { type Static, Type } from 'typebox';
import { queryBase } from './base-query.ts';
import { Chart, chartTypes, Look } from './chart.ts';
import { ChartData, Problem } from './chart-data.ts';
import { endpoint } from './endpoint.ts';
import { Name } from './field.ts';
import { Filter } from './filter.ts';

/** Of an item, for Teable's clients. */
export const chartPluginId = 'plgchart';
export const gridColumns = 12;
export const mostItems = 100;

const tag = 'dashboard';
const id = (of: string) => Type.String({ maxLength: 100, description: `Id of the ${of}.` });
const baseId = id('base');
const dashboardId = id('dashboard');
const path = '/base/:baseId/dashboard';
const ofBase = Type.Object({ baseId });
const ofDashboard = Type.Object({ baseId, dashboardId });
const itemId = id('item');
const ofItem = Type.Object({ baseId, dashboardId, itemId });
const mayRead = { on: 'base', action: 'base|read' } as const;
const mayChange = { on: 'base', action: 'base|update' } as const;

const cells = (least: number, most: number) => Type.Integer({ minimum: least, maximum: most });
const place = {
  x: cells(0, gridColumns - 1),
  y: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Further down than all others: below them.',
  }),
  w: cells(1, gridColumns),
  h: cells(1, 100),
};
const Layout = Type.Array(Type.Object({ pluginInstallId: itemId, ...place }), { maxItems: mostItems });

const optional = <T extends Record<string, Type.TSchema>>(schemas: T) => Type.Partial(Type.Object(schemas)).properties;

export const DashboardItem = Type.Object({
  id: Type.String({ description: 'Begins with `pli`.' }),
  name: Type.String(),
  ...place,
  version: Type.Integer({ description: 'Grows with every change of the name or chart.' }),
  type: Type.Union([Type.Enum(chartTypes), Type.Null()], {
    description: 'Null when what is stored is no chart that is understood.',
  }),
  look: Type.Optional(Look),
  chart: Type.Optional(
    Type.Union([Chart], {
      description: 'Absent when the reader does not see all that it names, and in shares but for texts.',
    }),
  ),
  problems: Type.Optional(Type.Array(Problem, { description: 'It is broken: why.' })),
});
export type DashboardItem = Static<typeof DashboardItem>;

export const DashboardFilter = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 40 }),
    name: Name,
    fields: Type.Array(Type.Object({ tableId: id('table'), fieldId: id('field') }), {
      minItems: 1,
      maxItems: 20,
      description: 'What is filtered, one field of each table.',
    }),
  },
  { additionalProperties: false },
);
export type DashboardFilter = Static<typeof DashboardFilter>;

export const DashboardShare = Type.Object({
  shareId: Type.String({ description: 'Of the address, `/share/{shareId}/dashboard`.' }),
  hasPassword: Type.Boolean(),
  sharedBy: Type.String({ description: 'A user id: visitors see what this person may see.' }),
});

export type DashboardShare = Static<typeof DashboardShare>;

const Labels = Type.Object({ id: Type.String({ description: 'Begins with `dsh`.' }), name: Type.String() });
const Dashboard = Type.Object({
  ...Labels.properties,
  layout: Type.Optional(Layout),
  pluginMap: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({
        id: Type.String({ description: 'Of the plugin.' }),
        pluginInstallId: Type.String(),
        name: Type.String(),
        url: Type.Optional(Type.String()),
      }),
      { description: 'By id of the item.' },
    ),
  ),
  items: Type.Array(DashboardItem, { description: 'From the top left on.' }),
  filters: Type.Array(DashboardFilter, {
    description: 'Offered to readers; only what the reader sees.',
  }),
  mayChange: Type.Boolean({ description: 'Whether the reader may.' }),
  share: Type.Optional(
    Type.Union([DashboardShare], { description: 'For those who may change it. Absent when it is not shared.' }),
  ),
});
export type Dashboard = Static<typeof Dashboard>;

export const listDashboards = endpoint({
  name: 'listDashboards',
  method: 'GET',
  path,
  summary: 'List dashboards',
  tag,
  access: mayRead,
  params: ofBase,
  status: 200,
  response: Type.Array(Labels),
});

export const createDashboard = endpoint({
  name: 'createDashboard',
  method: 'POST',
  path,
  summary: 'Create a dashboard',
  description: 'A name that is taken gets " 2", " 3" … appended.',
  tag,
  access: mayChange,
  params: ofBase,
  body: Type.Object({ name: Name }),
  status: 201,
  response: Labels,
});

export const getDashboard = endpoint({
  name: 'getDashboard',
  method: 'GET',
  path: `${path}/:dashboardId`,
  summary: 'Get a dashboard with its charts',
  tag,
  access: mayRead,
  params: ofDashboard,
  status: 200,
  response: Dashboard,
});

export const renameDashboard = endpoint({
  name: 'renameDashboard',
  method: 'PATCH',
  path: `${path}/:dashboardId/rename`,
  summary: 'Rename a dashboard',
  tag,
  access: mayChange,
  params: ofDashboard,
  body: Type.Object({ name: Name }),
  status: 200,
  response: Labels,
});

export const deleteDashboard = endpoint({
  name: 'deleteDashboard',
  method: 'DELETE',
  path: `${path}/:dashboardId`,
  summary: 'Move a dashboard to the trash',
  tag,
  access: mayChange,
  params: ofDashboard,
  status: 200,
});

export const duplicateDashboard = endpoint({
  name: 'duplicateDashboard',
  method: 'POST',
  path: `${path}/:dashboardId/duplicate`,
  summary: 'Duplicate a dashboard',
  tag,
  access: mayChange,
  params: ofDashboard,
  body: Type.Object({ name: Type.Optional(Name) }),
  bodyOptional: true,
  status: 200,
  response: Labels,
});

export const setDashboardLayout = endpoint({
  name: 'setDashboardLayout',
  method: 'PATCH',
  path: `${path}/:dashboardId/layout`,
  summary: 'Arrange the items of a dashboard',
  description: 'Items that are not named stay where they are.',
  tag,
  access: mayChange,
  params: ofDashboard,
  body: Type.Object({ layout: Layout }),
  status: 200,
  response: Type.Object({ id: Type.String(), layout: Layout }),
});

export const setDashboardFilters = endpoint({
  name: 'setDashboardFilters',
  method: 'PUT',
  path: `${path}/:dashboardId/filters`,
  summary: 'Set which filters a dashboard offers to its readers',
  tag,
  access: mayChange,
  params: ofDashboard,
  body: Type.Object({ filters: Type.Array(DashboardFilter, { maxItems: 20 }) }),
  status: 200,
  response: Type.Object({ filters: Type.Array(DashboardFilter) }),
});

export const createDashboardItem = endpoint({
  name: 'createDashboardItem',
  method: 'POST',
  path: `${path}/:dashboardId/item`,
  summary: 'Add a chart to a dashboard',
  description: `At most ${mostItems}. Below all others when no place is given. What the chart names has to be there, and be seen.`,
  tag,
  access: mayChange,
  params: ofDashboard,
  body: Type.Object({ name: Name, chart: Chart, ...optional(place) }),
  status: 201,
  response: DashboardItem,
});

export const updateDashboardItem = endpoint({
  name: 'updateDashboardItem',
  method: 'PATCH',
  path: `${path}/:dashboardId/item/:itemId`,
  summary: 'Change a chart of a dashboard',
  tag,
  access: mayChange,
  params: ofItem,
  body: Type.Object({
    name: Type.Optional(Name),
    chart: Type.Optional(Chart),
    version: Type.Optional(
      Type.Integer({ description: 'That the change was made on: 409 when somebody changed it since.' }),
    ),
  }),
  status: 200,
  response: DashboardItem,
});

const filters = Type.Optional(
  Type.String({
    maxLength: 100_000,
    description:
      'Filters of the reader as JSON: `[{"tableId": "tbl…", "filter": {"conjunction": "and", "filterSet": […]}}]`. Each narrows the charts of its table.',
  }),
);

export const getChartData = endpoint({
  name: 'getChartData',
  method: 'GET',
  path: `${path}/:dashboardId/item/:itemId/data`,
  summary: 'What a chart shows',
  description:
    'Of the records and fields that the caller sees. The answer has an `ETag`; asked with it as `If-None-Match`, it is 304 and costs little while nothing has changed. A token needs `record|read`.',
  tag,
  access: mayRead,
  params: ofItem,
  query: Type.Object({ filters }),
  headers: Type.Object({ 'If-None-Match': Type.Optional(Type.String()) }),
  status: 200,
  response: ChartData,
});

export const previewChart = endpoint({
  name: 'previewChart',
  method: 'POST',
  path: '/base/:baseId/chart-data',
  summary: 'What a chart would show',
  description: 'Nothing is stored. A token needs `record|read`.',
  tag,
  access: mayRead,
  params: ofBase,
  body: Type.Object({
    chart: Chart,
    filters: Type.Optional(Type.Array(Type.Object({ tableId: id('table'), filter: Filter }), { maxItems: 50 })),
  }),
  status: 200,
  response: ChartData,
});

const Installed = Type.Object({ id: Type.String(), pluginInstallId: Type.String(), name: Type.String() });
const Storage = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  maxProperties: 100,
  description:
    "`{chart}`: a chart of ours; `{query, config}`: as Teable's chart plugin stores it, which is shown where it says the same as one of ours.",
});

export const installDashboardPlugin = endpoint({
  name: 'installDashboardPlugin',
  method: 'POST',
  path: `${path}/:dashboardId/plugin`,
  summary: 'Add an empty item to a dashboard',
  description: `For Teable's clients. \`${chartPluginId}\` is the only plugin.`,
  tag,
  access: mayChange,
  params: ofDashboard,
  body: Type.Object({ name: Name, pluginId: id('plugin') }),
  status: 201,
  response: Type.Object({ ...Installed.properties, pluginId: Type.String() }),
});

export const getDashboardPlugin = endpoint({
  name: 'getDashboardPlugin',
  method: 'GET',
  path: `${path}/:dashboardId/plugin/:itemId`,
  summary: 'Get what an item of a dashboard stores',
  tag,
  access: mayRead,
  params: ofItem,
  status: 200,
  response: Type.Object({
    pluginId: Type.String(),
    pluginInstallId: Type.String(),
    baseId: Type.String(),
    name: Type.String(),
    storage: Type.Optional(Storage),
  }),
});

export const removeDashboardPlugin = endpoint({
  name: 'removeDashboardPlugin',
  method: 'DELETE',
  path: `${path}/:dashboardId/plugin/:itemId`,
  summary: 'Remove an item from a dashboard',
  tag,
  access: mayChange,
  params: ofItem,
  status: 200,
});

export const renameDashboardPlugin = endpoint({
  name: 'renameDashboardPlugin',
  method: 'PATCH',
  path: `${path}/:dashboardId/plugin/:itemId/rename`,
  summary: 'Rename an item of a dashboard',
  tag,
  access: mayChange,
  params: ofItem,
  body: Type.Object({ name: Name }),
  status: 200,
  response: Installed,
});

export const setDashboardPluginStorage = endpoint({
  name: 'setDashboardPluginStorage',
  method: 'PATCH',
  path: `${path}/:dashboardId/plugin/:itemId/update-storage`,
  summary: 'Replace what an item of a dashboard stores',
  tag,
  access: mayChange,
  params: ofItem,
  body: Type.Object({ storage: Type.Optional(Storage) }),
  status: 200,
  response: Type.Object({
    baseId: Type.String(),
    dashboardId: Type.String(),
    pluginInstallId: Type.String(),
    storage: Type.Optional(Storage),
  }),
});

export const duplicateDashboardPlugin = endpoint({
  name: 'duplicateDashboardPlugin',
  method: 'POST',
  path: `${path}/:dashboardId/plugin/:itemId/duplicate`,
  summary: 'Duplicate an item of a dashboard',
  tag,
  access: mayChange,
  params: ofItem,
  body: Type.Object({ name: Type.Optional(Name) }),
  bodyOptional: true,
  status: 200,
  response: Labels,
});

export const queryDashboardPlugin = endpoint({
  name: 'queryDashboardPlugin',
  method: 'GET',
  path: '/plugin/chart/:itemId/dashboard/:dashboardId/query',
  summary: "What the query of an item finds, for Teable's chart plugin",
  description: 'The query is that of `storage`, as in `/base/{baseId}/query`. 400 when there is none.',
  tag,
  access: { on: 'user', scope: 'base|read' },
  params: Type.Object({ itemId, dashboardId }),
  query: Type.Object({ baseId, cellFormat: queryBase.query.properties.cellFormat }),
  status: 200,
  response: queryBase.response,
});
