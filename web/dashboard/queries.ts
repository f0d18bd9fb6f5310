// What the screens of dashboards ask the server for, by one key each.
import type { Chart } from '@rowhouse/contract/chart.ts';
import type { ChartData } from '@rowhouse/contract/chart-data.ts';
import { getChartData, getDashboard, previewChart } from '@rowhouse/contract/dashboard.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { queryOptions, keepPreviousData } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';

export const dashboardQuery = (baseId: string, id: string) =>
  queryOptions({
    queryKey: ['dashboard', baseId, id],
    queryFn: ({ signal }) => call(getDashboard, { params: { baseId, dashboardId: id }, signal }),
  });

/** Of the reader, for the charts of one table. */
export interface TableFilter {
  tableId: string;
  filter: FilterGroup;
}

export const chartDataKey = (dashboardId: string) => ['chart-data', dashboardId] as const;

export const chartDataQuery = (
  baseId: string,
  dashboardId: string,
  item: { id: string; version: number; tableId: string | undefined },
  filters: readonly TableFilter[],
) => {
  // Those of other tables change nothing here. Whose chart it is, is not told to everyone: the server knows.
  const own = filters.filter(({ tableId }) => item.tableId === undefined || tableId === item.tableId);
  return queryOptions({
    queryKey: [...chartDataKey(dashboardId), item.id, item.version, own],
    // The browser asks with the ETag of its last answer: as long as nothing has changed, nothing is computed or sent.
    queryFn: ({ signal }): Promise<ChartData> =>
      call(getChartData, {
        params: { baseId, dashboardId, itemId: item.id },
        query: own.length === 0 ? {} : { filters: JSON.stringify(own) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
};

export const previewQuery = (baseId: string, chart: Chart | undefined) =>
  queryOptions({
    queryKey: ['chart-preview', baseId, chart],
    queryFn: ({ signal }): Promise<ChartData> =>
      call(previewChart, { params: { baseId }, body: { chart: chart as Chart }, signal }),
    enabled: chart !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });

export const reloadDashboard = (baseId: string, id: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: dashboardQuery(baseId, id).queryKey });
