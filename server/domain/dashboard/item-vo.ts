// An item as its reader gets it. What a chart names is shown to those who see all of it: a filter tells of the cells that it compares with.
import type { Chart } from '@rowhouse/contract/chart.ts';
import type { DashboardItem } from '@rowhouse/contract/dashboard.ts';
import { type Access, can, isBound } from '../../catalog/access.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import type { DashboardItemRow } from '../table/dashboard.sql.ts';
import { isDrawn } from './compute-chart.ts';
import { type SightOfTable, unreadable } from './get-chart-data.ts';
import { readChart } from './read-chart.ts';
import { fieldIdsOf, noTable, resolveChart } from './resolve-chart.ts';

/** Those who are bound by rules see the definition only with all that it names; of others nothing is hidden, and they have to mend what is broken. */
export const seesChart = (chart: Chart, sight: Sight | undefined, bound: boolean): boolean =>
  !bound || !isDrawn(chart) || (sight !== undefined && fieldIdsOf(chart).every((id) => sight.byId.has(id)));

/** A token without it sees which charts there are, and not what they name. */
export const mayReadDefinitions = (access: Access): boolean => can(access, 'table|read');

export const itemVo = async (
  { access }: Context,
  sights: SightOfTable,
  { id, name, x, y, w, h, version, storage }: DashboardItemRow,
): Promise<DashboardItem> => {
  const head = { id, name, x, y, w, h, version };
  const chart = readChart(storage);
  // Nothing was stored yet: it is empty and not broken.
  if (chart === undefined) return { ...head, type: null, ...(storage === null ? {} : { problems: [unreadable] }) };
  const sight = isDrawn(chart) ? await sights(chart.tableId) : undefined;
  const resolved = isDrawn(chart) ? (sight === undefined ? [noTable] : resolveChart(sight, chart)) : undefined;
  return {
    ...head,
    type: chart.type,
    ...(chart.look === undefined ? {} : { look: chart.look }),
    ...(mayReadDefinitions(access) && seesChart(chart, sight, isBound(access)) ? { chart } : {}),
    ...(Array.isArray(resolved) ? { problems: resolved } : {}),
  };
};
