import { type ApiError, forbidden, invalid, notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { secondFactorDemanded } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { hasScope } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { deleteUnbacked } from './backing.sql.ts';
import {
  concernedBy,
  deleteCollaborator,
  hasOtherOwner,
  type Holder,
  type Place,
  selectGroupsGiving,
  selectRole,
} from './collaborator.sql.ts';
import { idsOf, isSelf, peopleBehind } from './holder.ts';
import { lockAndDemand } from './lock-and-demand.ts';
import { deleteStrayRights } from './stray-rights.sql.ts';
import { mayManage } from './role-rules.ts';

const notThere = async (tx: Tx, place: Place, holder: Holder): Promise<ApiError> => {
  const groups = holder.type !== 'department' ? await selectGroupsGiving(tx, place, holder.id) : [];
  return groups.length === 0
    ? notFound('Collaborator', holder.id)
    : invalid({
        path: 'principalId',
        message: `This person has their role by the group ${groups.map((name) => JSON.stringify(name)).join(', ')}`,
        expected: 'somebody who was given a role themselves; remove this person from the group instead',
      });
};

export const removeCollaborator = async (context: Context, place: Place, holder: Holder): Promise<void> => {
  // Any role may leave, so the endpoint asks for reading only; a token made for reading must not remove people.
  const scope = place.type === 'space' ? 'space|grant_role' : 'base|update';
  if (!hasScope(context.principal, scope))
    throw forbidden(`This token lacks the scope ${scope}, needed on ${place.id}`);
  // Leaving is open to everybody.
  if (context.access.lacksSecondFactor && !isSelf(context, holder)) throw secondFactorDemanded();
  await retriedTransaction(context.db, async (tx) => {
    const stand = await lockAndDemand(tx, context, place, `${place.type}|read`, true);
    const present = await selectRole(tx, place, holder);
    if (present === undefined) throw await notThere(tx, place, holder);
    if (!mayManage(stand.role, present, isSelf(context, holder))) {
      throw forbidden(`The role ${stand.role} cannot remove ${present === 'owner' ? 'an owner' : `a ${present}`}`);
    }
    if (present === 'owner' && holder.type !== 'department' && !(await hasOtherOwner(tx, place.id, holder.id))) {
      throw invalid({ path: 'principalId', message: 'The last owner of a space cannot leave it' });
    }
    const userIds = await peopleBehind(tx, place, holder);
    await deleteCollaborator(tx, place, holder);
    await deleteUnbacked(tx, place, userIds);
    await deleteStrayRights(tx, place);
    await writeAudit(tx, doerOf(context), 'collaborator.removed', concernedBy(place), {
      [`${place.type}Id`]: place.id,
      ...idsOf(holder),
      role: present,
    });
    await bumpEpochs(tx, [stand.spaceId]);
  });
};
