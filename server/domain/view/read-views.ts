import { notFound } from '@rowhouse/contract/error.ts';
import type { View } from '@rowhouse/contract/view.ts';
import type { Context } from '../../context.ts';
import { viewVo } from './view-vo.ts';
import { selectView, selectViews } from './view.sql.ts';

export const getView = async (context: Context, tableId: string, viewId: string): Promise<View> => {
  const row = await selectView(context.db, tableId, viewId);
  if (row === undefined) throw notFound('View', viewId);
  return viewVo(row);
};

export const listViews = async (context: Context, tableId: string): Promise<View[]> => (await selectViews(context.db, tableId)).map(viewVo);
