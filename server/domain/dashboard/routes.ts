import * as contract from '@rowhouse/contract/dashboard.ts';
import { Answer, type Route, route } from '../../endpoint/route.ts';
import {
  createDashboard,
  deleteDashboard,
  duplicateDashboard,
  renameDashboard,
  setDashboardFilters,
} from './change-dashboard.ts';
import {
  createDashboardItem,
  duplicateDashboardPlugin,
  installDashboardPlugin,
  removeDashboardPlugin,
  renameDashboardPlugin,
  setDashboardLayout,
  setDashboardPluginStorage,
  updateDashboardItem,
} from './change-item.ts';
import { getChartData, previewChart } from './get-chart-data.ts';
import { queryDashboardPlugin } from './query-plugin.ts';
import { getDashboard, getDashboardPlugin, listDashboards } from './read-dashboards.ts';

export const dashboardRoutes: Route[] = [
  route(contract.listDashboards, (context, { params }) => listDashboards(context, params.baseId)),
  route(contract.createDashboard, (context, { params, body }) => createDashboard(context, params.baseId, body.name)),
  route(contract.getDashboard, (context, { params }) => getDashboard(context, params)),
  route(contract.renameDashboard, (context, { params, body }) => renameDashboard(context, params, body.name)),
  route(contract.deleteDashboard, (context, { params }) => deleteDashboard(context, params)),
  // The body may be left out altogether, which the type of the contract cannot say.
  route(contract.duplicateDashboard, (context, { params, body }) => duplicateDashboard(context, params, body?.name)),
  route(contract.setDashboardLayout, (context, { params, body }) => setDashboardLayout(context, params, body.layout)),
  route(contract.setDashboardFilters, (context, { params, body }) =>
    setDashboardFilters(context, params, body.filters),
  ),
  route(contract.createDashboardItem, (context, { params, body }) => createDashboardItem(context, params, body)),
  route(contract.updateDashboardItem, (context, { params, body }) => updateDashboardItem(context, params, body)),
  route(contract.getChartData, (context, { params, query, headers }) =>
    getChartData(context, params, query.filters, headers['if-none-match']),
  ),
  route(contract.previewChart, (context, { params, body }) => previewChart(context, params.baseId, body)),
  route(contract.installDashboardPlugin, (context, { params, body }) => installDashboardPlugin(context, params, body)),
  route(contract.getDashboardPlugin, (context, { params }) => getDashboardPlugin(context, params)),
  route(contract.removeDashboardPlugin, (context, { params }) => removeDashboardPlugin(context, params)),
  route(contract.renameDashboardPlugin, (context, { params, body }) =>
    renameDashboardPlugin(context, params, body.name),
  ),
  route(contract.setDashboardPluginStorage, (context, { params, body }) =>
    setDashboardPluginStorage(context, params, body.storage),
  ),
  route(contract.duplicateDashboardPlugin, (context, { params, body }) =>
    duplicateDashboardPlugin(context, params, body?.name),
  ),
  route(
    contract.queryDashboardPlugin,
    async (context, { params, query }) => new Answer({ text: await queryDashboardPlugin(context, params, query) }),
  ),
];
