// The frame of every change to a view: it must exist; a locked one refuses, and a personal one refuses all but its owner.
import { forbidden, notFound } from '@rowhouse/contract/error.ts';
import type { TableSchema, ViewSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { changeSchema } from '../field/change-schema.ts';
import { withFilter } from '../field/decision.ts';
import {
  demandSeenView,
  demandWholeColors,
  demandWholeFilter,
  nameableIn,
  type SeenView,
  seenParts,
} from './seen-view.ts';
import { updateView, type ViewChange } from './view.sql.ts';

export const findView = (table: TableSchema, viewId: string): ViewSchema => {
  const view = table.views.find((one) => one.id === viewId);
  if (view === undefined) throw notFound('View', viewId.slice(0, 50));
  return view;
};

export const isPersonalOfAnother = ({ principal }: Context, { ownerId }: ViewSchema): boolean =>
  ownerId != null && ownerId !== principal.userId;

/** Those who run the base unlock views, and take over what people who left have kept to themselves. */
export const mayOverrule = ({ access: { role } }: Context): boolean => role === 'owner' || role === 'creator';

export const demandChangeable = (context: Context, view: ViewSchema): void => {
  if (view.isLocked) throw forbidden(`The view ${JSON.stringify(view.name)} is locked`);
  if (isPersonalOfAnother(context, view))
    throw forbidden(
      `The view ${JSON.stringify(view.name)} is a personal view of somebody else; duplicate it to change the copy`,
    );
};

export interface ViewPath {
  tableId: string;
  viewId: string;
}

export const changeView = (
  context: Context,
  { tableId, viewId }: ViewPath,
  change: (view: ViewSchema, table: TableSchema, seen: SeenView) => ViewChange,
): Promise<void> =>
  changeSchema(
    context,
    tableId,
    async (tx, table) => {
      const view = findView(table, viewId);
      demandSeenView(context, table, viewId);
      demandChangeable(context, view);
      const changes = change(view, { ...table, byId: nameableIn(context, table) }, seenParts(context, table, view));
      if ('filter' in changes) demandWholeFilter(context, table, view);
      if (changes.options !== undefined && changes.options['colorRules'] !== view.options['colorRules'])
        demandWholeColors(context, table, view);
      const changed = { ...view, ...changes };
      // Anyone who sets the filter has decided which records visitors see.
      await updateView(
        tx,
        'filter' in changes ? { ...changed, decided: withFilter(changed, table) } : changed,
        context.principal.userId,
      );
    },
    'view',
  );
