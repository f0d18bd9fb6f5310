import type { Tx } from '../../db/db.ts';
import { insertCollaborators } from '../collaborator/collaborator.sql.ts';
import { takePendingInvitations } from './invitation.sql.ts';

/** Gives a new user the roles that were promised to the address; answers how many. */
export const acceptPendingInvitations = async (tx: Tx, input: { userId: string; email: string }): Promise<number> => {
  const invitations = await takePendingInvitations(tx, input.email);
  for (const { place, role, createdBy } of invitations) {
    await insertCollaborators(tx, place, { userIds: [input.userId], role, createdBy });
  }
  return invitations.length;
};
