// What members see of their organisation.
import type * as contract from '@rowhouse/contract/organization.ts';
import type * as enterprise from '@rowhouse/contract/enterprise.ts';
import { notFound } from '@rowhouse/contract/error.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { selectMembership } from '../../catalog/organization-sign-in.sql.ts';
import type { Context } from '../../context.ts';
import { demandAdmin, demandMember, getForAdmin, getForMember } from './demand-organization.ts';
import { selectDomains } from './domain.sql.ts';
import { personVo } from './manage-organizations.ts';
import {
  selectMember,
  selectMemberIds,
  selectMembers,
  selectOrganization,
  selectSpaceDetail,
  selectSpacesOf,
} from './organization.sql.ts';
import { selectDepartmentsOf } from './department.sql.ts';

export const getOwnOrganization = async ({
  db,
  principal,
}: Context): Promise<ResponseOf<typeof contract.getOwnOrganization>> => {
  const membership = await selectMembership(db, principal.userId);
  const organization = membership === undefined ? undefined : await selectOrganization(db, membership.organizationId);
  if (membership === undefined || organization === undefined) return null;
  return { id: organization.id, name: organization.name, isAdmin: membership.isAdmin };
};

export const getOrganizationMe = async (
  context: Context,
  organizationId: string,
): Promise<ResponseOf<typeof contract.getOrganizationMe>> => {
  const { isAdmin } = await demandMember(context, organizationId);
  return { userId: context.principal.userId, organizationId, isAdmin };
};

export const getOrganization = async (
  context: Context,
  organizationId: string,
): Promise<ResponseOf<typeof contract.getOrganization>> => {
  const { id, name } = await getForMember(context, organizationId);
  const domains = await selectDomains(context.db, organizationId);
  return { id, name, domain: domains.filter(({ verifiedTime }) => verifiedTime !== null).map(({ domain }) => domain) };
};

export const getOrganizationSetting = async (
  context: Context,
  organizationId: string,
): Promise<ResponseOf<typeof contract.getOrganizationSetting>> => {
  const { autoSpaceType, autoSpaceIds, departmentScope, onlyProviderId } = await getForAdmin(context, organizationId);
  return { autoSpaceType, autoSpaceIds, departmentScope, onlyProviderId };
};

export const listOrganizationUsers = async (
  context: Context,
  organizationId: string,
  { skip = 0, limit = 50, search = '' }: { skip?: number; limit?: number; search?: string },
): Promise<ResponseOf<typeof contract.listOrganizationUsers>> => {
  await demandAdmin(context, organizationId);
  const { users, total } = await selectMembers(context.db, organizationId, { skip, take: limit, search });
  return {
    users: users.map(({ deactivatedTime, ...rest }) => ({
      ...personVo(context, rest),
      createdTime: rest.createdTime,
      isAdmin: rest.isAdmin,
      isExternal: rest.isExternal,
      ...(deactivatedTime === null ? {} : { deactivatedTime }),
    })),
    total,
  };
};

export const getOrganizationUser = async (
  context: Context,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<ResponseOf<typeof contract.getOrganizationUser>> => {
  const { id, name } = await getForAdmin(context, organizationId);
  const member = await selectMember(context.db, organizationId, userId);
  if (member === undefined) throw notFound('Member', userId);
  return {
    ...personVo(context, { id: member.id, name: member.name, email: member.email, avatar: member.avatar }),
    isAdmin: member.isAdmin,
    organization: { id, name },
    departments: await selectDepartmentsOf(context.db, organizationId, userId),
  };
};

export const haveOrganizationUsers = async (
  context: Context,
  organizationId: string,
  userIds: readonly string[],
): Promise<boolean[]> => {
  await demandMember(context, organizationId);
  const members = await selectMemberIds(context.db, organizationId, userIds);
  return userIds.map((id) => members.has(id));
};

export const listOrganizationSpaceNames = async (
  context: Context,
  organizationId: string,
): Promise<ResponseOf<typeof enterprise.listOrganizationSpaceNames>> => {
  await demandAdmin(context, organizationId);
  const spaces = await selectSpacesOf(context.db, organizationId, { search: '', skip: 0, take: null });
  return spaces.map(({ id, name }) => ({ spaceId: id, spaceName: name }));
};

export const countOrganizationSpaces = async (context: Context, organizationId: string): Promise<number> => {
  await demandAdmin(context, organizationId);
  return (await selectSpacesOf(context.db, organizationId, { search: '', skip: 0, take: null })).length;
};

export const listOrganizationSpaces = async (
  context: Context,
  organizationId: string,
  { search = '', skip = 0, take = 10 }: { search?: string; skip?: number; take?: number },
): Promise<ResponseOf<typeof enterprise.listOrganizationSpaces>> => {
  await demandAdmin(context, organizationId);
  const spaces = await selectSpacesOf(context.db, organizationId, { search, skip, take });
  return spaces.map((space) => ({ ...space, isOrganization: true }));
};

export const getOrganizationSpace = async (
  context: Context,
  { organizationId, spaceId }: { organizationId: string; spaceId: string },
): Promise<ResponseOf<typeof enterprise.getOrganizationSpace>> => {
  await demandAdmin(context, organizationId);
  const space = await selectSpaceDetail(context.db, organizationId, spaceId);
  if (space === undefined) throw notFound('Space', spaceId);
  const base = space.base.map(({ icon, ...rest }) => ({ ...rest, ...(icon === null ? {} : { icon }) }));
  return { ...space, base, isOrganization: true };
};
