// Filter, sort and group of a view: shown at once, then saved, then the records come anew.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { setViewFilter, setViewGroup, setViewSort, type View } from '@rowhouse/contract/view.ts';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { showProblem } from '../../ui/toast.ts';
import { recordsKey, viewsQuery } from '../queries.ts';
import type { RecordWindow } from '../record-window.ts';

export interface SortItem {
  fieldId: string;
  order: 'asc' | 'desc';
}

export interface ViewQuery {
  setFilter(filter: FilterGroup | null): Promise<void>;
  setSort(items: readonly SortItem[]): Promise<void>;
  setGroup(items: readonly SortItem[]): Promise<void>;
}

export const useViewQuery = (tableId: string, view: View, window: RecordWindow): ViewQuery => {
  const params = { tableId, viewId: view.id };
  const key = viewsQuery(tableId).queryKey;
  const save = async (request: () => Promise<unknown>): Promise<void> => {
    try {
      await request();
      await queryClient.invalidateQueries({ queryKey: key });
      await Promise.all([queryClient.invalidateQueries({ queryKey: recordsKey(tableId) }), view.type === 'grid' && window.reload()]);
    } catch (error) {
      showProblem(error, 'The view was not changed.');
    }
  };
  return {
    setFilter: (filter) => save(() => call(setViewFilter, { params, body: { filter } })),
    setGroup: (items) => save(() => call(setViewGroup, { params, body: { group: items.length === 0 ? null : [...items] } })),
    setSort: (items) => save(() => call(setViewSort, { params, body: { sort: items.length === 0 ? null : { sortObjs: [...items] } } })),
  };
};
