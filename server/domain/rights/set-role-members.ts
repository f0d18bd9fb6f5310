import { forbidden, invalid, type Issue } from '@rowhouse/contract/error.ts';
import { mayGive } from '../collaborator/role-rules.ts';
import type { setAuthorityRoleMembers as endpoint } from '@rowhouse/contract/authority-matrix.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { addToOutbox } from '../../catalog/outbox.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import {
  type Candidate,
  type GroupCandidate,
  insertCollaborators,
  selectCandidatesById,
  selectGroupCandidates,
} from '../collaborator/collaborator.sql.ts';
import { demandAccess, type Stand } from '../collaborator/demand-access.ts';
import { limitAdded } from '../collaborator/limit-invitations.ts';
import { demandAllowed } from '../setting/demand-allowed.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { changeMatrix, findRole } from './change-matrix.ts';
import { replaceMembers, selectRoles, selectStrangers } from './matrix.sql.ts';
import { roleHeadVo } from './role-vo.ts';
import type { RolePath } from './update-role.ts';

interface Members {
  userIds: readonly string[];
  groupIds: readonly string[];
}

/** Those who have no role on the base yet become viewers of it, as if they had been added there. */
const addViewers = async (
  tx: Tx,
  context: Context,
  stand: Stand,
  baseId: string,
  { users, groups }: { users: readonly Candidate[]; groups: readonly GroupCandidate[] },
): Promise<void> => {
  const ids = [...users.map(({ userId }) => userId), ...groups.map(({ groupId }) => groupId)];
  const strangers = await selectStrangers(tx, baseId, ids);
  if (strangers.size === 0) return;
  const place = { type: 'base', id: baseId } as const;
  await demandAccess(tx, context, { ...place, trashed: false }, 'base|invite_email');
  if (!mayGive(stand.role, 'viewer'))
    throw forbidden('Only those who may invite to this base can add people to a role');
  const userIds = users.map(({ userId }) => userId).filter((id) => strangers.has(id));
  const added = groups.filter(({ groupId }) => strangers.has(groupId));
  const groupIds = added.map(({ groupId }) => groupId);
  const people = [...new Set([...userIds, ...added.flatMap(({ memberIds }) => memberIds)])];
  await limitAdded(tx, context, stand.spaceId, people);
  const actorId = context.principal.userId;
  await insertCollaborators(tx, place, { userIds, groupIds, role: 'viewer', createdBy: actorId });
  await addToOutbox(tx, { type: 'invited', userIds: people, place, role: 'viewer', actorId });
  await writeAudit(
    tx,
    doerOf(context),
    'collaborator.added',
    { baseIds: [baseId] },
    {
      baseId,
      ...(userIds.length === 0 ? {} : { userIds }),
      ...(groupIds.length === 0 ? {} : { groupIds }),
      role: 'viewer',
    },
  );
};

export const setAuthorityRoleMembers = async (
  context: Context,
  { baseId, authorityMatrixRoleId: id }: RolePath,
  input: { userIds?: readonly string[]; departmentIds?: readonly string[] },
): Promise<ResponseOf<typeof endpoint>> => {
  const named = [...(input.userIds ?? []), ...(input.departmentIds ?? [])];
  const { size } = await selectStrangers(context.db, baseId, named);
  if (size > 0) await demandAllowed(context, 'disallowSpaceInvitation');
  return changeMatrix(context, baseId, async ({ tx, stand, matrix, roles }) => {
    const role = findRole(roles, id);
    const before: Members = {
      userIds: role.users.map((user) => user.id),
      groupIds: role.departments.map((group) => group.id),
    };
    const after: Members = {
      userIds: [...new Set(input.userIds ?? before.userIds)],
      groupIds: [...new Set(input.departmentIds ?? before.groupIds)],
    };
    const come: Members = {
      userIds: after.userIds.filter((userId) => !before.userIds.includes(userId)),
      groupIds: after.groupIds.filter((groupId) => !before.groupIds.includes(groupId)),
    };
    if (come.groupIds.length > 0) demandFeature(context, 'userGroupEnable');
    const place = { type: 'base', id: baseId } as const;
    const users = (await selectCandidatesById(tx, place, come.userIds)).filter(({ deactivated }) => !deactivated);
    const groups = await selectGroupCandidates(tx, place, come.groupIds);
    const issues = [
      ...come.userIds
        .filter((userId) => !users.some((user) => user.userId === userId))
        .map(
          (userId): Issue => ({
            path: `userIds[${input.userIds?.indexOf(userId)}]`,
            message: `There is no user ${userId}`,
          }),
        ),
      ...come.groupIds
        .filter((groupId) => !groups.some((group) => group.groupId === groupId))
        .map(
          (groupId): Issue => ({
            path: `departmentIds[${input.departmentIds?.indexOf(groupId)}]`,
            message: `This space has no group ${groupId}`,
          }),
        ),
    ];
    if (issues.length > 0) throw invalid(issues);
    await addViewers(tx, context, stand, baseId, { users, groups });
    await replaceMembers(tx, id, after);
    await writeAudit(
      tx,
      doerOf(context),
      'rights.membersSet',
      { baseIds: [baseId] },
      { baseId, roleId: id, name: role.name, ...after },
    );
    const { users: people = [], departments = [] } = roleHeadVo(
      context.principal,
      findRole(await selectRoles(tx, baseId, id), id),
    );
    return { id, authorityMatrixId: matrix.id, users: people, departments };
  });
};
