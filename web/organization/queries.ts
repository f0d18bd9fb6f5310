import { listOrganizationDepartments, listOrganizationDepartmentUsers } from '@rowhouse/contract/department.ts';
import { listAuthentications, listDomains } from '@rowhouse/contract/enterprise.ts';
import { getOrganizationSetting, listOrganizationUsers } from '@rowhouse/contract/organization.ts';
import { listScimTokens } from '@rowhouse/contract/scim.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';

const params = (organizationId: string) => ({ params: { organizationId } });

export const membersQuery = (organizationId: string, search: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'members', search],
    queryFn: ({ signal }) =>
      call(listOrganizationUsers, { ...params(organizationId), query: { limit: 200, search }, signal }),
    placeholderData: (before) => before,
  });

export const departmentsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'departments'],
    queryFn: ({ signal }) =>
      call(listOrganizationDepartments, {
        ...params(organizationId),
        query: { includeChildrenDepartment: true },
        signal,
      }),
  });

export const departmentPeopleQuery = (organizationId: string, departmentId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'departments', departmentId],
    queryFn: ({ signal }) =>
      call(listOrganizationDepartmentUsers, {
        ...params(organizationId),
        query: { departmentId, includeChildrenDepartment: true, take: 1_000 },
        signal,
      }),
  });

export const domainsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'domains'],
    queryFn: ({ signal }) => call(listDomains, { ...params(organizationId), signal }),
  });

export const providersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'providers'],
    queryFn: ({ signal }) => call(listAuthentications, { ...params(organizationId), signal }),
  });

export const settingQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'setting'],
    queryFn: ({ signal }) => call(getOrganizationSetting, { ...params(organizationId), signal }),
  });

export const directoryTokensQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'directory'],
    queryFn: ({ signal }) => call(listScimTokens, { ...params(organizationId), signal }),
  });

/** Whatever was changed there may show in another section. */
export const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['organization'] });
