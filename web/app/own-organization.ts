// The organisation of the one who is signed in; null for none.
import { getOwnOrganization } from '@rowhouse/contract/organization.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export const ownOrganizationQuery = queryOptions({
  queryKey: ['organization'],
  queryFn: ({ signal }) => call(getOwnOrganization, { signal }),
  staleTime: 60_000,
});
