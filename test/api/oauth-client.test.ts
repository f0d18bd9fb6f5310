import {
  createOauthClient,
  createOauthSecret,
  deleteOauthClient,
  deleteOauthSecret,
  getOauthClient,
  listOauthClients,
  updateOauthClient,
} from '@rowhouse/contract/oauth.ts';
import { beforeAll, expect, test } from 'vitest';
import { application, callback, tokensFor } from '../support/oauth.ts';
import { type Person, person } from '../support/people.ts';
import { caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let ada: Person;
let ben: Person;

beforeAll(async () => {
  ada = await person(world(), { name: 'Ada' });
  ben = await person(world(), { name: 'Ben' });
});

const full = {
  name: 'Sheet Sync',
  description: 'Keeps sheets in step',
  homepage: 'https://app.example.com',
  logo: 'https://app.example.com/logo.png',
  scopes: ['record|read', 'record|update', 'record|read'],
  redirectUris: [callback, 'http://localhost:3000/cb'],
};

test('an application is created, read and listed, with every scope once', async () => {
  const made = await ada.call(createOauthClient, { body: full });
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    ...full,
    scopes: ['record|read', 'record|update'],
    clientId: expect.stringMatching(/^clt[0-9a-z]{16}$/),
    secrets: [],
  });
  const { clientId } = made.body;
  expect((await ada.call(getOauthClient, { params: { clientId } })).body).toEqual(made.body);
  const { name, description, logo, homepage } = full;
  expect((await ada.call(listOauthClients)).body).toContainEqual({ clientId, name, description, logo, homepage });
  expect((await ben.call(listOauthClients)).body).toEqual([]);
});

test('what was not given is absent, not null', async () => {
  const made = await ada.call(createOauthClient, {
    body: { name: 'Bare', homepage: 'http://example.com', redirectUris: [callback] },
  });
  expect(made.body).toEqual({
    clientId: made.body.clientId,
    name: 'Bare',
    homepage: 'http://example.com',
    scopes: [],
    redirectUris: [callback],
    secrets: [],
  });
});

test('every wrong value is named', async () => {
  const refused = await ada.call(createOauthClient, {
    body: {
      name: ' ',
      homepage: 'example.com',
      logo: 'javascript:alert(1)',
      scopes: ['record|read', 'space|delete', 'everything'],
      redirectUris: [callback, 'http://app.example.com/cb', `${callback}#top`, '/cb', 'https://u:p@app.example.com/'],
    },
  });
  expect(refused.status).toBe(400);
  expect(refused.error.code).toBe('validation_error');
  expect(refused.error.data.issues.map((issue: { path: string }) => issue.path)).toEqual([
    'name',
    'homepage',
    'logo',
    'redirectUris[1]',
    'redirectUris[2]',
    'redirectUris[3]',
    'redirectUris[4]',
    'scopes[1]',
    'scopes[2]',
  ]);
});

test('name, home page and a redirect URI are required, and odd bodies are a 400', async () => {
  const bodies: unknown[] = [
    {},
    [],
    'text',
    5,
    null,
    { ...full, redirectUris: [] },
    { ...full, redirectUris: callback },
    { ...full, name: null },
    { ...full, name: '' },
    { ...full, name: 'a\0b' },
    { ...full, description: '\ud800' },
    { ...full, name: 'x'.repeat(256) },
    { ...full, scopes: 'record|read' },
    { ...full, homepage: `https://example.com/${'x'.repeat(3_000)}` },
    { ...full, redirectUris: [null] },
  ];
  for (const body of bodies) {
    expect([JSON.stringify(body), (await ada.call(createOauthClient, { body: body as never })).status]).toEqual([
      JSON.stringify(body),
      400,
    ]);
  }
});

test('PUT replaces the details; absent scopes means none, absent logo and description keeps them', async () => {
  const { clientId } = (await ada.call(createOauthClient, { body: full })).body;
  await ada.call(createOauthSecret, { params: { clientId } });
  const body = { name: 'New name', homepage: 'https://new.example.com', redirectUris: ['https://new.example.com/cb'] };
  const changed = await ada.call(updateOauthClient, { params: { clientId }, body });
  expect(changed.status).toBe(200);
  expect(changed.body).toEqual({
    ...body,
    clientId,
    description: full.description,
    logo: full.logo,
    scopes: [],
    secrets: [{ id: expect.stringMatching(/^sec/), secret: expect.stringMatching(/^\*{30}[0-9A-Za-z]{10}$/) }],
  });
  expect((await ada.call(getOauthClient, { params: { clientId } })).body).toEqual(changed.body);
  const emptied = await ada.call(updateOauthClient, {
    params: { clientId },
    body: { ...body, logo: null, description: '' },
  });
  expect(emptied.body).not.toHaveProperty('logo');
  expect(emptied.body).not.toHaveProperty('description');
});

