// What owners and editors do with the share of a view: on, off, another address. A token opens none unless it may read what the share shows.
import { invalid } from '@rowhouse/contract/error.ts';
import type { ShareMeta } from '@rowhouse/contract/share-meta.ts';
import { shapeOf } from '@rowhouse/contract/view-types.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { demandScope } from '../../catalog/access.ts';
import type { AuditAction } from '@rowhouse/contract/audit.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { TableSchema, ViewSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { changeSchema } from '../field/change-schema.ts';
import { decide } from '../field/decide.ts';
import { findView, type ViewPath } from '../view/change-view.ts';
import { type OwnShare, selectOwnShare, switchShareOff, updateShareId, upsertShare } from './share.sql.ts';

/** Visitors who listen are decided about again: the epoch of the share moves on, by the id of its view. */
export const changeShare = <T>(
  context: Context,
  { tableId, viewId }: ViewPath,
  action: AuditAction,
  work: (tx: Tx, view: ViewSchema, share: OwnShare | undefined, table: TableSchema) => Promise<T>,
): Promise<T> =>
  changeSchema(
    context,
    tableId,
    async (tx, table) => {
      const view = findView(table, viewId);
      const done = await work(tx, view, await selectOwnShare(tx, viewId), table);
      await bumpEpochs(tx, [viewId]);
      await writeAudit(
        tx,
        doerOf(context),
        action,
        { spaceIds: [context.access.spaceId] },
        { baseId: table.baseId, tableId, viewId, name: view.name },
      );
      return done;
    },
    'view',
  );

const metaAtFirst = ({ type }: ViewSchema): ShareMeta =>
  shapeOf(type).share === 'answers' ? { submit: { allow: true } } : { includeRecords: true };

export const enableShare = async (context: Context, path: ViewPath): Promise<{ shareId: string }> => {
  demandScope(context.principal, 'record|read', path.tableId);
  return changeShare(context, path, 'view.shared', async (tx, view, share, table) => {
    if (share?.isOn === true)
      throw invalid({
        path: '',
        message: `The view ${JSON.stringify(view.name)} is shared already`,
        expected: 'a view that is not shared',
      });
    const shareId = context.newId('shr');
    const meta = metaAtFirst(view);
    await upsertShare(tx, { viewId: view.id, shareId, meta, userId: context.principal.userId });
    await decide(tx, view, table, (share?.meta ?? meta).includeHiddenField === true);
    return { shareId };
  });
};

const demandOn = (view: ViewSchema, share: OwnShare | undefined): void => {
  if (share?.isOn !== true)
    throw invalid({
      path: '',
      message: `The view ${JSON.stringify(view.name)} is not shared`,
      expected: 'a view that is shared',
    });
};

export const disableShare = (context: Context, path: ViewPath): Promise<void> =>
  changeShare(context, path, 'view.shareEnded', async (tx, view, share) => {
    demandOn(view, share);
    await switchShareOff(tx, view.id);
  });

export const refreshShareId = async (context: Context, path: ViewPath): Promise<{ shareId: string }> => {
  demandScope(context.principal, 'record|read', path.tableId);
  return changeShare(context, path, 'view.shared', async (tx, view, share) => {
    demandOn(view, share);
    const shareId = context.newId('shr');
    await updateShareId(tx, view.id, shareId);
    return { shareId };
  });
};
