// Filter, sort and group that somebody set for themselves: they replace those of the view on this person's screen, and
// nobody else's. Kept in this browser. The first questions of a page need them before anything is known of the person.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { View } from '@rowhouse/contract/view.ts';

export interface SortItem {
  fieldId: string;
  order: 'asc' | 'desc';
}

export interface OwnQuery {
  filter: FilterGroup | null;
  sort: readonly SortItem[];
  group: readonly SortItem[];
}

const ownerKey = 'rowhouse.own-query';
const keyOf = (viewId: string): string => `${ownerKey}.${viewId}`;

const isSortItem = (value: unknown): value is SortItem => typeof (value as SortItem | null)?.fieldId === 'string' && ['asc', 'desc'].includes((value as SortItem).order);

const check = (value: unknown): OwnQuery | undefined => {
  const { filter, sort, group } = (value ?? {}) as Partial<OwnQuery>;
  if (!Array.isArray(sort) || !Array.isArray(group) || ![...sort, ...group].every(isSortItem)) return undefined;
  return filter === null || Array.isArray(filter?.filterSet) ? { filter, sort, group } : undefined;
};

export const ownQueryOf = (viewId: string): OwnQuery | undefined => {
  try {
    return check(JSON.parse(localStorage.getItem(keyOf(viewId)) ?? 'null'));
  } catch {
    return undefined;
  }
};

export const setOwnQuery = (viewId: string, query: OwnQuery | undefined): void => {
  try {
    if (query === undefined) localStorage.removeItem(keyOf(viewId));
    else localStorage.setItem(keyOf(viewId), JSON.stringify(query));
  } catch {
    // A browser that keeps nothing shows everyone the view as it is.
  }
};

/** Whoever used this browser before with another account leaves nothing behind. */
export const keepOwnQueriesOf = (userId: string): void => {
  try {
    if (localStorage.getItem(ownerKey) === userId) return;
    for (const key of Object.keys(localStorage)) if (key.startsWith(`${ownerKey}.`)) localStorage.removeItem(key);
    localStorage.setItem(ownerKey, userId);
  } catch {
    // A browser that keeps nothing has nothing of others.
  }
};

/** What a view has, as a start for one's own. */
export const queryOfView = ({ filter, sort, group }: View): OwnQuery => ({ filter: (filter as FilterGroup | null | undefined) ?? null, sort: sort?.manualSort === true ? [] : (sort?.sortObjs ?? []), group: group ?? [] });

/** The view as this person sees it. */
export const asShown = (view: View): View => {
  const own = ownQueryOf(view.id);
  if (own === undefined) return view;
  const { filter: _filter, sort: _sort, group: _group, ...rest } = view;
  return { ...rest, ...(own.filter === null ? {} : { filter: own.filter as NonNullable<View['filter']> }), ...(own.sort.length === 0 ? {} : { sort: { sortObjs: [...own.sort] } }), ...(own.group.length === 0 ? {} : { group: [...own.group] }) };
};

const joined = (...filters: (FilterGroup | null | undefined)[]): { filter?: string } => {
  const given = filters.filter((filter) => filter !== null && filter !== undefined);
  if (given.length === 0) return {};
  return { filter: JSON.stringify(given.length === 1 ? given[0] : { conjunction: 'and', filterSet: given }) };
};

/** Which records the view shows this person, for questions about them; `more` narrows them further. */
export const whichRecords = (viewId: string, more?: FilterGroup): { viewId: string; ignoreViewQuery?: true; filter?: string } => {
  const own = ownQueryOf(viewId);
  return own === undefined ? { viewId, ...joined(more) } : { viewId, ignoreViewQuery: true, ...joined(own.filter, more) };
};

export const groupsOf = (viewId: string): { groupBy?: string } => {
  const group = ownQueryOf(viewId)?.group ?? [];
  return group.length === 0 ? {} : { groupBy: JSON.stringify(group) };
};

/** In which order the view shows them. */
export const orderOf = (viewId: string): { orderBy?: string; groupBy?: string } => {
  const sort = ownQueryOf(viewId)?.sort ?? [];
  return { ...(sort.length === 0 ? {} : { orderBy: JSON.stringify(sort) }), ...groupsOf(viewId) };
};
