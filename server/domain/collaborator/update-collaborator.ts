import { forbidden, invalid, notFound } from '@rowhouse/contract/error.ts';
import type { Role } from '@rowhouse/contract/permission.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { addToOutbox } from '../../catalog/outbox.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { demandSeats, seatsBefore } from '../plan/seats.ts';
import { deleteUnbacked } from './backing.sql.ts';
import { concernedBy, hasOtherOwner, type Holder, type Place, selectRole, updateRole } from './collaborator.sql.ts';
import { idsOf, isSelf, peopleBehind } from './holder.ts';
import { lockAndDemand } from './lock-and-demand.ts';
import { mayGive, mayManage } from './role-rules.ts';

export const updateCollaborator = (
  context: Context,
  place: Place,
  input: { holder: Holder; role: Role },
): Promise<void> =>
  retriedTransaction(context.db, async (tx) => {
    const stand = await lockAndDemand(tx, context, place, place.type === 'space' ? 'space|grant_role' : 'base|update');
    const { holder, role } = input;
    const present = await selectRole(tx, place, holder);
    if (present === undefined) throw notFound('Collaborator', holder.id);
    if (!mayManage(stand.role, present, isSelf(context, holder))) {
      throw forbidden(
        `The role ${stand.role} cannot change what ${present === 'owner' ? 'an owner' : `a ${present}`} may do`,
      );
    }
    if (!mayGive(stand.role, role)) throw forbidden(`The role ${stand.role} cannot make anyone ${role}`);
    if (present === role) return;
    if (present === 'owner' && holder.type !== 'department' && !(await hasOtherOwner(tx, place.id, holder.id))) {
      throw invalid({ path: 'role', message: 'The last owner of a space has to stay its owner' });
    }
    const before = await seatsBefore(tx, place);
    await updateRole(tx, place, holder, role);
    const userIds = await peopleBehind(tx, place, holder);
    await deleteUnbacked(tx, place, userIds);
    await demandSeats(tx, context, place, before);
    await addToOutbox(tx, { type: 'roleChanged', userIds, place, role, actorId: context.principal.userId });
    await writeAudit(tx, doerOf(context), 'collaborator.roleChanged', concernedBy(place), {
      [`${place.type}Id`]: place.id,
      ...idsOf(holder),
      from: present,
      to: role,
    });
    await bumpEpochs(tx, [stand.spaceId]);
  });
