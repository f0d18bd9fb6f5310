import { getBilling } from '@rowhouse/contract/billing.ts';
import { listSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
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

export const membersQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['members', spaceId],
    queryFn: ({ signal }) => call(listSpaceCollaborators, { params: { spaceId }, query: { take: 1_000 }, signal }),
  });

export const spaceQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['spaces', spaceId],
    queryFn: ({ signal }) => call(getSpace, { params: { spaceId }, signal }),
  });
