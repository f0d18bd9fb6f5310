// What somebody has pressed in a chart: which records it stands for.
import type { ChartData, ChartGroup } from '@rowhouse/contract/chart-data.ts';
import type { Filter, FilterGroup } from '@rowhouse/contract/filter.ts';
import { groupLabel } from './drawing-of.ts';

export interface PickedRecords {
  tableId: string;
  viewId: string | undefined;
  /** What is said about them: "March · Won". */
  label: string;
  /** Of the group alone, without what the chart filters anyway; null for all records of the chart. */
  own: FilterGroup | null;
  filter: FilterGroup | null;
  /** Of a point: the record itself. */
  recordId?: string | undefined;
}

const all = (filters: readonly (Filter | FilterGroup | null | undefined)[]): FilterGroup | null => {
  const given = filters.filter((filter): filter is FilterGroup => filter !== null && filter !== undefined);
  if (given.length < 2) return given[0] ?? null;
  return { conjunction: 'and', filterSet: given };
};

type Counted = Exclude<ChartData, { kind: 'text' | 'broken' }>;

const recordsOf = (data: Counted, groups: readonly (ChartGroup | undefined)[]): PickedRecords | undefined => {
  const { groupedBy } = data;
  const named = groups.filter((group): group is ChartGroup => group !== undefined);
  // A group that no filter describes leads nowhere.
  if (named.some(({ filter }) => filter === undefined)) return undefined;
  const own = all(named.map(({ filter }) => filter));
  return {
    tableId: data.tableId,
    viewId: data.viewId,
    label: groups.flatMap((group, at) => (group === undefined ? [] : [groupLabel(group, groupedBy[at])])).join(' · '),
    own,
    filter: all([data.filter, own]),
  };
};

/** Of a bar, a point of a line, a slice, a cell. */
export const pickedIn = (data: ChartData, group: number, series: number): PickedRecords | undefined => {
  if (data.kind === 'groups') return recordsOf(data, [data.groups[group], data.series[series]?.group]);
  if (data.kind === 'points') {
    const point = data.points[group];
    return point === undefined || point.recordId === undefined
      ? undefined
      : { ...(recordsOf(data, []) as PickedRecords), label: point.name, recordId: point.recordId };
  }
  if (data.kind === 'pivot') return recordsOf(data, [...(data.rows[group] ?? []), ...(data.columns[series] ?? [])]);
  return data.kind === 'number' ? recordsOf(data, []) : undefined;
};
