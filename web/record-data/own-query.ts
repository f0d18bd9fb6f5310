// Filter, sort and group that somebody set for themselves: they replace those of the view on this person's screen, and
// nobody else's. The server keeps them and tells them with the views of a table; here they are for whatever asks by the view.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { OwnQuery as StoredQuery, View } from '@rowhouse/contract/view.ts';

export interface SortItem {
  fieldId: string;
  order: 'asc' | 'desc';
}

export interface OwnQuery {
  filter: FilterGroup | null;
  sort: readonly SortItem[];
  group: readonly SortItem[];
}

const known = new Map<string, OwnQuery>();

export const ownQueryOf = (viewId: string): OwnQuery | undefined => known.get(viewId);

export const setOwnQuery = (viewId: string, query: OwnQuery | undefined): void => {
  if (query === undefined) known.delete(viewId);
  else known.set(viewId, query);
};

/** As the server takes it. */
export const storedQuery = ({ filter, sort, group }: OwnQuery): StoredQuery => ({
  filter: filter as StoredQuery['filter'],
  sort: [...sort],
  group: [...group],
});

/** A view as the server told it. What was set here meanwhile counts no more. */
export const asTold = (view: View): View => {
  setOwnQuery(view.id, view.ownQuery as OwnQuery | undefined);
  return asShown(view);
};

/** What a view has, as a start for one's own. */
export const queryOfView = ({ filter, sort, group }: View): OwnQuery => ({
  filter: (filter as FilterGroup | null | undefined) ?? null,
  sort: sort?.manualSort === true ? [] : (sort?.sortObjs ?? []),
  group: group ?? [],
});

/** The view as this person sees it. */
export const asShown = (view: View): View => {
  const own = ownQueryOf(view.id);
  if (own === undefined) return view;
  const { filter: _filter, sort: _sort, group: _group, ...rest } = view;
  return {
    ...rest,
    ...(own.filter === null ? {} : { filter: own.filter as NonNullable<View['filter']> }),
    ...(own.sort.length === 0 ? {} : { sort: { sortObjs: [...own.sort] } }),
    ...(own.group.length === 0 ? {} : { group: [...own.group] }),
  };
};

const joined = (...filters: (FilterGroup | null | undefined)[]): { filter?: string } => {
  const given = filters.filter((filter) => filter !== null && filter !== undefined);
  if (given.length === 0) return {};
  return { filter: JSON.stringify(given.length === 1 ? given[0] : { conjunction: 'and', filterSet: given }) };
};

/** Which records the view shows this person, for questions about them; `more` narrows them further. */
export const whichRecords = (
  viewId: string,
  more?: FilterGroup,
): { viewId: string; ignoreViewQuery?: true; filter?: string } => {
  const own = ownQueryOf(viewId);
  return own === undefined
    ? { viewId, ...joined(more) }
    : { viewId, ignoreViewQuery: true, ...joined(own.filter, more) };
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