test('PUT accepts the body that GET answers; secrets in it are not applied', async () => {
  const { clientId } = (await ada.call(createOauthClient, { body: full })).body;
  const secret = await ada.call(createOauthSecret, { params: { clientId } });
  const read = (await ada.call(getOauthClient, { params: { clientId } })).body;
  const again = await ada.call(updateOauthClient, {
    params: { clientId },
    body: { ...read, secrets: [{ id: 'x', secret: 'y', lastUsedTime: 'z' }] },
  });
  expect(again.body).toEqual(read);
  expect(again.body.secrets).toEqual([{ id: secret.body.id, secret: secret.body.maskedSecret }]);
});

test('PUT refuses the clientId of another application', async () => {
  const { clientId } = (await ada.call(createOauthClient, { body: full })).body;
  const refused = await ada.call(updateOauthClient, { params: { clientId }, body: { ...full, clientId: 'cltother' } });
  expect(refused.status).toBe(400);
  expect(refused.error.data.issues[0]).toMatchObject({ path: 'clientId', expected: clientId });
});

test('several secrets live side by side, are shown once, and can be deleted one by one', async () => {
  const { clientId } = (await ada.call(createOauthClient, { body: full })).body;
  const first = await ada.call(createOauthSecret, { params: { clientId } });
  const second = await ada.call(createOauthSecret, { params: { clientId } });
  expect(first.status).toBe(201);
  expect(first.body.secret).toMatch(/^[0-9A-Za-z]{40,}$/);
  expect(first.body.maskedSecret).toBe('*'.repeat(30) + first.body.secret.slice(-10));
  expect((await ada.call(getOauthClient, { params: { clientId } })).body.secrets).toEqual([
    { id: second.body.id, secret: second.body.maskedSecret },
    { id: first.body.id, secret: first.body.maskedSecret },
  ]);
  expect((await ada.call(deleteOauthSecret, { params: { clientId, secretId: first.body.id } })).status).toBe(200);
  expect((await ada.call(deleteOauthSecret, { params: { clientId, secretId: first.body.id } })).status).toBe(404);
  expect((await ada.call(getOauthClient, { params: { clientId } })).body.secrets).toHaveLength(1);
});

test('a secret of another application cannot be deleted', async () => {
  const mine = await application(ada);
  const other = await application(ada);
  expect(
    (await ada.call(deleteOauthSecret, { params: { clientId: mine.clientId, secretId: other.secretId } })).status,
  ).toBe(404);
});

test('the number of secrets is limited', async () => {
  const { clientId } = (await ada.call(createOauthClient, { body: full })).body;
  const statuses = await Promise.all(
    Array.from({ length: 25 }, async () => (await ada.call(createOauthSecret, { params: { clientId } })).status),
  );
  expect(statuses.filter((status) => status === 201)).toHaveLength(20);
  expect(statuses.filter((status) => status === 409)).toHaveLength(5);
});

test('for everyone but its creator an application does not exist', async () => {
  const { clientId, secretId } = await application(ada);
  const params = { clientId };
  const statuses = [
    await ben.call(getOauthClient, { params }),
    await ben.call(updateOauthClient, { params, body: full }),
    await ben.call(deleteOauthClient, { params }),
    await ben.call(createOauthSecret, { params }),
    await ben.call(deleteOauthSecret, { params: { clientId, secretId } }),
    await ada.call(getOauthClient, { params: { clientId: 'cltunknown' } }),
    await ada.call(getOauthClient, { params: { clientId: '%00' } }),
  ].map((outcome) => outcome.status);
  expect(statuses).toEqual([404, 404, 404, 404, 404, 404, 404]);
  expect((await ada.call(getOauthClient, { params })).body.secrets).toHaveLength(1);
});

test('without a credential everything is a 401, with a session it works as with a token', async () => {
  const { clientId } = await application(ada);
  expect((await caller({ baseUrl: world().baseUrl })(getOauthClient, { params: { clientId } })).status).toBe(401);
  const atBrowser = await ada.withSession();
  expect((await atBrowser(getOauthClient, { params: { clientId } })).status).toBe(200);
});

test('the token of an application manages no applications', async () => {
  const app = await application(ada);
  const tokens = await tokensFor(world(), ada, app);
  const call = caller({ baseUrl: world().baseUrl, token: tokens.access_token });
  expect((await call(getOauthClient, { params: { clientId: app.clientId } })).status).toBe(403);
  expect((await call(createOauthSecret, { params: { clientId: app.clientId } })).status).toBe(403);
});

test('a deleted application is gone', async () => {
  const { clientId } = await application(ada);
  expect((await ada.call(deleteOauthClient, { params: { clientId } })).status).toBe(200);
  expect((await ada.call(deleteOauthClient, { params: { clientId } })).status).toBe(404);
  expect((await ada.call(getOauthClient, { params: { clientId } })).status).toBe(404);
});
