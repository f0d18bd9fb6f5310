// Departments: groups that belong to an organisation. What they may do in its spaces follows from roles, as for groups of a space.
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { demandPlace, findGroup } from '../group/change-group.ts';
import {
  deleteGroupRow,
  deleteMembers,
  insertGroup,
  insertMembers,
  lockHomes,
  saveGroup,
  selectDirectIds,
  selectGroups,
  selectMemberIds,
  type UserGroup,
} from '../group/group.sql.ts';
import { settleGroups } from '../group/settle-groups.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { changeOrganization } from './demand-organization.ts';
import { selectDepartmentsOf } from './department.sql.ts';
import { selectMemberIds as selectOrganizationMembers } from './organization.sql.ts';

const most = 5_000;

interface Changing {
  tx: Tx;
  groups: ReadonlyMap<string, UserGroup>;
  tell(
    action: 'group.created' | 'group.changed' | 'group.deleted' | 'group.membersAdded' | 'group.membersRemoved',
    target: Record<string, unknown>,
  ): Promise<void>;
}

/** `change` answers who came or went. */
const changeIn = async (
  tx: Tx,
  context: Context,
  organizationId: string,
  change: (changing: Changing) => Promise<readonly string[]>,
): Promise<void> => {
  const spaceIds = (await lockHomes(tx, [{ type: 'organization', id: organizationId }])).get(organizationId) ?? [];
  const groups = new Map((await selectGroups(tx, [organizationId])).map((group) => [group.id, group]));
  await settleGroups(tx, context, { homeId: organizationId, spaceIds }, () =>
    change({
      tx,
      groups,
      tell: (action, target) => writeAudit(tx, doerOf(context), action, { spaceIds }, { organizationId, ...target }),
    }),
  );
};

const changeDepartments = (
  context: Context,
  organizationId: string,
  change: (changing: Changing) => Promise<readonly string[]>,
  takesAway = false,
): Promise<void> =>
  changeOrganization(context, organizationId, (tx) => {
    // What gives rights can always be taken away.
    if (!takesAway) demandFeature(context, 'organizationEnable');
    return changeIn(tx, context, organizationId, change);
  });

interface DepartmentPath {
  organizationId: string;
  departmentId: string;
}

export const createDepartment = async (
  context: Context,
  organizationId: string,
  { name, parentId = null }: { name: string; parentId?: string | null },
): Promise<string> => {
  const id = context.newId('odp');
  await changeDepartments(context, organizationId, async ({ tx, groups, tell }) => {
    if (groups.size >= most) throw invalid({ path: 'name', message: `An organisation can have ${most} departments` });
    demandPlace(groups, { name, parentId });
    const home = { type: 'organization', id: organizationId } as const;
    await insertGroup(tx, { id, home, parentId, name, userId: context.principal.userId });
    await tell('group.created', { groupId: id, name });
    return [];
  });
  return id;
};

export const updateDepartment = (
  context: Context,
  { organizationId, departmentId }: DepartmentPath,
  input: { name?: string; parentId?: string | null },
): Promise<void> =>
  changeDepartments(context, organizationId, async ({ tx, groups, tell }) => {
    const before = findGroup(groups, departmentId);
    const { name = before.name, parentId = before.parentId } = input;
    if (name === before.name && parentId === before.parentId) return [];
    demandPlace(groups, { name, parentId }, before);
    await saveGroup(tx, { id: departmentId, name, parentId });
    await tell('group.changed', { groupId: departmentId, name, parentId });
    return [];
  });

export const deleteDepartment = (context: Context, { organizationId, departmentId }: DepartmentPath): Promise<void> =>
  changeDepartments(
    context,
    organizationId,
    async ({ tx, groups, tell }) => {
      const group = findGroup(groups, departmentId);
      if (group.hasChildren)
        throw invalid({
          path: 'departmentId',
          message: 'There are departments inside of this one: move or delete them first',
        });
      const memberIds = await selectMemberIds(tx, departmentId);
      await deleteGroupRow(tx, departmentId);
      await tell('group.deleted', { groupId: departmentId, name: group.name });
      return memberIds;
    },
    true,
  );

interface Putting {
  departmentIds: readonly string[];
  userIds: readonly string[];
}

