import { notFound } from '@rowhouse/contract/error.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { eyesOf } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { readTable } from '../field/change-schema.ts';
import { selectHeld } from '../field/decide.ts';
import { fitOwnQuery } from './own-query.ts';
import { selectOwnQueries } from './own-query.sql.ts';
import { viewVo } from './view-vo.ts';
import { selectView, selectViews } from './view.sql.ts';

export const getView = async (context: Context, tableId: string, viewId: string): Promise<View> => {
  const row = await selectView(context.db, tableId, viewId);
  if (row === undefined) throw notFound('View', viewId);
  return viewVo(
    row,
    eyesOf(context.principal),
    row.share?.isOn === true && (await selectHeld(context.db, await readTable(context, tableId))).has(viewId),
  );
};

export const listViews = async (context: Context, tableId: string): Promise<View[]> => {
  const { db, principal } = context;
  const [rows, own] = [await selectViews(db, tableId), await selectOwnQueries(db, principal.userId, tableId)];
  const eyes = eyesOf(principal);
  if (own.size === 0 && !rows.some(({ share }) => share?.isOn === true)) return rows.map((row) => viewVo(row, eyes));
  const table = await readTable(context, tableId);
  const held = await selectHeld(db, table);
  return rows.map((row) => {
    const [query, view] = [own.get(row.id), table.views.find(({ id }) => id === row.id)];
    const vo = viewVo(row, eyes, held.has(row.id));
    return query === undefined || view === undefined ? vo : { ...vo, ownQuery: fitOwnQuery(query, view, table.byId) };
  });
};
