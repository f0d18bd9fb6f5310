// What administrators read, and what is read again after they have changed something.
import { getAdminHealth, listAdminJobs } from '@rowhouse/contract/admin-health.ts';
import { listAdminBases, listAdminSpaces } from '@rowhouse/contract/admin-space.ts';
import { getAdminUser, listAdminUsers } from '@rowhouse/contract/admin-user.ts';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { meKey, queryClient } from '../app/query-client.ts';

export const peopleQuery = (query: QueryOf<typeof listAdminUsers>) =>
  queryOptions({
    queryKey: ['admin', 'people', query],
    queryFn: ({ signal }) => call(listAdminUsers, { query, signal }),
    placeholderData: keepPreviousData,
  });

export const personQuery = (userId: string) =>
  queryOptions({
    queryKey: ['admin', 'person', userId],
    queryFn: ({ signal }) => call(getAdminUser, { params: { userId }, signal }),
  });

export const spacesQuery = (query: QueryOf<typeof listAdminSpaces>) =>
  queryOptions({
    queryKey: ['admin', 'spaces', query],
    queryFn: ({ signal }) => call(listAdminSpaces, { query, signal }),
    placeholderData: keepPreviousData,
  });

export const basesQuery = (query: QueryOf<typeof listAdminBases>) =>
  queryOptions({
    queryKey: ['admin', 'bases', query],
    queryFn: ({ signal }) => call(listAdminBases, { query, signal }),
    placeholderData: keepPreviousData,
  });

/** Jobs come and go: as long as somebody looks, they are looked up again. */
export const jobsQuery = (query: QueryOf<typeof listAdminJobs>) =>
  queryOptions({
    queryKey: ['admin', 'jobs', query],
    queryFn: ({ signal }) => call(listAdminJobs, { query, signal }),
    refetchInterval: 5_000,
    placeholderData: keepPreviousData,
  });

export const healthQuery = queryOptions({
  queryKey: ['admin', 'health'],
  queryFn: ({ signal }) => call(getAdminHealth, { signal }),
  refetchInterval: 15_000,
});

/** Also who one is oneself: an administrator may have given that up. */
export const reloadAdmin = async (): Promise<void> => {
  await Promise.all([['admin'], meKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
};
