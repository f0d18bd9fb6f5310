import { conflict, notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { selectAllBaseIds } from '../base/base.sql.ts';
import { deleteCollaborators } from '../collaborator/collaborator.sql.ts';
import { deleteInvitations } from '../invitation/invitation.sql.ts';
import { deleteSpace } from '../space/delete-space.ts';
import { deleteSpaceRow, lockTrashedSpace, selectSpace } from '../space/space.sql.ts';
import { destroyBaseIn } from './destroy-base.ts';

/** Through the trash, where nothing new comes into it. */
export const destroySpace = async (context: Context, spaceId: string): Promise<void> => {
  if ((await selectSpace(context.db, spaceId)) !== undefined) await deleteSpace(context, spaceId);
  await destroyTrashedSpace(context, spaceId);
};

/**
 * Base by base, because dropping hundreds of tables in one transaction takes more locks than PostgreSQL has. Interrupted, it can simply be
 * done again.
 */
export const destroyTrashedSpace = async (context: Context, spaceId: string): Promise<void> => {
  const { db } = context;
  for (const baseId of await selectAllBaseIds(db, spaceId))
    await destroyBaseIn(context, spaceId, baseId, 'space trashed');
  await retriedTransaction(db, async (tx) => {
    if (!(await lockTrashedSpace(tx, spaceId))) throw notFound('Space', spaceId);
    if ((await selectAllBaseIds(tx, spaceId)).length > 0) throw conflict(`Space ${spaceId} was restored meanwhile`);
    await deleteInvitations(tx, spaceId);
    await deleteCollaborators(tx, spaceId);
    await deleteSpaceRow(tx, spaceId);
    await writeAudit(tx, doerOf(context), 'space.destroyed', { spaceIds: [spaceId] }, { spaceId });
    await bumpEpochs(tx, [spaceId]);
  });
};
