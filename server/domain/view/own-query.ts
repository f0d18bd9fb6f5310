// Filter, sort and group that somebody set for themselves: instead of those of the view, on their screen alone.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { OwnQuery } from '@rowhouse/contract/view.ts';
import { loadTable, type ViewSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { fittingFilter } from '../field/stored-filter.ts';
import { fitView } from '../field/view-reference.ts';
import { findView, type ViewPath } from './change-view.ts';
import { writeOwnQuery } from './own-query.sql.ts';
import { demandSeenView, nameableIn } from './seen-view.ts';
import { type Fields, readGroup, readSort, readViewFilter } from './read-parts.ts';

export const setOwnQuery = async (
  context: Context,
  { tableId, viewId }: ViewPath,
  query: OwnQuery | null,
): Promise<void> => {
  const { db, access, principal } = context;
  const table = await loadTable(db, access.baseId as string, tableId);
  findView(table, viewId);
  demandSeenView(context, table, viewId);
  const fields = nameableIn(context, table);
  const read = query && {
    filter: readViewFilter(query.filter, fields, 'query.filter') as FilterGroup | null,
    sort: readSort({ sortObjs: query.sort }, fields, 'query.sort')?.sortObjs ?? [],
    group: readGroup(query.group, fields, 'query.group') ?? [],
  };
  await writeOwnQuery(db, principal.userId, viewId, read);
};

/** What is left of it: fields may have gone or changed since. */
export const fitOwnQuery = ({ filter, sort, group }: OwnQuery, view: ViewSchema, fields: Fields): OwnQuery => {
  const fitted = fitView({ ...view, filter, sort: { sortObjs: sort }, group }, fields);
  // The app sends it with its questions, and a question with a condition that does not fit is refused.
  const own = fittingFilter(fitted.filter, { byId: fields });
  return {
    filter: own?.filterSet.length === 0 ? null : own,
    sort: fitted.sort?.sortObjs ?? [],
    group: fitted.group ?? [],
  };
};
