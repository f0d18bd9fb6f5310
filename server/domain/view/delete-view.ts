import { invalid } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { changeSchema } from '../field/change-schema.ts';
import { demandUnlocked, findView, type ViewPath } from './change-view.ts';
import { trashView } from './deleted-view.sql.ts';

/** Into the trash. */
export const deleteView = (context: Context, { tableId, viewId }: ViewPath): Promise<void> =>
  changeSchema(context, tableId, async (tx, table) => {
    const view = findView(table, viewId);
    demandUnlocked(view);
    if (table.views.length === 1) throw invalid({ path: '', message: 'The last view of a table cannot be deleted' });
    await trashView(tx, tableId, view, context.principal.userId);
  }, 'view');
