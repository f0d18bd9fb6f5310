import { notFound } from '@rowhouse/contract/error.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { isBound } from '../../catalog/access.ts';
import { eyesOf } from '../../catalog/principal.ts';
import { seesView, sightOf } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import { readTable } from '../field/change-schema.ts';
import { selectHeld } from '../field/decide.ts';
import { limitView } from './seen-view.ts';
import { fitOwnQuery } from './own-query.ts';
import { selectOwnQueries } from './own-query.sql.ts';
import { viewVo } from './view-vo.ts';
import { selectView, selectViews } from './view.sql.ts';

export const getView = async (context: Context, tableId: string, viewId: string): Promise<View> => {
  const row = await selectView(context.db, tableId, viewId);
  if (row === undefined) throw notFound('View', viewId);
  const vo = viewVo(
    row,
    eyesOf(context.principal),
    row.share?.isOn === true && (await selectHeld(context.db, await readTable(context, tableId))).has(viewId),
  );
  const [shown] = await limited(context, tableId, [vo]);
  if (shown === undefined) throw notFound('View', viewId);
  return shown;
};

/** Those that are there for the caller, with what is seen of them. */
const limited = async (context: Context, tableId: string, views: View[]): Promise<View[]> => {
  if (!isBound(context.access)) return views;
  const sight = sightOf(context, await readTable(context, tableId));
  return views.filter(({ id }) => seesView(sight, id)).map((view) => limitView(sight, view));
};

export const listViews = async (context: Context, tableId: string): Promise<View[]> =>
  limited(context, tableId, await allViews(context, tableId));

const allViews = async (context: Context, tableId: string): Promise<View[]> => {
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
