import { type From, personAt, writeAudit } from '../../catalog/audit.sql.ts';
import { addToOutbox } from '../../catalog/outbox.ts';
import type { Queryable, Tx } from '../../db/db.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { concernedBy, insertCollaborators } from '../collaborator/collaborator.sql.ts';
import {
  isMailedInvitation,
  type PendingInvitation,
  lockAddresses,
  takeOwnInvitation,
  takePendingInvitations,
} from './invitation.sql.ts';

const nowhere: From = { ip: null, userAgent: null };

const letIn = async (
  tx: Tx,
  userId: string,
  invitations: readonly PendingInvitation[],
  from: From,
): Promise<number> => {
  for (const { id, place, role, createdBy } of invitations) {
    await insertCollaborators(tx, place, { userIds: [userId], role, createdBy });
    await addToOutbox(tx, { type: 'invited', userIds: [userId], place, role, actorId: createdBy });
    await writeAudit(tx, personAt(userId, from), 'invitation.accepted', concernedBy(place), {
      [`${place.type}Id`]: place.id,
      invitationId: id,
      invitedBy: createdBy,
      role,
    });
  }
  return invitations.length;
};

/** Gives a new user, who stands already in this transaction, the roles that were promised to the address; answers how many. */
export const acceptPendingInvitations = async (
  tx: Tx,
  input: { userId: string; email: string; from?: From | undefined },
): Promise<number> => {
  await lockAddresses(tx, [input.email]);
  return letIn(tx, input.userId, await takePendingInvitations(tx, input.email), input.from ?? nowhere);
};

/** The same of the one invitation whose secret the new user has; 0 when it is not one of this address, or is over. */
export const acceptOwnInvitation = async (
  tx: Tx,
  user: { id: string; email: string },
  invitation: { id: string; code: string } | undefined,
  from: From = nowhere,
): Promise<number> => {
  await lockAddresses(tx, [user.email]);
  if (invitation === undefined) return 0;
  return letIn(
    tx,
    user.id,
    await takeOwnInvitation(tx, { email: user.email, id: invitation.id, codeHash: hashSecret(invitation.code) }),
    from,
  );
};

/** Whether it is the secret of an invitation that went to this address by mail alone: then it proves the address. */
export const hasMailedInvitation = (
  db: Queryable,
  email: string,
  invitation: { id: string; code: string },
): Promise<boolean> => isMailedInvitation(db, { email, id: invitation.id, codeHash: hashSecret(invitation.code) });
