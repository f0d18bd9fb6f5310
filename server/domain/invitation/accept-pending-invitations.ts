import type { Tx } from '../../db/db.ts';
import { insertInvited, takePendingInvitations } from './invitation.sql.ts';

/** Gives a new user the roles that were promised to the address; answers how many. */
export const acceptPendingInvitations = async (tx: Tx, input: { userId: string; email: string }): Promise<number> => {
  const invitations = await takePendingInvitations(tx, input.email);
  for (const invitation of invitations) await insertInvited(tx, input.userId, invitation);
  return invitations.length;
};
