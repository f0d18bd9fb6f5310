// A view comes back from the trash as it was, without what it says about fields that are gone since. Its share comes back, too:
// it is on again when the one who restores it may share views, and shows nothing when what it rests on is another by now.
// Nobody has decided that visitors see the fields that came since: they are hidden in it.
import { conflict } from '@rowhouse/contract/error.ts';
import type { ShareMeta } from '@rowhouse/contract/share-meta.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { can } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { TableSchema, ViewSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { changeSchema } from '../field/change-schema.ts';
import { fitView, withColumn } from '../field/view-reference.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import { maxViews } from './create-view.ts';
import { type DeletedShare, insertRestoredShare, takeDeletedShare, takeDeletedView } from './deleted-view.sql.ts';
import { insertRestoredView } from './view.sql.ts';

const newSince = ({ columnMeta }: ViewSchema, { fields }: TableSchema) =>
  fields.filter(({ id }) => columnMeta[id] === undefined);

const fitting = (view: ViewSchema, table: TableSchema, isShared: boolean): ViewSchema => {
  const fitted = fitView(
    {
      ...view,
      name: uniqueName(
        view.name,
        table.views.map(({ name }) => name),
      ),
    },
    table.byId,
  );
  // Fields that came since stand at its end.
  return newSince(view, table).reduce((wider, { id }) => withColumn(wider, id, undefined, isShared), fitted);
};

const untrashShare = async (
  { access }: Pick<Context, 'access'>,
  tx: Tx,
  viewId: string,
  deleted: DeletedShare,
  hasNewFields: boolean,
): Promise<boolean> => {
  // One that shows hidden fields, too, would show the new ones.
  const { includeHiddenField } = (deleted.share.meta ?? {}) as ShareMeta;
  const isOn =
    deleted.share.is_on === true &&
    can(access, 'view|share') &&
    can(access, 'record|read') &&
    !(includeHiddenField === true && hasNewFields);
  await insertRestoredShare(tx, deleted, isOn);
  await bumpEpochs(tx, [viewId]);
  return isOn;
};

/** In a change of the schema. `missing`: what to say when it is not in the trash any more. */
export const untrashView = async (
  context: Context,
  tx: Tx,
  table: TableSchema,
  viewId: string,
  missing: Error,
): Promise<void> => {
  const share = await takeDeletedShare(tx, viewId);
  const deleted = await takeDeletedView(tx, table.id, viewId);
  if (deleted === undefined) throw missing;
  if (table.views.length >= maxViews) throw conflict(`A table has at most ${maxViews} views: delete another first`);
  await insertRestoredView(tx, table.id, fitting(deleted.view, table, share?.share.is_on === true), deleted);
  const isShared =
    share !== undefined && (await untrashShare(context, tx, viewId, share, newSince(deleted.view, table).length > 0));
  const { baseId, id: tableId } = table;
  const subject = { baseId, tableId, viewId, name: deleted.view.name };
  await writeAudit(tx, doerOf(context), 'view.restored', { baseIds: [baseId] }, subject);
  if (isShared) await writeAudit(tx, doerOf(context), 'view.shared', { spaceIds: [context.access.spaceId] }, subject);
};

export const restoreView = (context: Context, tableId: string, viewId: string, missing: Error): Promise<void> =>
  changeSchema(context, tableId, (tx, table) => untrashView(context, tx, table, viewId, missing), 'view');
