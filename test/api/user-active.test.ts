// The operator shuts somebody out, and lets them in again.
import { getUserMe, signIn, signUp } from '@rowhouse/contract/auth.ts';
import { listAuthorizedClients } from '@rowhouse/contract/oauth.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { setUserActive } from '../../server/domain/auth/set-user-active.ts';
import { type CommandOutcome, rowhouse as runCommand } from '../support/command.ts';
import { listen } from '../support/listen.ts';
import { application, authorizeUrl, codeFor, redeem, refresh, tokensFor, tryToken, visit } from '../support/oauth.ts';
import { person } from '../support/people.ts';
import { openWorkshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { caller, useWorld } from '../support/world.ts';

const world = useWorld();
const rowhouse = (...args: string[]): Promise<CommandOutcome> => runCommand(world().databaseUrl, ...args);

test('anyone who is deactivated is out at once: sessions, tokens, applications and streams', async () => {
  const { owner, spaceId, table } = await openWorkshop(world());
  const made = await table({ records: [] });
  const eve = await member(world(), owner, spaceId, 'editor');
  const session = await eve.withSession();
  const app = await application(owner);
  const tokens = await tokensFor(world(), eve, app);
  const code = await codeFor(world(), eve, app);
  const ear = await listen(`${world().baseUrl}/table/${made.id}/events`, { token: eve.token });
  await ear.until((event) => event.name === 'ready');
  expect((await session(getUserMe)).status).toBe(200);

  expect(await rowhouse('user', 'deactivate', eve.email.toUpperCase())).toMatchObject({
    code: 0,
    out: `${eve.email.toUpperCase()} is now deactivated`,
  });
  expect((await eve.call(getUserMe)).status).toBe(401);
  expect((await session(getUserMe)).status).toBe(401);
  expect(await tryToken(world(), tokens.access_token)).toBe(401);
  expect((await refresh(world(), app, tokens.refresh_token)).body.error).toBe('invalid_grant');
  await ear.ended;
  expect(ear.heard.at(-1)?.name).toBe('end');
  const anyone = caller({ baseUrl: world().baseUrl });
  expect((await anyone(signIn, { body: { email: eve.email, password: eve.password } })).error.code).toBe(
    'invalid_credentials',
  );
  expect((await rowhouse('user', 'list')).out).toContain('deactivated');
  expect((await rowhouse('user', 'deactivate', eve.email)).out).toContain('was already deactivated');

  expect((await rowhouse('user', 'activate', eve.email)).out).toContain('is now active');
  expect((await anyone(signIn, { body: { email: eve.email, password: eve.password } })).status).toBe(200);
  // What ended stays ended.
  expect((await eve.call(getUserMe)).status).toBe(401);
  expect((await session(getUserMe)).status).toBe(401);
  expect(await tryToken(world(), tokens.access_token)).toBe(401);
  expect((await refresh(world(), app, tokens.refresh_token)).body.error).toBe('invalid_grant');
  expect((await redeem(world(), app, code)).body.error).toBe('invalid_grant');
  expect((await (await eve.withSession())(listAuthorizedClients)).body).toEqual([]);
  // The application has to ask again, too.
  const again = await visit(
    world(),
    authorizeUrl(world(), { response_type: 'code', client_id: app.clientId }),
    await eve.cookie(),
  );
  expect(again.location.pathname).toBe('/oauth/decision');
});

test('the only administrator cannot be shut out, and unknown addresses are said to be', async () => {
  const [first, second] = [await person(world(), { admin: true }), await person(world(), { admin: true })];
  await world().db.query(
    sql`update rowhouse.users set is_admin = false where id <> all(${[first.userId, second.userId]})`,
  );
  const outcomes = await Promise.all(
    [first, second].map(({ email }) => setUserActive(world().db, email, false).catch((error: Error) => error.message)),
  );
  expect(outcomes.filter((outcome) => outcome === true)).toHaveLength(1);
  expect(outcomes.find((outcome) => outcome !== true)).toContain('the only administrator');
  expect(await rowhouse('user', 'deactivate', 'nobody@example.com')).toMatchObject({
    code: 1,
    err: expect.stringContaining('not found'),
  });
  expect((await rowhouse('user', 'activate', 'nobody')).code).toBe(2);
});

test('accounts made from one client are limited, until the window ends', async () => {
  const anyone = caller({ baseUrl: world().baseUrl });
  const make = (name: string) =>
    anyone(signUp, { body: { email: `${name}@example.com`, password: 'correct-horse-1' } });
  expect((await make('early')).status).toBe(201);
  await world().db.query(sql`update rowhouse.sign_in_attempts set count = 200`);
  const refused = await make('late');
  expect(refused.error).toMatchObject({ status: 429, code: 'too_many_requests' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await world().db.query(sql`update rowhouse.sign_in_attempts set expires_time = now() - interval '1 second'`);
  expect((await make('later')).status).toBe(201);
});
