import type { listDepartmentUsers as usersEndpoint } from '@rowhouse/contract/group.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { shownEmail } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { selectSpaces } from '../space/space.sql.ts';
import {
  countGroupUsers,
  selectGroups,
  selectGroupUsers,
  selectOrganizationOf,
  selectOwnHome,
  type UserGroup,
} from './group.sql.ts';
import { type GroupVo, groupVo } from './group-vo.ts';

/** Departments of the organisation of somebody: all, or the branches that they are in. */
export const departmentsInSight = async (db: Context['db'], userId: string): Promise<UserGroup[]> => {
  const home = await selectOwnHome(db, userId);
  if (home === undefined) return [];
  const groups = await selectGroups(db, [home.id]);
  if (home.seesAll) return groups;
  // A branch: what is above the own departments, and what is below of them.
  const own = groups.filter(({ id }) => home.groupIds.includes(id));
  return groups.filter(({ id, path }) => own.some((one) => one.path.includes(id) || path.includes(one.id)));
};

export const listGroups = async (
  { db, principal }: Context,
  spaceId: string,
  { withDepartments = false }: { withDepartments?: boolean },
): Promise<GroupVo[]> => {
  const groups = await selectGroups(db, [spaceId]);
  // A token that reaches only some spaces knows their groups alone.
  if (!withDepartments || principal.reach !== null) return groups.map(groupVo);
  const organizationId = await selectOrganizationOf(db, spaceId);
  const departments = await departmentsInSight(db, principal.userId);
  return [...groups, ...departments.filter((one) => one.organizationId === organizationId)].map(groupVo);
};

/** Groups are known to those who have a role on their space, departments to members of the organisation. A token that reaches only some spaces knows theirs. */
const groupsInSight = async ({ db, principal: { userId, reach } }: Context): Promise<UserGroup[]> => {
  const spaces = await selectSpaces(db, userId, reach === null ? null : [...reach.spaceIds]);
  const groups = await selectGroups(
    db,
    spaces.map(({ id }) => id),
  );
  return reach === null ? [...groups, ...(await departmentsInSight(db, userId))] : groups;
};

interface DepartmentQuery {
  parentId?: string;
  search?: string;
  includeChildrenDepartment?: boolean;
}

export const pickGroups = (
  groups: readonly UserGroup[],
  { parentId, search = '', includeChildrenDepartment = false }: DepartmentQuery,
): UserGroup[] => {
  const text = search.toLowerCase();
  const isDeep = includeChildrenDepartment || text !== '';
  return groups.filter((group) => {
    const above = group.path.slice(0, -1);
    const isThere = isDeep
      ? parentId === undefined || above.includes(parentId)
      : (group.parentId ?? undefined) === parentId;
    return isThere && group.name.toLowerCase().includes(text);
  });
};

export const listDepartments = async (context: Context, query: DepartmentQuery): Promise<GroupVo[]> =>
  pickGroups(await groupsInSight(context), query).map(groupVo);

interface PeopleQuery {
  departmentId?: string;
  includeChildrenDepartment?: boolean;
  search?: string;
  skip?: number;
  take?: number;
}

export const listDepartmentUsers = async (
  context: Context,
  query: PeopleQuery,
): Promise<ResponseOf<typeof usersEndpoint>> => {
  const groups = await groupsInSight(context);
  const people = {
    groupIds: groups.map(({ id }) => id),
    homeIds: [...new Set(groups.map(({ spaceId, organizationId }) => (spaceId ?? organizationId) as string))],
    groupId: query.departmentId,
    includeBelow: query.includeChildrenDepartment ?? false,
    search: query.search ?? '',
    skip: query.skip ?? 0,
    take: query.take ?? 50,
  };
  const users = await selectGroupUsers(context.db, people);
  return {
    users: users.map(({ id, name, email, avatar, departments }) => ({
      id,
      name,
      email: shownEmail(context.principal, email),
      ...(avatar === null ? {} : { avatar }),
      departments,
    })),
    total: await countGroupUsers(context.db, people),
  };
};
