import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { TableSchema, ViewSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { changeSchema } from '../field/change-schema.ts';
import { forgetView } from '../field/field.sql.ts';
import { selectLinksThrough } from '../field/link-field.sql.ts';
import { demandChangeable, findView, isPersonalOfAnother, mayOverrule, type ViewPath } from './change-view.ts';
import { demandSharedLeft } from './personal-view.ts';
import { demandSeenView } from './seen-view.ts';
import { trashView } from './deleted-view.sql.ts';

/** In a change of the schema. */
export const trashViewOf = async (
  context: Context,
  tx: Tx,
  { baseId, id: tableId, views }: TableSchema,
  view: ViewSchema,
): Promise<void> => {
  if (view.isLocked || !isPersonalOfAnother(context, view) || !mayOverrule(context)) demandChangeable(context, view);
  demandSharedLeft(views, view, 'deleted');
  await trashView(tx, tableId, view, context.principal.userId);
  await writeAudit(
    tx,
    doerOf(context),
    'view.trashed',
    { baseIds: [baseId] },
    { baseId, tableId, viewId: view.id, name: view.name },
  );
};

/** Into the trash. Links that offer its records offer all of them. */
export const deleteView = async (context: Context, { tableId, viewId }: ViewPath): Promise<void> => {
  const linking = (await selectLinksThrough(context.db, context.access.baseId as string, viewId)).map(
    (one) => one.tableId,
  );
  await changeSchema(
    context,
    tableId,
    async (tx, table, own) => {
      demandSeenView(context, table, viewId);
      await trashViewOf(context, tx, table, findView(table, viewId));
      if (linking.length === 0) return;
      await forgetView(tx, linking, viewId);
      own.others = linking;
    },
    'view',
    linking,
  );
};
