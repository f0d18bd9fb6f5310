// A change of groups of a space by people: one at a time.
import { type ApiError, invalid, notFound } from '@rowhouse/contract/error.ts';
import { deepestGroup } from '@rowhouse/contract/group.ts';
import type { Action } from '@rowhouse/contract/permission.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import type { Stand } from '../collaborator/demand-access.ts';
import { lockAndDemand } from '../collaborator/lock-and-demand.ts';
import { type UserGroup, selectGroups } from './group.sql.ts';
import { settleGroups } from './settle-groups.ts';

interface Changing {
  tx: Tx;
  stand: Stand;
  /** All groups of the space. */
  groups: ReadonlyMap<string, UserGroup>;
}

/** `change` answers who came or went. */
export const changeGroup = (
  context: Context,
  spaceId: string,
  { action = 'space|grant_role', anyFactor = false }: { action?: Action; anyFactor?: boolean },
  change: (changing: Changing) => Promise<readonly string[]>,
): Promise<void> =>
  retriedTransaction(context.db, async (tx) => {
    const place = { type: 'space', id: spaceId } as const;
    const stand = await lockAndDemand(tx, context, place, action, anyFactor);
    const groups = new Map((await selectGroups(tx, [spaceId])).map((group) => [group.id, group]));
    await settleGroups(tx, context, { homeId: spaceId, spaceIds: [spaceId] }, () => change({ tx, stand, groups }));
  });

export const findGroup = (groups: ReadonlyMap<string, UserGroup>, groupId: string): UserGroup => {
  const group = groups.get(groupId);
  if (group === undefined) throw notFound('Group', groupId);
  return group;
};

export const findGroupOf = async ({ db }: Context, spaceId: string, groupId: string): Promise<UserGroup> =>
  findGroup(new Map((await selectGroups(db, [spaceId])).map((group) => [group.id, group])), groupId);

const nameTaken = (name: string): ApiError =>
  invalid({ path: 'name', message: `There is a group ${JSON.stringify(name)} at this place already` });

/** Checks where a group would be. `self` is the group when it exists already. */
export const demandPlace = (
  groups: ReadonlyMap<string, UserGroup>,
  { name, parentId }: { name: string; parentId: string | null },
  self?: UserGroup,
): void => {
  const parent = parentId === null ? undefined : groups.get(parentId);
  if (parentId !== null && parent === undefined)
    throw invalid({ path: 'parentId', message: `There is no group ${parentId} at this place` });
  if (self !== undefined && parent?.path.includes(self.id) === true)
    throw invalid({ path: 'parentId', message: 'A group cannot be inside of itself' });
  const below = [...groups.values()].filter(({ path }) => self !== undefined && path.includes(self.id));
  const height = Math.max(1, ...below.map(({ path }) => path.length - (self?.path.length ?? 0) + 1));
  if ((parent?.path.length ?? 0) + height > deepestGroup)
    throw invalid({ path: 'parentId', message: `Groups can be ${deepestGroup} levels deep, and this would be deeper` });
  const isTaken = [...groups.values()].some(
    (other) => other.id !== self?.id && other.parentId === parentId && other.name.toLowerCase() === name.toLowerCase(),
  );
  if (isTaken) throw nameTaken(name);
};
