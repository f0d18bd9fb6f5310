import { forbidden, invalid, type Issue } from '@rowhouse/contract/error.ts';
import { mightierOf, rank, type Role } from '@rowhouse/contract/permission.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { addToOutbox } from '../../catalog/outbox.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { demandSeats, seatsBefore } from '../plan/seats.ts';
import {
  type Candidate,
  concernedBy,
  insertCollaborators,
  type Place,
  selectCandidatesById,
} from './collaborator.sql.ts';
import { limitAdded, limitInvitations } from './limit-invitations.ts';
import { lockAndDemand } from './lock-and-demand.ts';
import { mayGive } from './role-rules.ts';

/** True when the role would give nothing that the person does not have already. */
export const isAlreadyIn = (candidate: Candidate, role: Role): boolean => {
  if (candidate.role !== null) return true;
  const has = mightierOf(candidate.role, candidate.spaceRole);
  return has !== null && rank(has) <= rank(role);
};

interface NewCollaborators {
  collaborators: readonly { principalId: string; principalType: 'user' | 'department' }[];
  role: Role;
}

export const addCollaborators = async (context: Context, place: Place, input: NewCollaborators): Promise<void> => {
  await limitInvitations(context, input.collaborators.length);
  await retriedTransaction(context.db, async (tx) => {
    const stand = await lockAndDemand(tx, context, place, `${place.type}|invite_email`);
    if (!mayGive(stand.role, input.role)) throw forbidden(`The role ${stand.role} cannot make anyone ${input.role}`);
    const userIds = [...new Set(input.collaborators.map((one) => one.principalId))];
    const known = new Map(
      (await selectCandidatesById(tx, place, userIds)).map((candidate) => [candidate.userId, candidate]),
    );
    const issues: Issue[] = [];
    input.collaborators.forEach(({ principalId, principalType }, at) => {
      const path = `collaborators[${at}].${principalType === 'user' ? 'principalId' : 'principalType'}`;
      const candidate = known.get(principalId);
      if (principalType !== 'user') issues.push({ path, message: 'There are no departments here', expected: '"user"' });
      else if (candidate === undefined || candidate.deactivated)
        issues.push({ path, message: `There is no user ${principalId}` });
      else if (isAlreadyIn(candidate, input.role))
        issues.push({ path, message: `User ${principalId} already has a role there` });
    });
    if (issues.length > 0) throw invalid(issues);
    await limitAdded(tx, context, stand.spaceId, userIds);
    const before = await seatsBefore(tx, place);
    await insertCollaborators(tx, place, { userIds, role: input.role, createdBy: context.principal.userId });
    await addToOutbox(tx, { type: 'invited', userIds, place, role: input.role, actorId: context.principal.userId });
    await demandSeats(tx, context, place, before);
    await writeAudit(tx, doerOf(context), 'collaborator.added', concernedBy(place), {
      [`${place.type}Id`]: place.id,
      userIds,
      role: input.role,
    });
    await bumpEpochs(tx, [stand.spaceId]);
  });
};