const demandMembers = async (tx: Tx, organizationId: string, userIds: readonly string[]): Promise<void> => {
  const members = await selectOrganizationMembers(tx, organizationId, userIds);
  const issues = userIds.flatMap((id, at) =>
    members.has(id) ? [] : [{ path: `userIds[${at}]`, message: `This organisation has no member ${id}` }],
  );
  if (issues.length > 0) throw invalid(issues);
};

const demandDepartments = (groups: ReadonlyMap<string, UserGroup>, departmentIds: readonly string[]): void => {
  const issues = departmentIds.flatMap((id, at) =>
    groups.has(id) ? [] : [{ path: `departmentIds[${at}]`, message: `This organisation has no department ${id}` }],
  );
  if (issues.length > 0) throw invalid(issues);
};

const put = async ({ tx, groups, tell }: Changing, departmentId: string, userIds: readonly string[]): Promise<void> => {
  await insertMembers(tx, departmentId, userIds);
  await tell('group.membersAdded', { groupId: departmentId, name: groups.get(departmentId)?.name, userIds });
};

const take = async (
  { tx, groups, tell }: Changing,
  departmentId: string,
  userIds: readonly string[],
): Promise<void> => {
  await deleteMembers(tx, departmentId, userIds);
  await tell('group.membersRemoved', { groupId: departmentId, name: groups.get(departmentId)?.name, userIds });
};

/** In a transaction that has the organisation locked. */
export const putIntoDepartments = (
  tx: Tx,
  context: Context,
  organizationId: string,
  { departmentIds, userIds }: Putting,
): Promise<void> =>
  changeIn(tx, context, organizationId, async (changing) => {
    demandDepartments(changing.groups, departmentIds);
    await demandMembers(tx, organizationId, userIds);
    for (const departmentId of departmentIds) await put(changing, departmentId, userIds);
    return userIds;
  });

export const addDepartmentUsers = (context: Context, organizationId: string, input: Putting): Promise<void> =>
  changeOrganization(context, organizationId, (tx) => {
    demandFeature(context, 'organizationEnable');
    return putIntoDepartments(tx, context, organizationId, input);
  });

const demandThere = async (tx: Tx, departmentId: string, userIds: readonly string[]): Promise<void> => {
  const present = await selectDirectIds(tx, departmentId, userIds);
  const missing = userIds.find((id) => !present.has(id));
  if (missing !== undefined) throw notFound('Member', missing);
};

export const removeDepartmentUsers = (
  context: Context,
  organizationId: string,
  { departmentId, userIds }: { departmentId: string; userIds: readonly string[] },
): Promise<void> =>
  changeDepartments(
    context,
    organizationId,
    async (changing) => {
      findGroup(changing.groups, departmentId);
      await demandThere(changing.tx, departmentId, userIds);
      await take(changing, departmentId, userIds);
      return userIds;
    },
    true,
  );

export const moveDepartmentUsers = (
  context: Context,
  organizationId: string,
  {
    departmentId,
    toDepartmentId,
    userIds,
  }: { departmentId: string; toDepartmentId: string; userIds: readonly string[] },
): Promise<void> =>
  changeDepartments(context, organizationId, async (changing) => {
    findGroup(changing.groups, departmentId);
    findGroup(changing.groups, toDepartmentId);
    await demandThere(changing.tx, departmentId, userIds);
    if (departmentId === toDepartmentId) return [];
    await take(changing, departmentId, userIds);
    await put(changing, toDepartmentId, userIds);
    return userIds;
  });

export const setDepartmentsOfUser = (
  context: Context,
  organizationId: string,
  { departmentIds = [], userId }: { departmentIds?: readonly string[]; userId: string },
): Promise<void> =>
  changeDepartments(context, organizationId, async (changing) => {
    const { tx, groups } = changing;
    demandDepartments(groups, departmentIds);
    if (!(await selectOrganizationMembers(tx, organizationId, [userId])).has(userId)) throw notFound('Member', userId);
    const present = (await selectDepartmentsOf(tx, organizationId, userId)).map(({ id }) => id);
    for (const id of departmentIds) if (!present.includes(id)) await put(changing, id, [userId]);
    for (const id of present) if (!departmentIds.includes(id)) await take(changing, id, [userId]);
    return [userId];
  });
