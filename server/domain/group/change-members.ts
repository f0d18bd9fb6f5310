import { forbidden, invalid, notFound } from '@rowhouse/contract/error.ts';
import { rank } from '@rowhouse/contract/permission.ts';
import { demand, secondFactorDemanded } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { addToOutbox } from '../../catalog/outbox.ts';
import { hasScope } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { limitAdded, limitInvitations } from '../collaborator/limit-invitations.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { changeGroup, findGroup, findGroupOf } from './change-group.ts';
import {
  deleteMembers,
  type UserGroup,
  insertMembers,
  selectActiveIds,
  selectDirectIds,
  selectIdsByHand,
  selectRolesOf,
} from './group.sql.ts';

interface GroupPath {
  spaceId: string;
  groupId: string;
}

/** Of each place the strongest role that the group and those above it give. */
const tell = async (tx: Tx, context: Context, { path }: UserGroup, userIds: readonly string[]): Promise<void> => {
  const strongest = new Map<string, Awaited<ReturnType<typeof selectRolesOf>>[number]>();
  for (const given of await selectRolesOf(tx, path)) {
    const before = strongest.get(given.id);
    if (before === undefined || rank(given.role) < rank(before.role)) strongest.set(given.id, given);
  }
  const actorId = context.principal.userId;
  for (const { type, id, role } of strongest.values())
    await addToOutbox(tx, { type: 'invited', userIds, place: { type, id }, role, actorId });
};

export const addGroupMembers = async (
  context: Context,
  { spaceId, groupId }: GroupPath,
  input: { userIds: readonly string[] },
): Promise<void> => {
  demandFeature(context, 'userGroupEnable');
  await findGroupOf(context, spaceId, groupId);
  await limitInvitations(context, input.userIds.length);
  await changeGroup(context, spaceId, {}, async ({ tx, groups }) => {
    const group = findGroup(groups, groupId);
    const active = await selectActiveIds(tx, input.userIds);
    const unknown = input.userIds.flatMap((id, at) =>
      active.has(id) ? [] : [{ path: `userIds[${at}]`, message: `There is no user ${id}` }],
    );
    if (unknown.length > 0) throw invalid(unknown);
    const present = await selectIdsByHand(tx, groupId, input.userIds);
    const userIds = [...active].filter((id) => !present.has(id));
    if (userIds.length === 0) return [];
    await limitAdded(tx, context, spaceId, userIds);
    await insertMembers(tx, groupId, userIds);
    await tell(tx, context, group, userIds);
    const target = { groupId, name: group.name, userIds };
    await writeAudit(tx, doerOf(context), 'group.membersAdded', { spaceIds: [spaceId] }, target);
    return userIds;
  });
};

export const removeGroupMembers = async (
  context: Context,
  { spaceId, groupId }: GroupPath,
  { userIds }: { userIds: readonly string[] },
): Promise<void> => {
  // Everyone may leave, so the endpoint asks for reading only; a token made for reading must not remove people.
  if (!hasScope(context.principal, 'space|grant_role'))
    throw forbidden(`This token lacks the scope space|grant_role, needed on ${spaceId}`);
  const isLeaving = userIds.every((id) => id === context.principal.userId);
  if (context.access.lacksSecondFactor && !isLeaving) throw secondFactorDemanded();
  await changeGroup(context, spaceId, { action: 'space|read', anyFactor: true }, async ({ tx, stand, groups }) => {
    const group = findGroup(groups, groupId);
    if (!isLeaving) demand({ ...context.access, role: stand.role }, 'space|grant_role', spaceId);
    const present = await selectDirectIds(tx, groupId, userIds);
    const missing = userIds.find((id) => !present.has(id));
    if (missing !== undefined) throw notFound('Member', missing);
    // Also those whom a provider has put into it, so that nobody needs the provider to take somebody out: if it still says so, the next sign-in puts them into it again.
    await deleteMembers(tx, groupId, userIds);
    const target = { groupId, name: group.name, userIds };
    await writeAudit(tx, doerOf(context), 'group.membersRemoved', { spaceIds: [spaceId] }, target);
    return userIds;
  });
};
