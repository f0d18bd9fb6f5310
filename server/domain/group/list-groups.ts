import type { listDepartmentUsers as usersEndpoint } from '@rowhouse/contract/group.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { shownEmail } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { selectSpaces } from '../space/space.sql.ts';
import { countGroupUsers, selectGroups, selectGroupUsers } from './group.sql.ts';
import { type GroupVo, groupVo } from './group-vo.ts';

export const listGroups = async ({ db }: Context, spaceId: string): Promise<GroupVo[]> =>
  (await selectGroups(db, [spaceId])).map(groupVo);

/** Groups are known to those who have a role on their space, departments to members of the organisation. */
const homeIdsOf = async ({ db, principal: { userId, reach } }: Context): Promise<string[]> => {
  const spaces = await selectSpaces(db, userId, reach === null ? null : [...reach.spaceIds]);
  return spaces.map(({ id }) => id);
};

interface DepartmentQuery {
  parentId?: string;
  search?: string;
  includeChildrenDepartment?: boolean;
}

export const listDepartments = async (context: Context, query: DepartmentQuery): Promise<GroupVo[]> => {
  const { parentId, search = '', includeChildrenDepartment = false } = query;
  const text = search.toLowerCase();
  const isDeep = includeChildrenDepartment || text !== '';
  return (await selectGroups(context.db, await homeIdsOf(context)))
    .filter((group) => {
      const above = group.path.slice(0, -1);
      const isThere = isDeep
        ? parentId === undefined || above.includes(parentId)
        : (group.parentId ?? undefined) === parentId;
      return isThere && group.name.toLowerCase().includes(text);
    })
    .map(groupVo);
};

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
  const people = {
    homeIds: await homeIdsOf(context),
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
