// What an organisation has beside people: verified domains, ways to sign in, and spaces.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { organizationId, ofOrganization, own, search, skip } from './organization.ts';
import { text } from './text.ts';

const tag = 'organization';
const time = Type.String({ description: 'ISO 8601, UTC' });
const domain = Type.String({
  pattern: '^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9-]{2,63}$',
  description: 'In lower case, as in addresses behind the @.',
});

const claimedDomain = Type.Object({
  id: Type.String(),
  domain: Type.String(),
  recordName: Type.String({ description: 'The name of the TXT record that shows that the domain is yours.' }),
  recordValue: Type.String({ description: 'What it has to say.' }),
  isVerified: Type.Boolean(),
  createdTime: time,
  verifiedTime: Type.Union([time, Type.Null()]),
  checkedTime: Type.Union([time, Type.Null()]),
  missingSince: Type.Union([time, Type.Null()], {
    description: 'The record of a verified domain is gone since then. Three days later the domain is lost.',
  }),
});
export type ClaimedDomain = Static<typeof claimedDomain>;

const domainPath = '/organization/:organizationId/domain';
const ofDomain = Type.Object({ organizationId, domainId: Type.String({ maxLength: 100 }) });

export const listDomains = endpoint({
  name: 'listDomains',
  method: 'GET',
  path: domainPath,
  summary: 'List the domains of an organisation, also those that are not verified yet',
  tag,
  access: own,
  params: ofOrganization,
  status: 200,
  response: Type.Array(claimedDomain),
});

export const claimDomain = endpoint({
  name: 'claimDomain',
  method: 'POST',
  path: domainPath,
  summary: 'Name a domain of the organisation',
  description:
    'Answers the TXT record that shows that it is yours. Domains of public mail services are refused. 402 where the plan has no verified domains.',
  tag,
  access: own,
  params: ofOrganization,
  body: Type.Object({ domain }),
  status: 201,
  response: claimedDomain,
});

export const checkDomain = endpoint({
  name: 'checkDomain',
  method: 'POST',
  path: `${domainPath}/:domainId/check`,
  summary: 'Look for the TXT record of a domain now',
  description:
    'It is looked for every day, too. 409 when another organisation has verified the domain and its record is still there; otherwise the domain changes hands.',
  tag,
  access: own,
  params: ofDomain,
  status: 200,
  response: claimedDomain,
});

export const removeDomain = endpoint({
  name: 'removeDomain',
  method: 'DELETE',
  path: `${domainPath}/:domainId`,
  summary: 'Give a domain up',
  tag,
  access: own,
  params: ofDomain,
  status: 200,
});

const verified = Type.Object({ id: Type.String(), domain: Type.String(), createdTime: time });
const verification = '/enterprise/:organizationId/domain-verification';

export const listVerifiedDomains = endpoint({
  name: 'listVerifiedDomains',
  method: 'GET',
  path: verification,
  summary: 'List the verified domains of an organisation',
  tag,
  access: own,
  params: ofOrganization,
  status: 200,
  response: Type.Array(verified),
});

export const verifyDomain = endpoint({
  name: 'verifyDomain',
  method: 'POST',
  path: verification,
  summary: 'Verify a domain by its TXT record',
  description:
    'For clients of Teable. Here a domain is shown by DNS, not by a code in a mail: `verifyCode` is the value of the record, and the record has to be there.',
  tag,
  access: own,
  params: ofOrganization,
  body: Type.Object({ domain, verifyCode: Type.String({ maxLength: 500 }) }),
  status: 200,
  response: Type.Object({ id: Type.String(), domain: Type.String() }),
});

export const removeVerifiedDomain = endpoint({
  name: 'removeVerifiedDomain',
  method: 'DELETE',
  path: verification,
  summary: 'Give a verified domain up',
  tag,
  access: own,
  params: ofOrganization,
  query: Type.Object({ domain }),
  status: 200,
});

const word = Type.String({ minLength: 1, maxLength: 500 });
const rule = Type.Object(
  {
    value: word,
    group: Type.String({ maxLength: 100, description: 'A department of the organisation.' }),
  },
  { additionalProperties: false },
);
const config = Type.Object(
  {
    issuer: Type.String({ minLength: 1, maxLength: 500, description: 'With `https`; its addresses are discovered.' }),
    clientId: word,
    clientSecret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'Never answered. With PUT: absent leaves it as it is.',
      }),
    ),
    authorizationUrl: Type.Optional(Type.String({ maxLength: 500, description: 'Ignored: it is discovered.' })),
    tokenUrl: Type.Optional(Type.String({ maxLength: 500, description: 'Ignored: it is discovered.' })),
    userInfoUrl: Type.Optional(Type.String({ maxLength: 500, description: 'Ignored: it is discovered.' })),
    scopes: Type.Optional(Type.Array(Type.String({ pattern: '^[!-~]{1,200}$' }), { minItems: 1, maxItems: 50 })),
    verifiedClaim: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    createsAccounts: Type.Optional(Type.Boolean({ description: 'Default true.' })),
    secondFactor: Type.Optional(
      Type.Enum(['account', 'demanded'], {
        description: 'A second factor here is left to no provider of an organisation.',
      }),
    ),
    acrValues: Type.Optional(Type.Array(Type.String({ pattern: '^[!-~]{1,200}$' }), { minItems: 1, maxItems: 50 })),
    groupsClaim: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Array(word, { minItems: 1, maxItems: 5 })]),
    ),
    groups: Type.Optional(Type.Array(rule, { maxItems: 2_000 })),
    signsOutThere: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type ProviderConfig = Static<typeof config>;

