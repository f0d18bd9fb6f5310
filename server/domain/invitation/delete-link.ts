import { forbidden, notFound } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { concernedBy, type Place } from '../collaborator/collaborator.sql.ts';
import { lockAndDemand } from '../collaborator/lock-and-demand.ts';
import { mayGive } from '../collaborator/role-rules.ts';
import { deleteInvitation, lockOpenInvitation } from './invitation.sql.ts';

/** Takes back a link, or an e-mail invitation that still waits. */
export const deleteLink = (context: Context, place: Place, invitationId: string): Promise<void> =>
  retriedTransaction(context.db, async (tx) => {
    const stand = await lockAndDemand(tx, context, place, `${place.type}|invite_link`);
    const invitation = await lockOpenInvitation(tx, place, invitationId);
    if (invitation === undefined) throw notFound('Invitation', invitationId);
    if (!mayGive(stand.role, invitation.role))
      throw forbidden(`The role ${stand.role} cannot take back an invitation to be ${invitation.role}`);
    await deleteInvitation(tx, invitationId);
    await writeAudit(tx, doerOf(context), 'invitation.deleted', concernedBy(place), {
      [`${place.type}Id`]: place.id,
      invitationId,
      role: invitation.role,
    });
  });
