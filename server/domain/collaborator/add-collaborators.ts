import { forbidden, invalid, type Issue } from '@rowhouse/contract/error.ts';
import { mightierOf, rank, type Role } from '@rowhouse/contract/permission.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { addToOutbox } from '../../catalog/outbox.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { demandSeats, seatsBefore } from '../plan/seats.ts';
import {
  type Candidate,
  concernedBy,
  type GroupCandidate,
  insertCollaborators,
  type Place,
  selectCandidatesById,
  selectGroupCandidates,
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

const idsOfType = ({ collaborators }: NewCollaborators, type: 'user' | 'department'): string[] => [
  ...new Set(collaborators.filter((one) => one.principalType === type).map((one) => one.principalId)),
];

const faultOfUser = (id: string, candidate: Candidate | undefined, role: Role): string | undefined => {
  if (candidate === undefined || candidate.deactivated) return `There is no user ${id}`;
  return isAlreadyIn(candidate, role) ? `User ${id} already has a role there` : undefined;
};

const faultOfGroup = (id: string, candidate: GroupCandidate | undefined): string | undefined => {
  if (candidate === undefined) return `This space has no group ${id}`;
  return candidate.role === null ? undefined : `Group ${id} already has a role there`;
};

export const addCollaborators = async (context: Context, place: Place, input: NewCollaborators): Promise<void> => {
  await limitInvitations(context, input.collaborators.length);
  await retriedTransaction(context.db, async (tx) => {
    const stand = await lockAndDemand(tx, context, place, `${place.type}|invite_email`);
    if (!mayGive(stand.role, input.role)) throw forbidden(`The role ${stand.role} cannot make anyone ${input.role}`);
    const [userIds, groupIds] = [idsOfType(input, 'user'), idsOfType(input, 'department')];
    if (groupIds.length > 0) demandFeature(context, 'userGroupEnable');
    const users = new Map(
      (await selectCandidatesById(tx, place, userIds)).map((candidate) => [candidate.userId, candidate]),
    );
    const groups = new Map(
      (await selectGroupCandidates(tx, place, groupIds)).map((candidate) => [candidate.groupId, candidate]),
    );
    const issues = input.collaborators.flatMap(({ principalId, principalType }, at): Issue[] => {
      const fault =
        principalType === 'user'
          ? faultOfUser(principalId, users.get(principalId), input.role)
          : faultOfGroup(principalId, groups.get(principalId));
      return fault === undefined ? [] : [{ path: `collaborators[${at}].principalId`, message: fault }];
    });
    if (issues.length > 0) throw invalid(issues);
    const people = [...new Set([...userIds, ...[...groups.values()].flatMap(({ memberIds }) => memberIds)])];
    await limitAdded(tx, context, stand.spaceId, people);
    const before = await seatsBefore(tx, place);
    const { userId: actorId } = context.principal;
    await insertCollaborators(tx, place, { userIds, groupIds, role: input.role, createdBy: actorId });
    await addToOutbox(tx, { type: 'invited', userIds: people, place, role: input.role, actorId });
    await demandSeats(tx, context, place, before);
    await writeAudit(tx, doerOf(context), 'collaborator.added', concernedBy(place), {
      [`${place.type}Id`]: place.id,
      ...(userIds.length === 0 ? {} : { userIds }),
      ...(groupIds.length === 0 ? {} : { groupIds }),
      role: input.role,
    });
    await bumpEpochs(tx, [stand.spaceId]);
  });
};
