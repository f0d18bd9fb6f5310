import { getSignInOptions } from '@rowhouse/contract/auth.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/call.ts';

export const signInOptionsQuery = queryOptions({ queryKey: ['sign-in-options'], queryFn: ({ signal }) => call(getSignInOptions, { signal }), staleTime: 600_000 });
