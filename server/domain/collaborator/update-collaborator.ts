import { forbidden, invalid, notFound } from '@rowhouse/contract/error.ts';
import type { Role } from '@rowhouse/contract/permission.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { addToOutbox } from '../../catalog/outbox.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { demandSeats, seatsBefore } from '../plan/seats.ts';
import { deleteUnbacked } from './backing.sql.ts';
import { concernedBy, hasOtherOwner, type Place, selectRole, updateRole } from './collaborator.sql.ts';
import { lockAndDemand } from './lock-and-demand.ts';
import { mayGive, mayManage } from './role-rules.ts';

export const updateCollaborator = (
  context: Context,
  place: Place,
  input: { userId: string; role: Role },
): Promise<void> =>
  retriedTransaction(context.db, async (tx) => {
    const stand = await lockAndDemand(tx, context, place, place.type === 'space' ? 'space|grant_role' : 'base|update');
    const { userId, role } = input;
    const present = await selectRole(tx, place, userId);
    if (present === undefined) throw notFound('Collaborator', userId);
    if (!mayManage(stand.role, present, userId === context.principal.userId)) {
      throw forbidden(
        `The role ${stand.role} cannot change what ${present === 'owner' ? 'an owner' : `a ${present}`} may do`,
      );
    }
    if (!mayGive(stand.role, role)) throw forbidden(`The role ${stand.role} cannot make anyone ${role}`);
    if (present === role) return;
    if (present === 'owner' && !(await hasOtherOwner(tx, place.id, userId))) {
      throw invalid({ path: 'role', message: 'The last owner of a space has to stay its owner' });
    }
    const before = await seatsBefore(tx, place);
    await updateRole(tx, place, userId, role);
    await deleteUnbacked(tx, place, userId);
    await demandSeats(tx, context, place, before);
    await addToOutbox(tx, { type: 'roleChanged', userIds: [userId], place, role, actorId: context.principal.userId });
    await writeAudit(tx, doerOf(context), 'collaborator.roleChanged', concernedBy(place), {
      [`${place.type}Id`]: place.id,
      userId,
      from: present,
      to: role,
    });
    await bumpEpochs(tx, [stand.spaceId]);
  });
