import { listBases, listSharedBases } from '@rowhouse/contract/base.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { listSpaces } from '@rowhouse/contract/space.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { withUnanswered } from '../app/unanswered.ts';

export type Space = ResponseOf<typeof listSpaces>[number];
export type Base = ResponseOf<typeof listBases>[number];

export const spacesQuery = queryOptions({
  queryKey: ['spaces'],
  queryFn: ({ signal }) => call(listSpaces, { signal }),
});
export const basesQuery = queryOptions({
  queryKey: ['bases'],
  queryFn: async ({ signal, queryKey }) => withUnanswered(queryKey, await call(listBases, { signal })),
});
export const sharedBasesQuery = queryOptions({
  queryKey: ['bases', 'shared'],
  queryFn: ({ signal }) => call(listSharedBases, { signal }),
});
