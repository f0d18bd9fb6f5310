// Requests per second and credential, for all servers of a database together.
import { signIn } from '@rowhouse/contract/auth.ts';
import { getBaseUsage } from '@rowhouse/contract/plan.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { createSpace, getSpace, listSpaces } from '@rowhouse/contract/space.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSubscription } from '../../server/domain/plan/change-subscription.ts';
import { person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { ground, tableWith } from '../support/table.ts';
import { caller, openWorld, useWorld, type World } from '../support/world.ts';

const limit = 25;
const plans = plansWith({ free: { apiRateLimit: limit }, pro: { apiRateLimit: 60 } });
let time = Date.parse('2030-01-01T00:00:00.000Z');
const now = (): Date => new Date(time);
const nextSecond = (): void => {
  time += 1_000;
};
const world = useWorld({}, { plans, now });
let second: World;

beforeAll(async () => {
  second = await openWorld(world().databaseUrl, {}, { plans, now });
});
afterAll(() => second.close());

test('every answer tells the limit and what is left, and the one too many is a 429', async () => {
  nextSecond();
  const { call } = await person(world());
  for (let sent = 1; sent <= limit; sent += 1) {
    const { status, headers } = await call(listSpaces);
    expect(status).toBe(200);
    expect(headers.get('ratelimit-policy')).toBe(`"api";q=${limit};w=1`);
    expect(headers.get('ratelimit')).toBe(`"api";r=${limit - sent};t=1`);
    expect([
      headers.get('ratelimit-limit'),
      headers.get('ratelimit-remaining'),
      headers.get('ratelimit-reset'),
    ]).toEqual([`${limit}`, `${limit - sent}`, '1']);
  }
  const refused = await call(listSpaces);
  expect(refused.status).toBe(429);
  expect(refused.error).toMatchObject({ code: 'too_many_requests', data: { limit } });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('ratelimit')).toBe('"api";r=0;t=1');
  nextSecond();
  expect((await call(listSpaces)).status).toBe(200);
});

test('servers share the limit of a credential', async () => {
  nextSecond();
  const { token, call } = await person(world());
  const there = caller({ baseUrl: second.baseUrl, token });
  const statuses = await Promise.all(
    Array.from({ length: 2 * limit }, async (_, at) => (await (at % 2 === 0 ? call : there)(listSpaces)).status),
  );
  const allowed = statuses.filter((status) => status === 200).length;
  expect(allowed).toBe(limit);
  expect(statuses.filter((status) => status === 429)).toHaveLength(limit);
});

test('each token counts by itself, and the sessions of a user together', async () => {
  nextSecond();
  const someone = await person(world());
  const other = await someone.withToken({ hasFullAccess: true });
  for (let sent = 0; sent <= limit; sent += 1) await someone.call(listSpaces);
  expect((await someone.call(listSpaces)).status).toBe(429);
  expect((await other.call(listSpaces)).status).toBe(200);
  const [one, two] = [await someone.withSession(), await someone.withSession()];
  for (let sent = 0; sent < limit; sent += 1) expect((await (sent % 2 === 0 ? one : two)(listSpaces)).status).toBe(200);
  expect((await one(listSpaces)).status).toBe(429);
});

test('the plan of the space counts, at once after it changes; elsewhere the highest plan of the user does', async () => {
  nextSecond();
  const table = await tableWith(await ground(world()), [{ name: 'Text', type: 'singleLineText' }]);
  const limitSeen = async (): Promise<string | null> =>
    (await table.call(createRecords, { params: table, body: { records: [{ fields: {} }] } })).headers.get(
      'ratelimit-limit',
    );
  expect(await limitSeen()).toBe('25');
  await world().db.transaction((tx) =>
    changeSubscription(tx, { plans, now }, table.spaceId, (same) => ({ ...same, level: 'pro' })),
  );
  await limitSeen();
  expect(await limitSeen()).toBe('60');
  expect((await table.call(getBaseUsage, { params: table })).headers.get('ratelimit-limit')).toBe('60');
  expect((await table.call(listSpaces)).headers.get('ratelimit-limit')).toBe('60');
  expect(
    (await table.call(getSpace, { params: { spaceId: (await ground(world())).spaceId } })).headers.get(
      'ratelimit-limit',
    ),
  ).toBe('25');
});

test('a token that is used up in a space of a small plan goes on in one of a larger plan, but not the other way round', async () => {
  const small = await ground(world());
  const large = (await small.call(createSpace, { body: {} })).body.id;
  await world().db.transaction((tx) =>
    changeSubscription(tx, { plans, now }, large, (same) => ({ ...same, level: 'pro' })),
  );
  const ask = async (spaceId: string): Promise<number> => (await small.call(getSpace, { params: { spaceId } })).status;
  nextSecond();
  for (let sent = 0; sent < limit; sent += 1) expect(await ask(small.spaceId)).toBe(200);
  expect(await ask(small.spaceId)).toBe(429);
  for (let sent = limit; sent < 60; sent += 1) expect(await ask(large)).toBe(200);
  expect(await ask(large)).toBe(429);
  nextSecond();
  for (let sent = 0; sent < 30; sent += 1) expect(await ask(large)).toBe(200);
  expect(await ask(small.spaceId)).toBe(429);
});

test('refusals count too: no right, unknown, malformed, without a credential', async () => {
  nextSecond();
  const { call } = await person(world());
  const unknown = await call(getSpace, { params: { spaceId: 'spcunknown' } });
  expect([unknown.status, unknown.headers.get('ratelimit-remaining')]).toEqual([404, '24']);
  const nobody = caller({ baseUrl: world().baseUrl });
  const refused = await nobody(listSpaces);
  expect(refused.status).toBe(401);
  expect(refused.headers.get('ratelimit-limit')).toBe('25');
  expect((await nobody(signIn, { body: {} as never })).headers.get('ratelimit-policy')).toBe('"api";q=25;w=1');
});

test('a clock that was ahead for a moment locks nobody out', async () => {
  nextSecond();
  const { call } = await person(world());
  time += 86_400_000;
  for (let sent = 1; sent <= limit + 1; sent += 1) await call(listSpaces);
  time -= 86_400_000;
  expect((await call(listSpaces)).status).toBe(200);
  nextSecond();
  expect((await call(listSpaces)).status).toBe(200);
});
