// What stands on a dashboard: charts, and what Teable's clients store for theirs. A chart is stored only when it could be drawn for the one who makes it.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import type { Chart } from '@rowhouse/contract/chart.ts';
import {
  chartPluginId,
  type createDashboardItem as createEndpoint,
  type DashboardItem,
  gridColumns,
  mostItems,
  type setDashboardLayout as layoutEndpoint,
  type updateDashboardItem as updateEndpoint,
} from '@rowhouse/contract/dashboard.ts';
import { conflict, invalid, notFound } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import {
  type DashboardItemRow,
  deleteItem,
  insertItems,
  placeItems,
  selectItems,
  updateItem,
} from '../table/dashboard.sql.ts';
import { changeDashboard, type OfDashboard } from './change-dashboard.ts';
import { isDrawn } from './compute-chart.ts';
import { type OfItem, sightFor, sightsFor } from './get-chart-data.ts';
import { itemVo } from './item-vo.ts';
import { noTable, resolveChart } from './resolve-chart.ts';

type GridPlace = Pick<DashboardItemRow, 'x' | 'y' | 'w' | 'h'>;
type Storage = DashboardItemRow['storage'];

/** Further down than this is below all others. */
const lowest = 100_000;

const noItem = (id: string): Error => notFound('Plugin', id.slice(0, 50));

/** Refuses what the caller could not look at: it would be broken from the beginning. */
const demandDrawable = async (context: Context, baseId: string, chart: Chart): Promise<void> => {
  if (!isDrawn(chart)) return;
  const sight = await sightFor(context, baseId, chart.tableId);
  const resolved = sight === undefined ? [noTable] : resolveChart(sight, chart);
  if (Array.isArray(resolved)) throw invalid(resolved.map(({ path, message }) => ({ path: `chart.${path}`, message })));
};

const bottomOf = (items: readonly GridPlace[]): number => items.reduce((most, { y, h }) => Math.max(most, y + h), 0);

const insert = async (
  tx: Tx,
  context: Context,
  dashboardId: string,
  given: { name: string; storage: Storage } & Partial<GridPlace>,
): Promise<DashboardItemRow> => {
  const items = await selectItems(tx, dashboardId);
  if (items.length >= mostItems)
    throw invalid({
      path: '',
      message: `A dashboard has at most ${mostItems} items`,
      expected: 'another dashboard, or fewer items',
    });
  const w = Math.min(given.w ?? 6, gridColumns);
  const bottom = bottomOf(items);
  const item = {
    id: context.newId('pli'),
    name: given.name,
    x: Math.min(given.x ?? 0, gridColumns - w),
    y: given.y === undefined || given.y > lowest ? bottom : given.y,
    w,
    h: given.h ?? 4,
    storage: given.storage,
  };
  await insertItems(tx, dashboardId, [item], context.principal.userId);
  return { ...item, version: 1 };
};

export const createDashboardItem = async (
  context: Context,
  params: OfDashboard,
  { name, chart, ...place }: BodyOf<typeof createEndpoint>,
): Promise<DashboardItem> => {
  await demandDrawable(context, params.baseId, chart);
  const item = await changeDashboard(context, params, (tx, { id }) =>
    insert(tx, context, id, { name, storage: { chart }, ...place }),
  );
  return itemVo(context, sightsFor(context, params.baseId), item);
};

const change = (
  context: Context,
  { baseId, dashboardId, itemId }: OfItem,
  edit: (item: DashboardItemRow, tx: Tx) => Partial<Pick<DashboardItemRow, 'name' | 'storage'>>,
): Promise<DashboardItemRow> =>
  changeDashboard(context, { baseId, dashboardId }, async (tx, { id }) => {
    const item = (await selectItems(tx, id)).find((one) => one.id === itemId);
    if (item === undefined) throw noItem(itemId);
    const changed = { ...item, ...edit(item, tx) };
    await updateItem(tx, changed);
    return { ...changed, version: item.version + 1 };
  });

