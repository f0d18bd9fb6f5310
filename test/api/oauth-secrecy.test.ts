// That the search for secrets, which every test file ends with, knows of each kind of secret and finds what is there.
import { randomText } from '@rowhouse/contract/id.ts';
import { createAccessToken, refreshAccessToken } from '@rowhouse/contract/access-token.ts';
import { signIn, signUp } from '@rowhouse/contract/auth.ts';
import { createDbConnection } from '@rowhouse/contract/connection.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { application, authorizeUrl, decide, redeem, refresh, revoke, tryToken, visit } from '../support/oauth.ts';
import { person } from '../support/people.ts';
import { demandNone, searchDatabase } from '../support/secret-check.ts';
import { recordedSecrets } from '../support/secret-record.ts';
import { createSearch } from '../support/secret-search.ts';
import { ground } from '../support/table.ts';
import { caller, useWorld } from '../support/world.ts';

const lines: string[] = [];
const world = useWorld({}, { logStream: { write: (line) => void lines.push(line) } });

const secretOf = (token: string): string => token.split('_')[2] as string;

test('every kind of secret is recorded, and none is kept or logged in plain text', async () => {
  const { owner: ada, baseId } = await ground(world());
  const app = await application(ada);
  const cookie = await ada.cookie();
  const first = await visit(world(), authorizeUrl(world(), { response_type: 'code', client_id: app.clientId }), cookie);
  const transaction = first.location.searchParams.get('transaction_id') as string;
  const open = await visit(world(), authorizeUrl(world(), { response_type: 'code', client_id: app.clientId }), cookie);
  const code = (await decide(world(), cookie, transaction)).location.searchParams.get('code') as string;
  const { body } = await redeem(world(), app, code, { redirect_uri: '' });
  const renewed = (await refresh(world(), app, body.refresh_token)).body;
  await tryToken(world(), renewed.access_token);
  await redeem(world(), { ...app, secret: `${app.secret}x` }, code);
  await revoke(world(), { ...app, secret: '' }, renewed.refresh_token);
  const anyone = caller({ baseUrl: world().baseUrl });
  const password = `${randomText(12)}1`;
  const wrong = `${randomText(12)}1`;
  const email = `${randomText(8).toLowerCase()}@example.com`;
  const signedUp = await anyone(signUp, { body: { email, password } });
  expect((await anyone(signIn, { body: { email, password: wrong } })).status).toBe(400);
  const made = await ada.call(createAccessToken, {
    body: { name: 'x', scopes: ['space|read'], expiredTime: '2099-01-01' },
  });
  const again = await ada.call(refreshAccessToken, {
    params: { accessTokenId: made.body.id },
    body: { expiredTime: '2099-01-01' },
  });
  const connection = await ada.call(createDbConnection, { params: { baseId } });
  const secrets: Record<string, string> = {
    password,
    'wrong password': wrong,
    'session of the sign-up': /auth_session=([^;]+)/.exec(signedUp.headers.get('set-cookie') ?? '')?.[1] as string,
    'personal token': secretOf(ada.token),
    'new personal token': secretOf(made.body.token),
    'personal token again': secretOf(again.body.token),
    session: cookie.split('=')[1] as string,
    'client secret': app.secret,
    'wrong client secret': `${app.secret}x`,
    transaction,
    'open transaction': open.location.searchParams.get('transaction_id') as string,
    code,
    'access token': secretOf(body.access_token),
    'refresh token': secretOf(body.refresh_token),
    'renewed access token': secretOf(renewed.access_token),
    'renewed refresh token': secretOf(renewed.refresh_token),
    'password for SQL': connection.body.dsn.pass as string,
  };
  expect(Object.entries(secrets).filter(([, secret]) => !recordedSecrets().has(secret))).toEqual([]);
  await searchDatabase(world().databaseUrl, recordedSecrets());
  const log = Buffer.from(lines.join(''));
  expect(log.toString()).toContain('/api/oauth/access_token');
  await demandNone(recordedSecrets(), [{ where: 'the log', bytes: log }]);
});

test('what is planted is found: in a text, in JSON, in bytes, in a log', async () => {
  const { userId, token } = await person(world());
  const secret = secretOf(token);
  const planted = recordedSecrets().has(secret) ? recordedSecrets() : new Map([[secret, 'planted token']]);
  const places = [
    sql`update rowhouse.users set name = ${`my token is ${token}`} where id = ${userId}`,
    sql`update rowhouse.users set notify_meta = ${JSON.stringify({ a: [secret] })}::jsonb where id = ${userId}`,
    sql`update rowhouse.access_tokens set secret_hash = ${Buffer.from(secret)} where user_id = ${userId}`,
  ];
  for (const place of places) {
    await expect(
      world()
        .db.transaction(async (tx) => {
          await tx.query(place);
          await tx.query(
            sql`create table public.planted as select t::text from rowhouse.users t union all select t::text from rowhouse.access_tokens t`,
          );
        })
        .then(() => searchDatabase(world().databaseUrl, planted)),
    ).rejects.toThrow('public.planted');
    await world().db.query(sql`drop table public.planted`);
    await world().db.query(sql`update rowhouse.users set name = 'x', notify_meta = '{}' where id = ${userId}`);
  }
  await world().db.query(sql`delete from rowhouse.access_tokens where user_id = ${userId}`);
  await searchDatabase(world().databaseUrl, planted);
  await expect(
    demandNone(planted, [{ where: 'a log', bytes: Buffer.from(`{"url":"/x?token=${token}"}`) }]),
  ).rejects.toThrow('stands in a log');
});

test('a secret is found in every form, wherever it stands', () => {
  const secret = 'pass "word" 1';
  const search = createSearch([secret, randomText(30)]);
  const forms = [secret, JSON.stringify({ secret }), encodeURIComponent(secret), Buffer.from(secret).toString('hex')];
  const inBase64 = ['', 'a', 'ab', 'client:'].map((before) => Buffer.from(`${before}${secret}`).toString('base64'));
  for (const text of [...forms, ...inBase64])
    for (const around of [text, `x${text}x`, `xx${text}`, `xxx${text}xx`])
      expect([text, [...search(Buffer.from(around))]]).toEqual([text, [secret]]);
  expect(search(Buffer.from('pass word 1 PASS "WORD" 1 pass "word" ')).size).toBe(0);
});
