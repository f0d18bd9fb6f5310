// Filter, sort and group of what is shown. They are saved with the view for everyone; for oneself alone where one may not
// change the view, or does not want to.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import {
  setOwnQuery as saveOwnQuery,
  setViewFilter,
  setViewGroup,
  setViewSort,
  type View,
} from '@rowhouse/contract/view.ts';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { showProblem } from '../../ui/toast.ts';
import { mergeFilters, mergeSort } from '../../record-data/merge-changes.ts';
import {
  asShown,
  type OwnQuery,
  ownQueryOf,
  queryOfView,
  setOwnQuery,
  type SortItem,
  storedQuery,
} from '../../record-data/own-query.ts';
import { recordsKey, viewsQuery } from '../../record-data/queries.ts';
import type { RecordWindow } from '../../record-data/record-window.ts';
import { sendMerged } from '../../record-data/send-merged.ts';
import { noFilter, writeFilter } from '../../field-type/filter/conditions.ts';

const mostGroups = 3;

export interface ViewQuery {
  /** Only this person sees it. */
  isOwn: boolean;
  /** `from`: what it was made from, if that is not what the view shows. */
  setFilter(filter: FilterGroup | null, from?: FilterGroup | null): Promise<void>;
  setSort(items: readonly SortItem[]): Promise<void>;
  setGroup(items: readonly SortItem[]): Promise<void>;
  /** From now on changes are for oneself. */
  beginOwn(): Promise<void>;
  /** What the view has is shown again. */
  endOwn(): Promise<void>;
  /** What was one's own becomes everyone's. */
  publish(): Promise<void>;
}

// One after the other: each is made from what the one before it left.
let line: Promise<unknown> = Promise.resolve();
const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  const turn = line.then(work);
  line = turn.catch(() => undefined);
  return turn;
};

const latestOwn = new Map<string, OwnQuery>();

export const useViewQuery = (tableId: string, view: View, window: RecordWindow, mayChange: boolean): ViewQuery => {
  const params = { tableId, viewId: view.id };
  const key = viewsQuery(tableId).queryKey;
  const isOwn = ownQueryOf(view.id) !== undefined;

  const showRecords = async (): Promise<void> => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: recordsKey(tableId) }),
      view.type === 'grid' && window.reload(),
    ]);
  };
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await inTurn(async () => {
        await work();
        await queryClient.invalidateQueries({ queryKey: key });
      });
      await showRecords();
    } catch (error) {
      showProblem(error, 'The view was not changed.');
    }
  };
  const writeOwn = async (part: Partial<OwnQuery>): Promise<void> => {
    // A change made a moment ago may not have been drawn yet.
    const own = { ...(ownQueryOf(view.id) ?? queryOfView(view)), ...part };
    // What the server would tell now is from before.
    await queryClient.cancelQueries({ queryKey: key });
    setOwnQuery(view.id, own);
    latestOwn.set(view.id, own);
    queryClient.setQueryData(key, (views) => views?.map(asShown));
    const [saved] = await Promise.allSettled([
      inTurn(() => call(saveOwnQuery, { params, body: { query: storedQuery(own) } })),
      showRecords(),
    ]);
    if (saved.status === 'rejected') showProblem(saved.reason, 'Your filter and sort were not saved.');
    // What is read before a later one is saved would take that back on the screen.
    else if (latestOwn.get(view.id) === own && ownQueryOf(view.id) !== own)
      await queryClient.invalidateQueries({ queryKey: key });
  };
  const known = (): View => queryClient.getQueryData(key)?.find(({ id }) => id === view.id) ?? view;
  const seen = queryOfView(view);
  const saveFilter = (filter: FilterGroup | null, from: FilterGroup | null): Promise<void> =>
    sendMerged((known().filter as FilterGroup | undefined) ?? null, (now) =>
      call(setViewFilter, {
        params,
        body: { filter: writeFilter(mergeFilters(from ?? noFilter, filter ?? noFilter, now ?? noFilter)), before: now },
      }),
    );
  const saveGroup = (items: readonly SortItem[]): Promise<void> =>
    sendMerged(known().group ?? null, (now) => {
      const group = mergeSort(seen.group, items, now ?? []).slice(0, mostGroups);
      return call(setViewGroup, { params, body: { group: group.length === 0 ? null : group, before: now } });
    });
  const saveSort = (items: readonly SortItem[]): Promise<void> =>
    sendMerged(known().sort ?? null, (now) => {
      const sortObjs = mergeSort(seen.sort, items, now?.manualSort === true ? [] : (now?.sortObjs ?? []));
      return call(setViewSort, { params, body: { sort: sortObjs.length === 0 ? null : { sortObjs }, before: now } });
    });
  const isForAll = mayChange && !isOwn;

  return {
    isOwn,
    setFilter: (filter, from = seen.filter) =>
      isForAll ? attempt(() => saveFilter(filter, from)) : writeOwn({ filter }),
    setGroup: (group) => (isForAll ? attempt(() => saveGroup(group)) : writeOwn({ group })),
    setSort: (sort) => (isForAll ? attempt(() => saveSort(sort)) : writeOwn({ sort })),
    beginOwn: () => writeOwn({}),
    endOwn: () => attempt(() => call(saveOwnQuery, { params, body: { query: null } })),
    publish: () =>
      attempt(async () => {
        const { filter, sort, group } = seen;
        await Promise.all([
          call(setViewFilter, { params, body: { filter } }),
          call(setViewSort, { params, body: { sort: sort.length === 0 ? null : { sortObjs: [...sort] } } }),
          call(setViewGroup, { params, body: { group: group.length === 0 ? null : [...group] } }),
        ]);
        await call(saveOwnQuery, { params, body: { query: null } });
      }),
  };
};
