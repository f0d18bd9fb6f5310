import { listSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/call.ts';

export const membersQuery = (spaceId: string) =>
  queryOptions({ queryKey: ['members', spaceId], queryFn: ({ signal }) => call(listSpaceCollaborators, { params: { spaceId }, query: { take: 1_000 }, signal }) });
