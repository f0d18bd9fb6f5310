import * as contract from '@rowhouse/contract/access-token.ts';
import { getTempToken as getTempTokenEndpoint } from '@rowhouse/contract/auth.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { deleteAccessToken } from './delete-access-token.ts';
import { getAccessToken } from './get-access-token.ts';
import { getTempToken } from './get-temp-token.ts';
import { issueAccessToken } from './issue-access-token.ts';
import { listOwnAccessTokens } from './list-access-tokens.ts';
import { refreshAccessToken } from './refresh-access-token.ts';
import { updateAccessToken } from './update-access-token.ts';

export const accessTokenRoutes: Route[] = [
  route(contract.createAccessToken, (context, { body }) => issueAccessToken(context, body)),
  route(contract.listAccessTokens, listOwnAccessTokens),
  route(contract.getAccessToken, (context, { params }) => getAccessToken(context, params.accessTokenId)),
  route(contract.updateAccessToken, (context, { params, body }) =>
    updateAccessToken(context, params.accessTokenId, body),
  ),
  route(contract.refreshAccessToken, (context, { params, body }) =>
    refreshAccessToken(context, params.accessTokenId, body ?? {}),
  ),
  route(contract.deleteAccessToken, (context, { params }) => deleteAccessToken(context, params.accessTokenId)),
  route(getTempTokenEndpoint, getTempToken),
];
