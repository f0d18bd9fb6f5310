import { getSpace } from '@rowhouse/contract/space.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/call.ts';

export const spaceQuery = (spaceId: string) => queryOptions({ queryKey: ['spaces', spaceId], queryFn: ({ signal }) => call(getSpace, { params: { spaceId }, signal }) });
