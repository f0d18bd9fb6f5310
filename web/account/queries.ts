import { listAccessTokens } from '@rowhouse/contract/access-token.ts';
import { getOauthClient, listAuthorizedClients, listOauthClients } from '@rowhouse/contract/oauth.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/call.ts';

export const oauthAppsQuery = queryOptions({
  queryKey: ['oauth-apps'],
  queryFn: ({ signal }) => call(listOauthClients, { signal }),
});

export const oauthAppQuery = (clientId: string) =>
  queryOptions({
    queryKey: ['oauth-app', clientId],
    queryFn: ({ signal }) => call(getOauthClient, { params: { clientId }, signal }),
  });

export const authorizedAppsQuery = queryOptions({
  queryKey: ['authorized-apps'],
  queryFn: ({ signal }) => call(listAuthorizedClients, { signal }),
});

export const tokensQuery = queryOptions({
  queryKey: ['access-tokens'],
  queryFn: ({ signal }) => call(listAccessTokens, { signal }),
});
