// What a directory asks first: what is served, and how.
import type { PublicContext } from '../../context.ts';
import type { Answer } from '../../endpoint/route.ts';
import { listAnswer, scimAnswer } from './scim-fault.ts';

const placeOf = ({ publicUrl }: Pick<PublicContext, 'publicUrl'>): string => `${publicUrl()}/api/scim/v2`;

export const getScimConfig = (context: PublicContext): Answer =>
  scimAnswer(200, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 200 },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token of the organisation, in the header Authorization.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${placeOf(context)}/ServiceProviderConfig` },
  });

const typeOf = (context: PublicContext, name: 'User' | 'Group'): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema: `urn:ietf:params:scim:schemas:core:2.0:${name}`,
  meta: { resourceType: 'ResourceType', location: `${placeOf(context)}/ResourceTypes/${name}` },
});

export const listScimTypes = (context: PublicContext): Answer =>
  listAnswer([typeOf(context, 'User'), typeOf(context, 'Group')], 2, 1);

const attribute = (name: string, more: object = {}): object => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});
const several = { type: 'complex', multiValued: true };

const schemaOf = (context: PublicContext, name: 'User' | 'Group', attributes: object[]): object => {
  const id = `urn:ietf:params:scim:schemas:core:2.0:${name}`;
  const meta = { resourceType: 'Schema', location: `${placeOf(context)}/Schemas/${id}` };
  return { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'], id, name, attributes, meta };
};

export const listScimSchemas = (context: PublicContext): Answer =>
  listAnswer(
    [
      schemaOf(context, 'User', [
        attribute('userName', { required: true, uniqueness: 'server' }),
        attribute('displayName'),
        attribute('name', {
          type: 'complex',
          subAttributes: [attribute('formatted'), attribute('givenName'), attribute('familyName')],
        }),
        attribute('emails', {
          ...several,
          subAttributes: [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })],
        }),
        attribute('active', { type: 'boolean' }),
        attribute('groups', {
          ...several,
          mutability: 'readOnly',
          subAttributes: [attribute('value'), attribute('display')],
        }),
      ]),
      schemaOf(context, 'Group', [
        attribute('displayName', { required: true, uniqueness: 'server' }),
        attribute('members', { ...several, subAttributes: [attribute('value'), attribute('display')] }),
      ]),
    ],
    2,
    1,
  );
