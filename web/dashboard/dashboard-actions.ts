// What people do to a dashboard: shown at once where it can be, and taken back by Ctrl+Z.
import type { Chart } from '@rowhouse/contract/chart.ts';
import {
  createDashboardItem,
  type Dashboard,
  type DashboardFilter,
  type DashboardItem,
  removeDashboardPlugin,
  setDashboardFilters,
  setDashboardLayout,
  updateDashboardItem,
} from '@rowhouse/contract/dashboard.ts';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { dismissAbout, showProblem, showToast } from '../ui/toast.ts';
import { createDashboardUndo } from './dashboard-undo.ts';
import type { GridPlace, Placed } from './layout.ts';
import { dashboardQuery, reloadDashboard } from './queries.ts';

interface DashboardActions {
  add(name: string, chart: Chart, place: GridPlace): Promise<void>;
  change(item: DashboardItem, next: { name?: string; chart?: Chart }): Promise<void>;
  remove(item: DashboardItem): Promise<void>;
  place(before: readonly Placed[], after: readonly Placed[]): void;
  setFilters(before: readonly DashboardFilter[], after: readonly DashboardFilter[]): Promise<void>;
  undo(): Promise<void>;
  redo(): Promise<void>;
}

const about = 'dashboard';

export const dashboardActions = (baseId: string, dashboardId: string): DashboardActions => {
  const steps = createDashboardUndo();
  const ofDashboard = { baseId, dashboardId };
  const { queryKey } = dashboardQuery(baseId, dashboardId);
  const show = (change: (dashboard: Dashboard) => Dashboard): void =>
    void queryClient.setQueryData(queryKey, (shown) => (shown === undefined ? shown : change(shown)));
  const reload = (): Promise<void> => reloadDashboard(baseId, dashboardId);

  const create = async (name: string, chart: Chart, { x, y, w, h }: GridPlace): Promise<DashboardItem> => {
    const made = await call(createDashboardItem, { params: ofDashboard, body: { name, chart, x, y, w, h } });
    await reload();
    return made;
  };
  const drop = async (id: string): Promise<void> => {
    await queryClient.cancelQueries({ queryKey });
    show((dashboard) => ({ ...dashboard, items: dashboard.items.filter((one) => one.id !== id) }));
    try {
      await call(removeDashboardPlugin, { params: { ...ofDashboard, itemId: id } });
    } finally {
      await reload();
    }
  };
  const update = async (id: string, next: { name?: string; chart?: Chart }): Promise<void> => {
    await call(updateDashboardItem, { params: { ...ofDashboard, itemId: id }, body: next });
    await reload();
  };
  const arrange = async (items: readonly Placed[]): Promise<void> => {
    await queryClient.cancelQueries({ queryKey });
    const places = new Map(items.map((item) => [steps.idOf(item.id), item]));
    show((dashboard) => ({
      ...dashboard,
      items: dashboard.items.map((item) => {
        const { x, y, w, h } = places.get(item.id) ?? item;
        return { ...item, x, y, w, h };
      }),
    }));
    try {
      await call(setDashboardLayout, {
        params: ofDashboard,
        body: { layout: [...places].map(([id, { x, y, w, h }]) => ({ pluginInstallId: id, x, y, w, h })) },
      });
    } finally {
      await reload();
    }
  };
  const filter = async (filters: readonly DashboardFilter[]): Promise<void> => {
    await call(setDashboardFilters, { params: ofDashboard, body: { filters: [...filters] } });
    await reload();
  };

  const add: DashboardActions['add'] = async (name, chart, place) => {
    const { id } = await create(name, chart, place);
    steps.did({
      label: `${name} removed.`,
      undo: () => drop(steps.idOf(id)),
      redo: async () => steps.nameAgain(steps.idOf(id), (await create(name, chart, place)).id),
    });
  };
  const undo = async (): Promise<void> => {
    dismissAbout(about);
    try {
      const label = await steps.undo();
      if (label !== undefined) showToast({ kind: 'note', about: 'undo', title: label });
    } catch (error) {
      showProblem(error, 'It was not undone.');
    }
  };

  return {
    add,
    async change(item, next) {
      const body = { ...next, version: item.version };
      await call(updateDashboardItem, { params: { ...ofDashboard, itemId: item.id }, body });
      await reload();
      const before = {
        ...(next.name === undefined ? {} : { name: item.name }),
        ...(next.chart === undefined || item.chart === undefined ? {} : { chart: item.chart }),
      };
      if (Object.keys(before).length > 0)
        steps.did({
          label: `${item.name} is as it was.`,
          undo: () => update(steps.idOf(item.id), before),
          redo: () => update(steps.idOf(item.id), next),
        });
    },
    async remove(item) {
      try {
        await drop(item.id);
      } catch (error) {
        return showProblem(error, `${item.name} was not deleted.`);
      }
      const { chart, name } = item;
      // What is broken beyond reading, or made of what one does not see, cannot be made again.
      if (chart === undefined) return showToast({ kind: 'note', title: `${name} deleted.` });
      steps.did({
        label: `${name} restored.`,
        undo: async () => steps.nameAgain(steps.idOf(item.id), (await create(name, chart, item)).id),
        redo: () => drop(steps.idOf(item.id)),
      });
      showToast({
        kind: 'note',
        about,
        title: `${name} deleted.`,
        action: { label: 'Undo', run: () => void undo() },
      });
    },
    place(before, after) {
      steps.did({
        label: 'Moved back.',
        undo: () => arrange(before),
        redo: () => arrange(after),
      });
      arrange(after).catch((error: unknown) => showProblem(error, 'It was not moved.'));
    },
    async setFilters(before, after) {
      await filter(after);
      steps.did({ label: 'The filters are as they were.', undo: () => filter(before), redo: () => filter(after) });
    },
    undo,
    async redo() {
      try {
        await steps.redo();
      } catch (error) {
        showProblem(error, 'It was not redone.');
      }
    },
  };
};
