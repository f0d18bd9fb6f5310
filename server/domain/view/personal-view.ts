import { forbidden, invalid } from '@rowhouse/contract/error.ts';
import type { ViewSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { changeSchema } from '../field/change-schema.ts';
import { demandChangeable, findView, isPersonalOfAnother, mayOverrule, type ViewPath } from './change-view.ts';
import { demandSeenView, demandStillSeen } from './seen-view.ts';
import { updateView } from './view.sql.ts';

/** What everyone sees first is never a view of one person, which nobody else could change. */
export const demandSharedLeft = (
  views: readonly ViewSchema[],
  view: ViewSchema,
  what: 'deleted' | 'made personal',
): void => {
  if (views.length === 1) throw invalid({ path: '', message: `The last view of a table cannot be ${what}` });
  if (view.ownerId == null && !views.some(({ id, ownerId }) => id !== view.id && ownerId == null))
    throw invalid({ path: '', message: `The last collaborative view of a table cannot be ${what}` });
};

/** The view may be given to this owner, or to everyone. */
export const demandOwnership = (
  context: Context,
  view: ViewSchema,
  ownerId: string | null,
  views: readonly ViewSchema[],
): void => {
  if (view.isLocked) demandChangeable(context, view);
  if (ownerId !== null && ownerId !== context.principal.userId)
    throw forbidden('A view can be made personal only by its owner');
  if (isPersonalOfAnother(context, view) && (ownerId !== null || !mayOverrule(context)))
    throw forbidden('Only its owner, or an owner or creator of the base, can make a personal view collaborative');
  if (ownerId !== null) demandSharedLeft(views, view, 'made personal');
};

export const makeViewPersonal = (context: Context, { tableId, viewId }: ViewPath, isPersonal: boolean): Promise<void> =>
  changeSchema(
    context,
    tableId,
    async (tx, table) => {
      const view = findView(table, viewId);
      const ownerId = isPersonal ? context.principal.userId : null;
      demandSeenView(context, table, viewId);
      demandOwnership(context, view, ownerId, table.views);
      demandStillSeen(context, table, { ...view, ownerId });
      await updateView(tx, { ...view, ownerId }, context.principal.userId);
    },
    'view',
  );
