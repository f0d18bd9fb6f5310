import { forbidden, notFound } from '@rowhouse/contract/error.ts';
import type { Role } from '@rowhouse/contract/permission.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { concernedBy, type Place } from '../collaborator/collaborator.sql.ts';
import { lockAndDemand } from '../collaborator/lock-and-demand.ts';
import { mayGive } from '../collaborator/role-rules.ts';
import { lockOpenInvitation, updateInvitationRole } from './invitation.sql.ts';

export const updateLink = <R extends Role>(
  context: Context,
  place: Place,
  input: { invitationId: string; role: R },
): Promise<{ invitationId: string; role: R }> =>
  retriedTransaction(context.db, async (tx) => {
    const { invitationId, role } = input;
    const stand = await lockAndDemand(tx, context, place, `${place.type}|invite_link`);
    const invitation = await lockOpenInvitation(tx, place, invitationId);
    if (invitation === undefined) throw notFound('Invitation', invitationId);
    if (!mayGive(stand.role, invitation.role))
      throw forbidden(`The role ${stand.role} cannot change an invitation to be ${invitation.role}`);
    if (!mayGive(stand.role, role)) throw forbidden(`The role ${stand.role} cannot make anyone ${role}`);
    await updateInvitationRole(tx, invitationId, role);
    await writeAudit(tx, doerOf(context), 'invitation.changed', concernedBy(place), {
      [`${place.type}Id`]: place.id,
      invitationId,
      from: invitation.role,
      to: role,
    });
    return { invitationId, role };
  });
