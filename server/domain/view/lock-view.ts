import { forbidden } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { changeSchema } from '../field/change-schema.ts';
import { demandChangeable, findView, mayOverrule, type ViewPath } from './change-view.ts';
import { demandSeenView } from './seen-view.ts';
import { updateView } from './view.sql.ts';

/** Anyone who may change views may lock one; unlocking is for owners and creators. */
export const lockView = (context: Context, { tableId, viewId }: ViewPath, isLocked: boolean): Promise<void> =>
  changeSchema(
    context,
    tableId,
    async (tx, table) => {
      const view = findView(table, viewId);
      demandSeenView(context, table, viewId);
      if (view.isLocked && !isLocked && !mayOverrule(context))
        throw forbidden('Only owners and creators may unlock a view');
      if (!view.isLocked) demandChangeable(context, view);
      await updateView(tx, { ...view, isLocked }, context.principal.userId);
    },
    'view',
  );
