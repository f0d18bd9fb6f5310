// What has expired is removed also when nobody comes back, and nothing else is.
import { expect, test } from 'vitest';
import { issueOauthToken, revokeIssuedToken } from '@rowhouse/contract/oauth-server.ts';
import { sql } from '../../server/db/sql.ts';
import { sweepExpired } from '../../server/domain/oauth/sweep-expired.ts';
import { application, authorizeUrl, callback, codeFor, refresh, tokensFor, visit } from '../support/oauth.ts';
import { person } from '../support/people.ts';
import { useWorld } from '../support/world.ts';

let ahead = 0;
const world = useWorld({}, { now: () => new Date(Date.now() + ahead) });
const minute = 60_000;
const day = 1_440 * minute;

const left = async (): Promise<object> => {
  const [row] = await world().db.query<Record<string, number>>(
    sql`select (select count(*) from rowhouse.oauth_transactions) as transactions, (select count(*) from rowhouse.oauth_grants) as grants,
               (select count(*) from rowhouse.oauth_refresh_tokens) as "refreshTokens",
               (select count(*) from rowhouse.access_tokens where client_id is not null) as "accessTokens",
               (select count(*) from rowhouse.access_tokens where client_id is null) as personal`,
  );
  return row as object;
};

test('requests, codes and tokens go when their time is over; what lives on works on', async () => {
  const [ada, ben, cleo, dora] = await Promise.all([
    person(world()),
    person(world()),
    person(world()),
    person(world()),
  ]);
  const app = await application(ada);
  // Ada is asked and says nothing, Ben gets a code that is never redeemed, Cleo's tokens are forgotten, Dora's renewed.
  await visit(
    world(),
    authorizeUrl(world(), { response_type: 'code', client_id: app.clientId, redirect_uri: callback }),
    await ada.cookie(),
  );
  await codeFor(world(), ben, app);
  await tokensFor(world(), cleo, app);
  const first = await tokensFor(world(), dora, app);
  await sweepExpired(world().services);
  expect(await left()).toEqual({ transactions: 1, grants: 3, refreshTokens: 2, accessTokens: 2, personal: 4 });

  ahead = 6 * minute;
  await sweepExpired(world().services);
  expect(await left()).toEqual({ transactions: 0, grants: 2, refreshTokens: 2, accessTokens: 2, personal: 4 });

  ahead = 20 * day;
  const renewed = (await refresh(world(), app, first.refresh_token)).body;
  await sweepExpired(world().services);
  expect(await left()).toEqual({ transactions: 0, grants: 2, refreshTokens: 3, accessTokens: 1, personal: 4 });

  ahead = 31 * day;
  await sweepExpired(world().services);
  expect(await left()).toEqual({ transactions: 0, grants: 1, refreshTokens: 1, accessTokens: 0, personal: 4 });
  expect((await refresh(world(), app, renewed.refresh_token)).status).toBe(200);
});

test('the endpoints of the protocol take forms, in the OpenAPI document too', async () => {
  const { paths } = (await (await fetch(`${world().baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, { post: { requestBody: { content: object } } }>;
  };
  for (const path of [issueOauthToken.path, revokeIssuedToken.path, '/oauth/decision']) {
    expect(Object.keys(paths[path]?.post.requestBody.content ?? {})).toEqual([
      'application/x-www-form-urlencoded',
      'application/json',
    ]);
  }
  expect(Object.keys(paths['/auth/signin']?.post.requestBody.content ?? {})).toEqual(['application/json']);
  const form = { method: 'POST', body: new URLSearchParams({ email: 'a@example.com', password: 'whatever-1' }) };
  expect((await fetch(`${world().baseUrl}/auth/signin`, form)).status).toBe(415);
});
