import { invalid } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { changeSchema } from '../field/change-schema.ts';
import { forgetView } from '../field/field.sql.ts';
import { selectLinksThrough } from '../field/link-field.sql.ts';
import { demandUnlocked, findView, type ViewPath } from './change-view.ts';
import { trashView } from './deleted-view.sql.ts';

/** Into the trash. Links that offer its records offer all of them. */
export const deleteView = async (context: Context, { tableId, viewId }: ViewPath): Promise<void> => {
  const linking = (await selectLinksThrough(context.db, context.access.baseId as string, viewId)).map((one) => one.tableId);
  await changeSchema(context, tableId, async (tx, table, own) => {
    const view = findView(table, viewId);
    demandUnlocked(view);
    if (table.views.length === 1) throw invalid({ path: '', message: 'The last view of a table cannot be deleted' });
    await trashView(tx, tableId, view, context.principal.userId);
    if (linking.length === 0) return;
    await forgetView(tx, linking, viewId);
    own.others = linking;
  }, 'view', linking);
};
