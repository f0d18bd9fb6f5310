import { addToOutbox } from '../../catalog/outbox.sql.ts';
import type { Tx } from '../../db/db.ts';
import { insertCollaborators } from '../collaborator/collaborator.sql.ts';
import { lockAddresses, takePendingInvitations } from './invitation.sql.ts';

/** Gives a new user, who stands already in this transaction, the roles that were promised to the address; answers how many. */
export const acceptPendingInvitations = async (tx: Tx, input: { userId: string; email: string }): Promise<number> => {
  await lockAddresses(tx, [input.email]);
  const invitations = await takePendingInvitations(tx, input.email);
  for (const { place, role, createdBy } of invitations) {
    await insertCollaborators(tx, place, { userIds: [input.userId], role, createdBy });
    await addToOutbox(tx, { type: 'invited', userIds: [input.userId], place, role, actorId: createdBy });
  }
  return invitations.length;
};
