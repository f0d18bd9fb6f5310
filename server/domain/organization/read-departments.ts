// Departments as members see them: all, or the branches that they are in themselves.
import type * as contract from '@rowhouse/contract/department.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { notFound } from '@rowhouse/contract/error.ts';
import { shownEmail } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { countGroupUsers, selectGroupUsers, type UserGroup } from '../group/group.sql.ts';
import { departmentsInSight, pickGroups } from '../group/list-groups.ts';
import { demandMember } from './demand-organization.ts';

type Department = ResponseOf<typeof contract.getDepartment>;

const departmentVo = ({ id, name, parentId, path, pathName, hasChildren, memberCount }: UserGroup): Department => ({
  id,
  name,
  path,
  pathName,
  hasChildren,
  memberCount,
  ...(parentId === null ? {} : { parentId }),
});

const inSight = async (context: Context, organizationId: string): Promise<UserGroup[]> => {
  await demandMember(context, organizationId);
  return departmentsInSight(context.db, context.principal.userId);
};

export const listOrganizationDepartments = async (
  context: Context,
  organizationId: string,
  query: { parentId?: string; search?: string; includeChildrenDepartment?: boolean },
): Promise<Department[]> => pickGroups(await inSight(context, organizationId), query).map(departmentVo);

export const getDepartment = async (
  context: Context,
  { organizationId, departmentId }: { organizationId: string; departmentId: string },
): Promise<Department> => {
  const found = (await inSight(context, organizationId)).find(({ id }) => id === departmentId);
  if (found === undefined) throw notFound('Department', departmentId);
  return departmentVo(found);
};

export const listOrganizationDepartmentUsers = async (
  context: Context,
  organizationId: string,
  query: { departmentId?: string; includeChildrenDepartment?: boolean; search?: string; skip?: number; take?: number },
): Promise<ResponseOf<typeof contract.listOrganizationDepartmentUsers>> => {
  const groupIds = (await inSight(context, organizationId)).map(({ id }) => id);
  const people = {
    groupIds,
    homeIds: [organizationId],
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
