// Who is signed in. `null` means nobody; only the sign-in pages are open then.
import { getSignInOptions, getUserMe } from '@rowhouse/contract/auth.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { meKey } from './query-client.ts';

export type Me = ResponseOf<typeof getUserMe>;

export const meQuery = queryOptions({
  queryKey: meKey,
  queryFn: async (): Promise<Me | null> => {
    try {
      return await call(getUserMe, {});
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthorized') return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

/** Inside the signed-in part, where the guard has made sure that there is someone. */
export const useMe = (): Me => useQuery(meQuery).data as Me;

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => call(getSignInOptions, { signal }),
  staleTime: 600_000,
});
