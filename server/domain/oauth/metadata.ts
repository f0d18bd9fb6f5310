import { oauthScopes } from '@rowhouse/contract/oauth.ts';

/** RFC 8414: what a client needs to know about this server. `issuer`: its public address. */
export const oauthMetadata = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/api/oauth/authorize`,
  token_endpoint: `${issuer}/api/oauth/access_token`,
  device_authorization_endpoint: `${issuer}/api/oauth/device/code`,
  revocation_endpoint: `${issuer}/api/oauth/revoke`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  scopes_supported: oauthScopes,
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${issuer}/api/docs`,
});
