import { notFound } from '@rowhouse/contract/error.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { loadTable } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { fitOwnQuery } from './own-query.ts';
import { selectOwnQueries } from './own-query.sql.ts';
import { viewVo } from './view-vo.ts';
import { selectView, selectViews } from './view.sql.ts';

export const getView = async (context: Context, tableId: string, viewId: string): Promise<View> => {
  const row = await selectView(context.db, tableId, viewId);
  if (row === undefined) throw notFound('View', viewId);
  return viewVo(row);
};

export const listViews = async ({ db, access, principal }: Context, tableId: string): Promise<View[]> => {
  const [rows, own] = [await selectViews(db, tableId), await selectOwnQueries(db, principal.userId, tableId)];
  if (own.size === 0) return rows.map(viewVo);
  const { byId, views } = await loadTable(db, access.baseId as string, tableId);
  return rows.map((row) => {
    const [query, view] = [own.get(row.id), views.find(({ id }) => id === row.id)];
    return query === undefined || view === undefined ? viewVo(row) : { ...viewVo(row), ownQuery: fitOwnQuery(query, view, byId) };
  });
};
