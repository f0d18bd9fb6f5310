import * as client from '@rowhouse/contract/oauth.ts';
import * as server from '@rowhouse/contract/oauth-server.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { authorizeClient } from './authorize-client.ts';
import { createClient } from './create-client.ts';
import { createDeviceCode } from './create-device-code.ts';
import { createSecret } from './create-secret.ts';
import { decideDeviceRequest, getDeviceRequest } from './decide-device.ts';
import { decideRequest } from './decide-request.ts';
import { deleteClient } from './delete-client.ts';
import { deleteSecret } from './delete-secret.ts';
import { getClient } from './get-client.ts';
import { getDecision } from './get-decision.ts';
import { issueToken } from './issue-token.ts';
import { listAuthorized } from './list-authorized.ts';
import { listClients } from './list-clients.ts';
import { revokeAccess } from './revoke-access.ts';
import { giveUpAccess, revokeOwnAccess } from './revoke-own-access.ts';
import { revokeToken } from './revoke-token.ts';
import { updateClient } from './update-client.ts';

export const oauthRoutes: Route[] = [
  route(client.createOauthClient, (context, { body }) => createClient(context, body)),
  route(client.listOauthClients, (context) => listClients(context)),
  route(client.listAuthorizedClients, (context) => listAuthorized(context)),
  route(client.getOauthClient, (context, { params }) => getClient(context, params.clientId)),
  route(client.updateOauthClient, (context, { params, body }) => updateClient(context, params.clientId, body)),
  route(client.deleteOauthClient, (context, { params }) => deleteClient(context, params.clientId)),
  route(client.createOauthSecret, (context, { params }) => createSecret(context, params.clientId)),
  route(client.deleteOauthSecret, (context, { params }) => deleteSecret(context, params.clientId, params.secretId)),
  route(client.revokeOauthAccess, (context, { params }) => revokeAccess(context, params.clientId)),
  route(client.revokeOauthToken, (context, { params }) => revokeOwnAccess(context, params.clientId)),
  route(client.giveUpOauthToken, (context, { params }) => giveUpAccess(context, params.clientId)),
  route(server.authorizeOauthClient, (context, { query, headers }) => authorizeClient(context, query, headers)),
  route(server.getOauthDecision, (context, { params }) => getDecision(context, params.transactionId)),
  route(server.decideOauthRequest, (context, { body, headers }) =>
    decideRequest(context, body, headers['content-type']),
  ),
  route(server.createDeviceCode, (context, { body, headers }) => createDeviceCode(context, body, headers)),
  route(server.getDeviceRequest, (context, { params }) => getDeviceRequest(context, params.userCode)),
  route(server.decideDeviceRequest, (context, { body }) => decideDeviceRequest(context, body)),
  route(server.issueOauthToken, (context, { body, headers }) => issueToken(context, body, headers)),
  route(server.revokeIssuedToken, (context, { body, headers }) => revokeToken(context, body, headers)),
];
