import type { Context } from '../../context.ts';
import type { TablePlace } from './find-table.ts';
import { getTable } from './get-table.ts';

export const getDefaultViewId = async (context: Context, place: TablePlace): Promise<{ id: string }> => ({
  id: (await getTable(context, place)).defaultViewId as string,
});
