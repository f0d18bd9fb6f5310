import { chartPluginId, type Dashboard, DashboardFilter, type DashboardShare } from '@rowhouse/contract/dashboard.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { getDashboardPlugin as pluginEndpoint } from '@rowhouse/contract/dashboard.ts';
import { notFound } from '@rowhouse/contract/error.ts';
import { Compile } from 'typebox/compile';
import { can } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { selectDashboard, selectDashboards, selectItem, selectItems } from '../table/dashboard.sql.ts';
import { noDashboard, type OfDashboard } from './change-dashboard.ts';
import { type OfItem, sightFor, type SightOfTable, sightsFor } from './get-chart-data.ts';
import { itemVo, mayReadDefinitions, seesChart } from './item-vo.ts';
import { readChart } from './read-chart.ts';
import { isDrawn } from './compute-chart.ts';
import { selectDashboardShare } from './dashboard-share.sql.ts';

export const listDashboards = async ({ db }: Context, baseId: string): Promise<{ id: string; name: string }[]> =>
  (await selectDashboards(db, baseId)).map(({ id, name }) => ({ id, name }));

const filterForm = Compile(DashboardFilter);
/** The file of a base may say anything. */
const isFilter = (given: unknown): given is DashboardFilter => filterForm.Check(given);

/** Without the fields that the reader does not see. */
const seenFilters = async (sights: SightOfTable, filters: readonly DashboardFilter[]): Promise<DashboardFilter[]> => {
  const seen: DashboardFilter[] = [];
  for (const filter of filters) {
    const fields: DashboardFilter['fields'] = [];
    for (const field of filter.fields)
      if ((await sights(field.tableId))?.byId.has(field.fieldId) === true) fields.push(field);
    if (fields.length > 0) seen.push({ ...filter, fields });
  }
  return seen;
};

const shareVo = async ({ db }: Context, dashboardId: string): Promise<DashboardShare | undefined> => {
  const share = await selectDashboardShare(db, { dashboardId });
  return share === undefined
    ? undefined
    : { shareId: share.shareId, hasPassword: share.passwordHash !== null, sharedBy: share.sharedBy.userId };
};

export const getDashboard = async (context: Context, { baseId, dashboardId }: OfDashboard): Promise<Dashboard> => {
  const { db, access } = context;
  const found = await selectDashboard(db, baseId, dashboardId);
  if (found === undefined) throw noDashboard(dashboardId);
  const rows = await selectItems(db, dashboardId);
  const items: Dashboard['items'] = [];
  const sights = sightsFor(context, baseId);
  for (const row of rows) items.push(await itemVo(context, sights, row));
  const mayChange = can(access, 'base|update');
  const share = mayChange ? await shareVo(context, dashboardId) : undefined;
  return {
    id: found.id,
    name: found.name,
    layout: items.map(({ id, x, y, w, h }) => ({ pluginInstallId: id, x, y, w, h })),
    pluginMap: Object.fromEntries(items.map(({ id, name }) => [id, { id: chartPluginId, pluginInstallId: id, name }])),
    items,
    filters: await seenFilters(sights, found.filters.filter(isFilter)),
    mayChange,
    ...(share === undefined ? {} : { share }),
  };
};

/** What is stored tells what a chart names: it is shown as the chart is. What is no chart is shown to those who see the whole base. */
export const getDashboardPlugin = async (
  context: Context,
  params: OfItem,
): Promise<ResponseOf<typeof pluginEndpoint>> => {
  const { baseId, itemId } = params;
  const item = await selectItem(context.db, params);
  if (item === undefined) throw notFound('Plugin', itemId.slice(0, 50));
  const chart = readChart(item.storage);
  const isBound = context.access.rights.bound !== undefined;
  const sight =
    chart !== undefined && isBound && isDrawn(chart) ? await sightFor(context, baseId, chart.tableId) : undefined;
  const isShown =
    mayReadDefinitions(context.access) && (chart === undefined ? !isBound : seesChart(chart, sight, isBound));
  return {
    pluginId: chartPluginId,
    pluginInstallId: item.id,
    baseId,
    name: item.name,
    ...(item.storage === null || !isShown ? {} : { storage: item.storage }),
  };
};
