import { forbidden, invalid, notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { secondFactorDemanded } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { hasScope } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { deleteUnbacked } from './backing.sql.ts';
import { concernedBy, deleteCollaborator, hasOtherOwner, type Place, selectRole } from './collaborator.sql.ts';
import { lockAndDemand } from './lock-and-demand.ts';
import { mayManage } from './role-rules.ts';

export const removeCollaborator = async (context: Context, place: Place, userId: string): Promise<void> => {
  // Any role may leave, so the endpoint asks for reading only; a token made for reading must not remove people.
  const scope = place.type === 'space' ? 'space|grant_role' : 'base|update';
  if (!hasScope(context.principal, scope))
    throw forbidden(`This token lacks the scope ${scope}, needed on ${place.id}`);
  // Leaving is open to everybody.
  if (context.access.lacksSecondFactor && userId !== context.principal.userId) throw secondFactorDemanded();
  await retriedTransaction(context.db, async (tx) => {
    const stand = await lockAndDemand(tx, context, place, `${place.type}|read`, true);
    const present = await selectRole(tx, place, userId);
    if (present === undefined) throw notFound('Collaborator', userId);
    if (!mayManage(stand.role, present, userId === context.principal.userId)) {
      throw forbidden(`The role ${stand.role} cannot remove ${present === 'owner' ? 'an owner' : `a ${present}`}`);
    }
    if (present === 'owner' && !(await hasOtherOwner(tx, place.id, userId))) {
      throw invalid({ path: 'principalId', message: 'The last owner of a space cannot leave it' });
    }
    await deleteCollaborator(tx, place, userId);
    await deleteUnbacked(tx, place, userId);
    await writeAudit(tx, doerOf(context), 'collaborator.removed', concernedBy(place), {
      [`${place.type}Id`]: place.id,
      userId,
      role: present,
    });
    await bumpEpochs(tx, [stand.spaceId]);
  });
};
