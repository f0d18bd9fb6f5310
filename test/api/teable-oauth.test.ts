// The OAuth functions of Teable's own client, unmodified; what they get parses with Teable's own schemas.
import * as teable from '@teable/openapi';
import { beforeAll, expect, test } from 'vitest';
import { authorizeUrl, callback, tokensFor, visit } from '../support/oauth.ts';
import { type Person, person } from '../support/people.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let ada: Person;

beforeAll(async () => {
  ada = await person(world());
  teable.configApi({ endpoint: world().origin, token: ada.token });
});

const details = {
  name: 'Sheet Sync',
  description: 'Keeps sheets in step',
  homepage: 'https://app.example.com',
  logo: 'https://app.example.com/logo.png',
  scopes: [
    ...(teable.oauthCreateRoSchema.parse({
      name: '',
      homepage: callback,
      redirectUris: [callback],
      scopes: ['record|read', 'table|read'],
    }).scopes ?? []),
  ],
  redirectUris: [callback],
};

test('an application goes through its whole life', async () => {
  const created = await teable.oauthCreate(details);
  expect(created.status).toBe(201);
  const { clientId } = teable.oauthCreateVoSchema.parse(created.data);

  const secret = await teable.generateOAuthSecret(clientId);
  expect(secret.status).toBe(201);
  teable.generateOAuthSecretVoSchema.parse(secret.data);

  const got = teable.oauthGetVoSchema.parse((await teable.oauthGet(clientId)).data);
  expect(got).toMatchObject({ clientId, secrets: [{ id: secret.data.id, secret: secret.data.maskedSecret }] });
  expect(teable.oauthGetListVoSchema.parse((await teable.oauthGetList()).data)).toHaveLength(1);

  const updated = await teable.oauthUpdate(clientId, { ...details, name: 'Renamed' });
  expect(updated.status).toBe(200);
  expect(teable.oauthUpdateVoSchema.parse(updated.data)).toMatchObject({
    clientId,
    name: 'Renamed',
    scopes: details.scopes,
  });

  const cookie = await ada.cookie();
  const { location } = await visit(
    world(),
    authorizeUrl(world(), { response_type: 'code', client_id: clientId }),
    cookie,
  );
  const asked = await teable.decisionInfoGet(location.searchParams.get('transaction_id') as string);
  expect(teable.decisionInfoGetVoSchema.parse(asked.data)).toEqual({
    name: 'Renamed',
    description: details.description,
    homepage: details.homepage,
    logo: details.logo,
    scopes: details.scopes,
  });

  await tokensFor(world(), ada, { clientId, secret: secret.data.secret, secretId: secret.data.id });
  const authorized = await teable.getAuthorizedList();
  expect(teable.authorizedVoSchema.array().parse(authorized.data)).toMatchObject([{ clientId, name: 'Renamed' }]);

  expect((await teable.revokeAccess(clientId)).status).toBe(200);
  expect((await teable.getAuthorizedList()).data).toEqual([]);
  expect((await teable.deleteOAuthSecret(clientId, secret.data.id)).status).toBe(200);
  expect((await teable.oauthDelete(clientId)).status).toBe(200);
  expect((await teable.oauthGetList()).data).toEqual([]);
});

test('errors are understood by the client', async () => {
  await expect(teable.oauthGet('cltunknown')).rejects.toMatchObject({ status: 404, code: 'not_found' });
  await expect(teable.oauthCreate({ ...details, homepage: 'nowhere' })).rejects.toMatchObject({
    status: 400,
    code: 'validation_error',
  });
});
