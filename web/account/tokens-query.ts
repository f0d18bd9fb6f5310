import { listAccessTokens } from '@rowhouse/contract/access-token.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/call.ts';

export const tokensQuery = queryOptions({ queryKey: ['access-tokens'], queryFn: ({ signal }) => call(listAccessTokens, { signal }) });
