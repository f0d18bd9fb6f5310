// Everything that takes access away takes it away at once, and only what it should.
import {
  createOauthSecret,
  deleteOauthClient,
  deleteOauthSecret,
  giveUpOauthToken,
  listAuthorizedClients,
  revokeOauthAccess,
  revokeOauthToken,
  updateOauthClient,
} from '@rowhouse/contract/oauth.ts';
import { beforeAll, expect, test } from 'vitest';
import { bumpEpochs } from '../../server/catalog/access.sql.ts';
import { sql } from '../../server/db/sql.ts';
import {
  application,
  authorizeUrl,
  callback,
  codeFor,
  redeem,
  refresh,
  revoke,
  tokensFor,
  tryToken,
  visit,
} from '../support/oauth.ts';
import { type Person, person } from '../support/people.ts';
import { caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let ada: Person;
let ben: Person;
let cleo: Person;

beforeAll(async () => {
  ada = await person(world(), { name: 'Ada' });
  ben = await person(world(), { name: 'Ben' });
  cleo = await person(world(), { name: 'Cleo' });
});

const epoch = async (): Promise<number> =>
  (await world().db.query<{ epoch: number }>(sql`select coalesce(sum(epoch), 0)::int as epoch from rowhouse.epochs`))[0]
    ?.epoch as number;

/** Runs it, and checks that remembered access decisions are told. */
const taking = async <T>(work: () => Promise<T>): Promise<T> => {
  const before = await epoch();
  const result = await work();
  expect(await epoch()).toBeGreaterThan(before);
  return result;
};

test('a user ends what he allowed an application; others are not touched', async () => {
  const app = await application(ada);
  const bens = await tokensFor(world(), ben, app);
  const cleos = await tokensFor(world(), cleo, app);
  const params = { clientId: app.clientId };
  expect((await taking(() => ben.call(revokeOauthToken, { params }))).status).toBe(200);
  expect(await tryToken(world(), bens.access_token)).toBe(401);
  expect((await refresh(world(), app, bens.refresh_token)).body.error).toBe('invalid_grant');
  expect((await ben.call(listAuthorizedClients)).body).toEqual([]);
  expect((await ben.call(revokeOauthToken, { params })).status).toBe(404);
  expect(await tryToken(world(), cleos.access_token)).toBe(200);
  const again = await visit(
    world(),
    authorizeUrl(world(), { response_type: 'code', client_id: app.clientId }),
    await ben.cookie(),
  );
  expect(again.location.pathname).toBe('/oauth/decision');
});

test('an application gives up its own access, and no other', async () => {
  const app = await application(ada);
  const other = await application(ada);
  const tokens = await tokensFor(world(), ben, app);
  await tokensFor(world(), ben, other);
  const call = caller({ baseUrl: world().baseUrl, token: tokens.access_token });
  expect((await call(revokeOauthToken, { params: { clientId: other.clientId } })).status).toBe(403);
  expect((await ben.call(giveUpOauthToken, { params: { clientId: app.clientId } })).status).toBe(403);
  expect((await taking(() => call(giveUpOauthToken, { params: { clientId: app.clientId } }))).status).toBe(200);
  expect(await tryToken(world(), tokens.access_token)).toBe(401);
});

test('the creator, and nobody else, ends the access to all users', async () => {
  const app = await application(ada);
  const bens = await tokensFor(world(), ben, app);
  const cleos = await tokensFor(world(), cleo, app);
  const params = { clientId: app.clientId };
  expect((await ben.call(revokeOauthAccess, { params })).status).toBe(404);
  expect(await tryToken(world(), bens.access_token)).toBe(200);
  expect((await taking(() => ada.call(revokeOauthAccess, { params }))).status).toBe(200);
  for (const tokens of [bens, cleos]) {
    expect(await tryToken(world(), tokens.access_token)).toBe(401);
    expect((await refresh(world(), app, tokens.refresh_token)).body.error).toBe('invalid_grant');
  }
  expect(await tryToken(world(), (await tokensFor(world(), ben, app)).access_token)).toBe(200);
});

test('deleting an application ends its tokens, codes and open requests', async () => {
  const app = await application(ada);
  const tokens = await tokensFor(world(), ben, app);
  const code = await codeFor(world(), ben, app);
  await taking(() => ada.call(deleteOauthClient, { params: { clientId: app.clientId } }));
  expect(await tryToken(world(), tokens.access_token)).toBe(401);
  expect(await refresh(world(), app, tokens.refresh_token)).toMatchObject({
    status: 401,
    body: { error: 'invalid_client' },
  });
  expect(await redeem(world(), app, code)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  expect(
    (
      await visit(
        world(),
        authorizeUrl(world(), { response_type: 'code', client_id: app.clientId }),
        await ben.cookie(),
      )
    ).status,
  ).toBe(400);
});

test('deleting a secret ends what was issued for it, not what was renewed with another', async () => {
  const old = await application(ada);
  const params = { clientId: old.clientId };
  const stays = await tokensFor(world(), ben, old);
  const ends = await tokensFor(world(), cleo, old);
  const fresh = { ...old, secret: (await ada.call(createOauthSecret, { params })).body.secret };
  const renewed = (await refresh(world(), fresh, stays.refresh_token)).body;
  await taking(() => ada.call(deleteOauthSecret, { params: { ...params, secretId: old.secretId } }));
  expect(await tryToken(world(), ends.access_token)).toBe(401);
  expect((await refresh(world(), fresh, ends.refresh_token)).body.error).toBe('invalid_grant');
  expect(await tryToken(world(), renewed.access_token)).toBe(200);
  expect((await refresh(world(), old, renewed.refresh_token)).body.error).toBe('invalid_client');
  expect((await refresh(world(), fresh, renewed.refresh_token)).status).toBe(200);
});

test('a scope that the creator takes away is taken from the tokens at once', async () => {
  const app = await application(ada, { scopes: ['record|read', 'user|email_read'] });
  const tokens = await tokensFor(world(), ben, app);
  const email = async (): Promise<unknown> =>
    (
      (await (
        await fetch(`${world().baseUrl}/auth/user`, { headers: { authorization: `Bearer ${tokens.access_token}` } })
      ).json()) as { email?: string }
    ).email;
  expect(await email()).toBe(ben.email);
  const body = { name: 'x', homepage: callback, redirectUris: [callback], scopes: ['record|read'] };
  await taking(() => ada.call(updateOauthClient, { params: { clientId: app.clientId }, body }));
  expect(await email()).toBeUndefined();
  await ada.call(updateOauthClient, {
    params: { clientId: app.clientId },
    body: { ...body, scopes: ['record|read', 'user|email_read'] },
  });
  expect((await refresh(world(), app, tokens.refresh_token)).body.scopes).toEqual(['record|read']);
});

test('an application revokes an access token alone, or with the refresh token everything', async () => {
  const app = await application(ada);
  const tokens = await tokensFor(world(), ben, app);
  expect((await taking(() => revoke(world(), app, tokens.access_token))).status).toBe(200);
  expect(await tryToken(world(), tokens.access_token)).toBe(401);
  const renewed = (await refresh(world(), app, tokens.refresh_token)).body;
  expect(
    (await taking(() => revoke(world(), app, renewed.refresh_token, { token_type_hint: 'access_token' }))).status,
  ).toBe(200);
  expect(await tryToken(world(), renewed.access_token)).toBe(401);
  expect((await revoke(world(), app, renewed.refresh_token)).status).toBe(200);
  expect((await revoke(world(), app, 'never issued')).status).toBe(200);
  expect(await revoke(world(), { ...app, secret: 'wrong' }, 'x')).toMatchObject({
    status: 401,
    body: { error: 'invalid_client' },
  });
  expect(await revoke(world(), app, '')).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
});

test('nothing is issued for a user who was deactivated', async () => {
  const app = await application(ada);
  const dora = await person(world());
  const tokens = await tokensFor(world(), dora, app);
  const code = await codeFor(world(), dora, app);
  await world().db.transaction(async (tx) => {
    await tx.query(sql`update rowhouse.users set deactivated_time = now() where id = ${dora.userId}`);
    await bumpEpochs(tx, [dora.userId]);
  });
  expect(await tryToken(world(), tokens.access_token)).toBe(401);
  expect((await refresh(world(), app, tokens.refresh_token)).body.error).toBe('invalid_grant');
  expect((await redeem(world(), app, code)).body.error).toBe('invalid_grant');
});

test('ending and renewing at the same time leaves nothing alive and breaks nothing', async () => {
  const app = await application(ada);
  for (let round = 0; round < 5; round += 1) {
    const tokens = await tokensFor(world(), ben, app);
    const [renewed, ended] = await Promise.all([
      refresh(world(), app, tokens.refresh_token),
      ada.call(revokeOauthAccess, { params: { clientId: app.clientId } }),
    ]);
    expect(ended.status).toBe(200);
    expect([200, 400]).toContain(renewed.status);
    if (renewed.status === 200) expect(await tryToken(world(), renewed.body.access_token)).toBe(401);
  }
});
