// What administrators do to spaces. They have no key to them: one who needs to look into a space takes it over, and that is told.
import type { takeOverSpace as takeEndpoint, updateAdminSpace as endpoint } from '@rowhouse/contract/admin-space.ts';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { conflict, notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { addToOutbox } from '../../catalog/outbox.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { insertCollaborators, selectRole } from '../collaborator/collaborator.sql.ts';
import { deleteSpace } from '../space/delete-space.ts';
import { changeSpace } from '../space/space.sql.ts';
import { snapshotSpaceId } from '../template/template.sql.ts';
import { selectSpaceName } from './place.sql.ts';

/** Snapshots of templates are nobody's space. */
const demandOrdinary = (spaceId: string): void => {
  if (spaceId === snapshotSpaceId) throw notFound('Space', spaceId);
};

export const updateSpaceAsAdmin = (context: Context, spaceId: string, change: BodyOf<typeof endpoint>): Promise<void> =>
  retriedTransaction(context.db, async (tx) => {
    demandOrdinary(spaceId);
    if (!(await changeSpace(tx, spaceId, change))) throw notFound('Space', spaceId);
    if (Object.keys(change).length > 0)
      await writeAudit(tx, doerOf(context), 'space.changed', { spaceIds: [spaceId] }, { spaceId, ...change });
  });

export const takeOverSpace = (
  context: Context,
  spaceId: string,
  { reason }: BodyOf<typeof takeEndpoint>,
): Promise<void> =>
  retriedTransaction(context.db, async (tx) => {
    demandOrdinary(spaceId);
    const { userId } = context.principal;
    if ((await selectSpaceName(tx, spaceId)) === null) throw notFound('Space', spaceId);
    const place = { type: 'space', id: spaceId } as const;
    if ((await selectRole(tx, place, { type: 'user', id: userId })) === 'owner')
      throw conflict('You are an owner of this space already');
    await insertCollaborators(tx, place, { userIds: [userId], role: 'owner', createdBy: userId });
    await addToOutbox(tx, { type: 'spaceTakenOver', spaceId, actorId: userId, reason });
    await writeAudit(tx, doerOf(context), 'space.takenOver', { spaceIds: [spaceId] }, { spaceId, userId, reason });
    await bumpEpochs(tx, [spaceId, userId]);
  });

/** To the trash, where its owners find it. */
export const deleteSpaceAsAdmin = async (context: Context, spaceId: string): Promise<void> => {
  demandOrdinary(spaceId);
  await deleteSpace(context, spaceId);
};
