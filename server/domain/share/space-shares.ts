// All share links of a space, for its owners: GET and DELETE /space/:spaceId/share.
import { notFound } from '@rowhouse/contract/error.ts';
import type { SpaceShare } from '@rowhouse/contract/share.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { demandScope } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { bumpVersion, lockSchema } from '../../catalog/table.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { writeOpenings } from './openings.ts';
import { endShare, findShareIn, selectSpaceShares } from './share.sql.ts';

/** Of the public page, not of the API. */
const shareUrl = ({ publicUrl }: Pick<Context, 'publicUrl'>, shareId: string): string =>
  `${publicUrl()}/share/${shareId}/view`;

/** With an address everybody reads what it shows: a token that may not read records learns none. */
export const listSpaceShares = async (context: Context, spaceId: string): Promise<SpaceShare[]> => {
  demandScope(context.principal, 'record|read', spaceId);
  await writeOpenings(context.db.identity);
  return (await selectSpaceShares(context.db, spaceId)).map((share) => ({
    ...share,
    url: shareUrl(context, share.shareId),
  }));
};

export const endSpaceShare = async (context: Context, spaceId: string, shareId: string): Promise<void> => {
  const ended = await retriedTransaction(context.db, async (tx) => {
    const found = await findShareIn(tx, spaceId, shareId);
    // The table first, as in every change of a share: two that met halfway would wait for each other.
    if (found !== undefined) await lockSchema(tx, found.baseId, found.tableId);
    if (found === undefined || !(await endShare(tx, shareId))) throw notFound('Share', shareId.slice(0, 50));
    await bumpVersion(tx, found.baseId, found.tableId, { kind: 'view', actor: context.principal.userId });
    await bumpEpochs(tx, [found.viewId]);
    await writeAudit(
      tx,
      doerOf(context),
      'view.shareEnded',
      { spaceIds: [spaceId] },
      { baseId: found.baseId, tableId: found.tableId, viewId: found.viewId },
    );
    return found;
  });
  context.catalog.forget(ended.tableId);
  context.live.changed(ended.baseId);
};
