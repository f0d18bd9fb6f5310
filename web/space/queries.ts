import { getBilling } from '@rowhouse/contract/billing.ts';
import { listSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { listDepartmentUsers, listGroups } from '@rowhouse/contract/group.ts';
import { listBaseProducts } from '@rowhouse/contract/plan.ts';
import { getSpace } from '@rowhouse/contract/space.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/call.ts';

export const billingQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['billing', spaceId],
    queryFn: ({ signal }) => call(getBilling, { params: { spaceId }, signal }),
  });

export const productsQuery = queryOptions({
  queryKey: ['products'],
  queryFn: ({ signal }) => call(listBaseProducts, { signal }),
  staleTime: 60_000,
});

type Collaborators = ResponseOf<typeof listSpaceCollaborators>['collaborators'];

export const peopleAndGroups = ({ collaborators }: { collaborators: Collaborators }) => ({
  people: collaborators.filter((one) => one.type !== 'department'),
  groups: collaborators.filter((one) => one.type === 'department'),
});

export const membersQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['members', spaceId],
    queryFn: async ({ signal }) =>
      peopleAndGroups(await call(listSpaceCollaborators, { params: { spaceId }, query: { take: 1_000 }, signal })),
  });

/** Everybody with a role on the space or on one of its bases: those who can be put into groups. */
export const everybodyQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['members', spaceId, 'everybody'],
    queryFn: async ({ signal }) => {
      const query = { take: 1_000, includeBase: true };
      const { people } = peopleAndGroups(await call(listSpaceCollaborators, { params: { spaceId }, query, signal }));
      return [...new Map(people.map((person) => [person.userId, person])).values()];
    },
  });

export const groupsQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['groups', spaceId],
    queryFn: ({ signal }) => call(listGroups, { params: { spaceId }, query: { withDepartments: true }, signal }),
  });

/** Also those in it by a group inside of it. */
export const groupPeopleQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['groups', groupId, 'people'],
    queryFn: async ({ signal }) =>
      (
        await call(listDepartmentUsers, {
          query: { departmentId: groupId, includeChildrenDepartment: true, take: 1_000 },
          signal,
        })
      ).users,
  });

export const spaceQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['spaces', spaceId],
    queryFn: ({ signal }) => call(getSpace, { params: { spaceId }, signal }),
  });