const provider = Type.Object({
  id: Type.String(),
  type: Type.Literal('oidc'),
  name: Type.String(),
  config,
  callbackUrl: Type.String({ description: 'The redirect URI, to be registered with the provider.' }),
  backchannelLogoutUrl: Type.String(),
});
export type OrganizationProvider = Static<typeof provider>;
const providerInput = Type.Object({ type: Type.Literal('oidc'), name: text({ minLength: 1, maxLength: 60 }), config });
const authentication = '/enterprise/:organizationId/authentication';
const ofProvider = Type.Object({ organizationId, providerId: Type.String({ maxLength: 100 }) });

export const listAuthentications = endpoint({
  name: 'listAuthentications',
  method: 'GET',
  path: authentication,
  summary: 'List the providers through which people of an organisation sign in',
  tag,
  access: own,
  params: ofOrganization,
  status: 200,
  response: Type.Array(provider),
});

export const createAuthentication = endpoint({
  name: 'createAuthentication',
  method: 'POST',
  path: authentication,
  summary: 'Add a provider of OpenID Connect',
  description:
    'It signs in people with an address of the verified domains of the organisation, and nobody else. 402 where the plan has none.',
  tag,
  access: own,
  params: ofOrganization,
  body: providerInput,
  status: 201,
  response: provider,
});

export const getAuthentication = endpoint({
  name: 'getAuthentication',
  method: 'GET',
  path: `${authentication}/:providerId`,
  summary: 'Get a provider',
  tag,
  access: own,
  params: ofProvider,
  status: 200,
  response: provider,
});

export const updateAuthentication = endpoint({
  name: 'updateAuthentication',
  method: 'PUT',
  path: `${authentication}/:providerId`,
  summary: 'Change a provider',
  description: 'Another issuer makes all identities of the former one useless here.',
  tag,
  access: own,
  params: ofProvider,
  body: providerInput,
  status: 200,
  response: provider,
});

export const deleteAuthentication = endpoint({
  name: 'deleteAuthentication',
  method: 'DELETE',
  path: `${authentication}/:providerId`,
  summary: 'Remove a provider',
  description:
    'Nobody signs in through it any more, and people go out of the departments that it has put them into. Sessions that are there go on.',
  tag,
  access: own,
  params: ofProvider,
  status: 200,
});

export const listAuthenticationProviders = endpoint({
  name: 'listAuthenticationProviders',
  method: 'GET',
  path: `${authentication}/providers`,
  summary: 'Names of the providers of an organisation',
  tag,
  access: own,
  params: ofOrganization,
  status: 200,
  response: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), type: Type.Literal('oidc') })),
});

export const setOnlyProvider = endpoint({
  name: 'setOnlyProvider',
  method: 'PUT',
  path: '/organization/:organizationId/only-provider',
  summary: 'Let people of the verified domains sign in through one provider alone',
  description:
    'Passwords and other providers no longer sign them in. Administrators of the organisation and of the instance still can with their password, for the day on which the provider does not answer. null: in all ways.',
  tag,
  access: own,
  params: ofOrganization,
  body: Type.Object({ providerId: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]) }),
  status: 200,
});

export const listOrganizationSpaceNames = endpoint({
  name: 'listOrganizationSpaceNames',
  method: 'GET',
  path: '/organization/:organizationId/space',
  summary: 'Names of the spaces of an organisation',
  tag,
  access: own,
  params: ofOrganization,
  status: 200,
  response: Type.Array(Type.Object({ spaceId: Type.String(), spaceName: Type.String() })),
});

const spaces = '/enterprise/:organizationId/space-manage';
const ofSpace = Type.Object({ organizationId, spaceId: Type.String({ maxLength: 100 }) });

export const countOrganizationSpaces = endpoint({
  name: 'countOrganizationSpaces',
  method: 'GET',
  path: `${spaces}/count`,
  summary: 'How many spaces an organisation has',
  tag,
  access: own,
  params: ofOrganization,
  status: 200,
  response: Type.Integer(),
});

export const listOrganizationSpaces = endpoint({
  name: 'listOrganizationSpaces',
  method: 'GET',
  path: spaces,
  summary: 'List the spaces of an organisation',
  tag,
  access: own,
  params: ofOrganization,
  query: Type.Object({
    search,
    skip,
    take: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default 10.' })),
  }),
  status: 200,
  response: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      baseCount: Type.Integer(),
      collaboratorCount: Type.Integer(),
      isOrganization: Type.Boolean(),
    }),
  ),
});

export const getOrganizationSpace = endpoint({
  name: 'getOrganizationSpace',
  method: 'GET',
  path: `${spaces}/:spaceId`,
  summary: 'Get a space of an organisation',
  tag,
  access: own,
  params: ofSpace,
  status: 200,
  response: Type.Object({
    id: Type.String(),
    name: Type.String(),
    isOrganization: Type.Boolean(),
    base: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), icon: Type.Optional(Type.String()) })),
    collaboratorCount: Type.Integer(),
    externalUserCount: Type.Integer({
      description: 'People with a role there who are no members of the organisation.',
    }),
  }),
});

export const addOrganizationSpace = endpoint({
  name: 'addOrganizationSpace',
  method: 'POST',
  path: `${spaces}/:spaceId/add-organization`,
  summary: 'Bring a space into an organisation',
  description:
    'For administrators of the organisation who own the space. Its departments can have roles there from now on.',
  tag,
  access: own,
  params: ofSpace,
  status: 201,
});

export const removeOrganizationSpace = endpoint({
  name: 'removeOrganizationSpace',
  method: 'DELETE',
  path: `${spaces}/:spaceId/remove-organization`,
  summary: 'Let a space leave an organisation',
  description: 'Roles that departments have there end at once.',
  tag,
  access: own,
  params: ofSpace,
  status: 200,
});
