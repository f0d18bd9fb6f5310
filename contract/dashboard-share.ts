// Dashboards by their addresses, for people without an account: the charts, in the sight of the one who shared it.
import { Type } from 'typebox';
import { ChartData } from './chart-data.ts';
import { DashboardItem, DashboardShare, getChartData } from './dashboard.ts';
import { endpoint } from './endpoint.ts';
import { hiddenPassword } from './share-meta.ts';

const tag = 'dashboard';
const id = (of: string) => Type.String({ maxLength: 100, description: `Id of the ${of}.` });
const ofDashboard = Type.Object({ baseId: id('base'), dashboardId: id('dashboard') });
const mayChange = { on: 'base', action: 'base|update' } as const;
const path = '/base/:baseId/dashboard/:dashboardId/share';

export const shareDashboard = endpoint({
  name: 'shareDashboard',
  method: 'PUT',
  path,
  summary: 'Share a dashboard by an address',
  description:
    'Visitors see the charts as the caller sees them at that moment, and nothing that the caller does not see. What is left out stays as it is. A password needs a plan with `passwordRestrictedSharesEnable` (402); a new one ends what visitors had entered.',
  tag,
  access: mayChange,
  params: ofDashboard,
  body: Type.Object({
    password: Type.Optional(
      Type.Union([Type.String({ minLength: 3, maxLength: 128 }), Type.Null()], {
        description: `Asked for before anything is shown; null takes it away. Only its hash is kept; \`${hiddenPassword}\` stands for the one that is set.`,
      }),
    ),
    refresh: Type.Optional(Type.Boolean({ description: 'Give it a new address; the old one ends.' })),
  }),
  status: 200,
  response: DashboardShare,
});

export const unshareDashboard = endpoint({
  name: 'unshareDashboard',
  method: 'DELETE',
  path,
  summary: 'End the share of a dashboard',
  description: 'The address is another one the next time.',
  tag,
  access: mayChange,
  params: ofDashboard,
  status: 200,
});

const access = { on: 'public' } as const;
const params = Type.Object({ shareId: Type.String({ maxLength: 100, description: 'Of the address.' }) });

export const authDashboardShare = endpoint({
  name: 'authDashboardShare',
  method: 'POST',
  path: '/share/:shareId/dashboard/auth',
  summary: 'Enter the password of a shared dashboard',
  description:
    'Sets a cookie that holds for this share alone, for a week at most. Wrong: 400; after some wrong ones answers come slower, then 429.',
  tag,
  access,
  params,
  body: Type.Object({ password: Type.String({ minLength: 1, maxLength: 128 }) }),
  status: 200,
  response: Type.Object({ token: Type.String({ description: 'What the cookie holds.' }) }),
});

export const getSharedDashboard = endpoint({
  name: 'getSharedDashboard',
  method: 'GET',
  path: '/share/:shareId/dashboard',
  summary: 'Get a shared dashboard',
  description: '400 when there is no such share; 401 `unauthorized_share` when it wants a password first.',
  tag,
  access,
  params,
  status: 200,
  response: Type.Object({ name: Type.String(), items: Type.Array(DashboardItem) }),
});

export const getSharedChartData = endpoint({
  name: 'getSharedChartData',
  method: 'GET',
  path: '/share/:shareId/dashboard/item/:itemId/data',
  summary: 'What a chart of a shared dashboard shows',
  description: 'With an `ETag`, as for those who have an account. Without filters.',
  tag,
  access,
  params: Type.Object({ ...params.properties, itemId: id('item') }),
  headers: getChartData.headers,
  status: 200,
  response: ChartData,
});
