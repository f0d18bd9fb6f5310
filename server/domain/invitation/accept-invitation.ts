import { notFound } from '@rowhouse/contract/error.ts';
import { mightierOf, rank } from '@rowhouse/contract/permission.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { concernedBy, insertCollaborators, lockPlace, selectStanding } from '../collaborator/collaborator.sql.ts';
import { demandSeats, seatsBefore } from '../plan/seats.ts';
import { demandInvitation } from './describe-invitation.ts';
import { markAccepted, selectLink } from './invitation.sql.ts';

interface Accepted {
  spaceId: string | null;
  baseId: string | null;
}

export const acceptInvitation = (
  context: Context,
  input: { invitationId: string; invitationCode: string },
): Promise<Accepted> =>
  retriedTransaction(context.db, async (tx) => {
    const { userId } = context.principal;
    const found = await selectLink(tx, input.invitationId);
    // Behind the lock it is read again: anyone who takes the link back or changes its role holds the same one.
    if (found === undefined || !(await lockPlace(tx, found.place))) throw notFound('Invitation', input.invitationId);
    const link = await demandInvitation(tx, input);
    const { place, role } = link;
    const standing = await selectStanding(tx, userId, place);
    const present = mightierOf(standing?.spaceRole ?? null, standing?.baseRole ?? null);
    if (link.isAccepted && present === null) throw notFound('Invitation', input.invitationId);
    if (!link.isAccepted && (present === null || rank(role) < rank(present))) {
      const before = await seatsBefore(tx, place);
      await insertCollaborators(tx, place, { userIds: [userId], role, createdBy: link.createdBy });
      await demandSeats(tx, context, place, before);
      await writeAudit(tx, doerOf(context), 'invitation.accepted', concernedBy(place), {
        [`${place.type}Id`]: place.id,
        invitationId: link.id,
        invitedBy: link.createdBy,
        role,
      });
      if (standing !== undefined) await bumpEpochs(tx, [standing.spaceId]);
    }
    if (!link.isAccepted) await markAccepted(tx, link.id);
    return { spaceId: place.type === 'space' ? place.id : null, baseId: place.type === 'base' ? place.id : null };
  });
