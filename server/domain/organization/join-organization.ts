// Becoming a member, and ceasing to be one.
import { ApiError } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { type Doer, writeAudit } from '../../catalog/audit.sql.ts';
import type { Environment } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { insertCollaborators, selectNewTo } from '../collaborator/collaborator.sql.ts';
import { beginAttempt, deleteMembersOfHome, lockHomes, undoAttempt } from '../group/group.sql.ts';
import { settleGroups } from '../group/settle-groups.ts';
import { demandSeats, seatsBefore } from '../plan/seats.ts';
import {
  deleteMembersOf,
  insertMember,
  type Organization,
  selectOrganization,
  selectSpaceIdsOf,
} from './organization.sql.ts';

type Env = Pick<Environment, 'plans' | 'now'>;

const autoSpaceIds = async (tx: Tx, { id, autoSpaceType, autoSpaceIds: chosen }: Organization): Promise<string[]> => {
  if (autoSpaceType === 'none') return [];
  const owned = await selectSpaceIdsOf(tx, id);
  return autoSpaceType === 'all' ? owned : owned.filter((spaceId) => chosen.includes(spaceId));
};

/** As an editor, unless they have a role there already. Where no seat is left they stay outside. */
const joinSpace = async (tx: Tx, env: Env, spaceId: string, { userId, doer }: { userId: string; doer: Doer }) => {
  if ((await selectNewTo(tx, spaceId, [userId])).length === 0) return;
  const place = { type: 'space', id: spaceId } as const;
  await beginAttempt(tx);
  try {
    const before = await seatsBefore(tx, place);
    await insertCollaborators(tx, place, { userIds: [userId], role: 'editor', createdBy: doer.userId ?? userId });
    await demandSeats(tx, env, place, before);
    const told = { spaceId, userIds: [userId], role: 'editor' };
    await writeAudit(tx, doer, 'collaborator.added', { spaceIds: [spaceId] }, told);
    await bumpEpochs(tx, [spaceId]);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'user_limit_exceeded')) throw error;
    await undoAttempt(tx);
  }
};

/** False when somebody is in an organisation already. */
export const joinOrganization = async (
  tx: Tx,
  env: Env,
  { organizationId, userId, doer }: { organizationId: string; userId: string; doer: Doer },
): Promise<boolean> => {
  const organization = await selectOrganization(tx, organizationId);
  if (organization === undefined || !(await insertMember(tx, { organizationId, userId }))) return false;
  const spaceIds = (await lockHomes(tx, [{ type: 'organization', id: organizationId }])).get(organizationId) ?? [];
  const target = { organizationId, userIds: [userId] };
  await writeAudit(tx, doer, 'organization.membersAdded', { spaceIds }, target);
  for (const spaceId of await autoSpaceIds(tx, organization)) await joinSpace(tx, env, spaceId, { userId, doer });
  return true;
};

/** They leave its departments, too, and what they could do by these alone ends at once. Answers who was a member. */
export const leaveOrganization = async (
  tx: Tx,
  env: Env,
  { organizationId, userIds, doer }: { organizationId: string; userIds: readonly string[]; doer: Doer },
): Promise<string[]> => {
  const spaceIds = (await lockHomes(tx, [{ type: 'organization', id: organizationId }])).get(organizationId) ?? [];
  const left = await deleteMembersOf(tx, organizationId, userIds);
  if (left.length === 0) return left;
  await settleGroups(tx, env, { homeId: organizationId, spaceIds }, async () => {
    await deleteMembersOfHome(tx, organizationId, left);
    return left;
  });
  await writeAudit(tx, doer, 'organization.membersRemoved', { spaceIds }, { organizationId, userIds: left });
  return left;
};