export const updateDashboardItem = async (
  context: Context,
  params: OfItem,
  { name, chart, version }: BodyOf<typeof updateEndpoint>,
): Promise<DashboardItem> => {
  if (chart !== undefined) await demandDrawable(context, params.baseId, chart);
  const item = await change(context, params, (present) => {
    if (version !== undefined && version !== present.version)
      throw conflict('Somebody has changed this chart since; read it again', { version: present.version });
    return { ...(name === undefined ? {} : { name }), ...(chart === undefined ? {} : { storage: { chart } }) };
  });
  return itemVo(context, sightsFor(context, params.baseId), item);
};

const installedVo = ({ id, name }: Pick<DashboardItemRow, 'id' | 'name'>) => ({
  id: chartPluginId,
  pluginInstallId: id,
  name,
});

export const installDashboardPlugin = async (
  context: Context,
  params: OfDashboard,
  { name, pluginId }: { name: string; pluginId: string },
) => {
  if (pluginId !== chartPluginId) throw notFound('Plugin', pluginId.slice(0, 50));
  const item = await changeDashboard(context, params, (tx, { id }) =>
    insert(tx, context, id, { name, storage: null, w: 2, h: 2 }),
  );
  return { ...installedVo(item), pluginId };
};

export const renameDashboardPlugin = async (context: Context, params: OfItem, name: string) =>
  installedVo(await change(context, params, () => ({ name })));

export const setDashboardPluginStorage = async (
  context: Context,
  params: OfItem,
  storage: Record<string, unknown> | undefined,
) => {
  await change(context, params, () => ({ storage: storage ?? null }));
  const { baseId, dashboardId, itemId } = params;
  return { baseId, dashboardId, pluginInstallId: itemId, ...(storage === undefined ? {} : { storage }) };
};

export const removeDashboardPlugin = (context: Context, { baseId, dashboardId, itemId }: OfItem): Promise<void> =>
  changeDashboard(context, { baseId, dashboardId }, async (tx, { id }) => {
    if (!(await selectItems(tx, id)).some((one) => one.id === itemId)) throw noItem(itemId);
    await deleteItem(tx, itemId);
  });

export const duplicateDashboardPlugin = (
  context: Context,
  { baseId, dashboardId, itemId }: OfItem,
  wanted: string | undefined,
): Promise<{ id: string; name: string }> =>
  changeDashboard(context, { baseId, dashboardId }, async (tx, { id }) => {
    const original = (await selectItems(tx, id)).find((one) => one.id === itemId);
    if (original === undefined) throw noItem(itemId);
    const { x: _x, y: _y, ...rest } = original;
    const copy = await insert(tx, context, id, { ...rest, name: wanted ?? original.name });
    return { id: copy.id, name: copy.name };
  });

type Layout = BodyOf<typeof layoutEndpoint>['layout'];

/** Places further down than the others are those below them. */
const settled = (layout: Layout): Layout => {
  const there = layout.filter(({ y }) => y <= lowest);
  let bottom = bottomOf(there);
  return layout.map((one) => {
    const w = Math.min(one.w, gridColumns);
    const place = { ...one, w, x: Math.min(one.x, gridColumns - w) };
    if (one.y <= lowest) return place;
    bottom += one.h;
    return { ...place, y: bottom - one.h };
  });
};

export const setDashboardLayout = (
  context: Context,
  params: OfDashboard,
  layout: Layout,
): Promise<{ id: string; layout: Layout }> =>
  changeDashboard(context, params, async (tx, { id }) => {
    const known = new Set((await selectItems(tx, id)).map((item) => item.id));
    const missing = layout.findIndex(({ pluginInstallId }) => !known.has(pluginInstallId));
    if (missing !== -1)
      throw invalid({
        path: `layout[${missing}].pluginInstallId`,
        message: `The dashboard has no item ${JSON.stringify((layout[missing] as Layout[number]).pluginInstallId)}`,
        expected: 'the id of an item of this dashboard',
      });
    const places = settled(layout);
    await placeItems(
      tx,
      places.map(({ pluginInstallId, ...place }) => ({ id: pluginInstallId, ...place })),
    );
    return { id, layout: places };
  });
