// What one address gets without a credential, tried with real sockets of several addresses of this machine.
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../support/listen.ts';
import { ground, tableWith } from '../support/table.ts';
import { openWorld, useWorld, type World } from '../support/world.ts';

const metricsToken = 'a token of forty characters for figures!';
const world = useWorld({ socketsPerAddress: 10, anonymousRequests: 5, metricsToken });
let proxied: World;
beforeAll(async () => {
  proxied = await openWorld(world().databaseUrl, {
    socketsPerAddress: 1,
    anonymousRequests: 5,
    trustProxy: true,
    metricsToken,
    streamsPerAccount: 2,
  });
});
afterAll(() => proxied.close());

interface Sent {
  from?: string;
  headers?: Record<string, string>;
}

const statusOf = (to: World, path: string, { from = '127.0.0.1', headers = {} }: Sent = {}): Promise<number> =>
  new Promise((done, failed) => {
    const sent = request(`${to.origin}${path}`, { localAddress: from, headers, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => done(answer.statusCode as number));
    });
    sent.on('error', failed);
    sent.end();
  });

const dial = async (from: string): Promise<Socket> => {
  const { hostname, port } = new URL(world().origin);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

test('one address has so many sockets, the others of it are closed, and other addresses are served', async () => {
  const sockets = await Promise.all(Array.from({ length: 25 }, () => dial('127.0.0.2')));
  await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBe(15);
  expect(await statusOf(world(), '/health')).toBe(200);
  await expect(statusOf(world(), '/health', { from: '127.0.0.2' })).rejects.toThrow();
  const kept = sockets.filter(({ closed }) => !closed);
  expect(kept).toHaveLength(10);
  // One that goes makes room for another.
  kept[0]?.destroy();
  await expect.poll(() => statusOf(world(), '/health', { from: '127.0.0.2' }).catch(() => 0)).toBe(200);
  for (const socket of kept) socket.destroy();
});

/** A new one for each: what one test used up is not there for the next. */
let calm = 0;

test.each([
  '/api/docs',
  '/api/openapi.json',
  '/metrics',
  '/api/nothing',
  '/nothing/at/all',
  '/assets/nothing.js',
  '/.well-known/oauth-authorization-server',
  '/api/auth/user',
  '/api/table/tblX/record',
])('too many requests to %s are refused by address', async (path) => {
  const statuses: number[] = [];
  for (let round = 0; round < 8; round += 1)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 8 }, () => statusOf(world(), path, { from: '127.0.0.3' })))),
    );
  expect(statuses).toContain(429);
  calm += 1;
  expect(await statusOf(world(), path, { from: `127.0.1.${calm}` })).not.toBe(429);
});

test('health is never refused: balancers ask for it', async () => {
  for (const path of ['/health', '/health/ready']) {
    const statuses: number[] = [];
    for (let round = 0; round < 5; round += 1)
      statuses.push(
        ...(await Promise.all(Array.from({ length: 8 }, () => statusOf(world(), path, { from: '127.0.0.5' })))),
      );
    expect(new Set(statuses)).toEqual(new Set([200]));
  }
});

test('figures are shown on this machine, or with their token', async () => {
  const forwarded = { 'x-forwarded-for': '127.0.0.1' };
  const authorization = `Bearer ${metricsToken}`;
  expect(await statusOf(world(), '/metrics', { from: '127.0.0.6' })).toBe(200);
  // Somebody else sent it through a proxy on this machine.
  expect(await statusOf(world(), '/metrics', { headers: forwarded })).toBe(401);
  expect(await statusOf(world(), '/metrics', { headers: { forwarded: 'for=127.0.0.1' } })).toBe(401);
  expect(await statusOf(proxied, '/metrics', { headers: { 'x-forwarded-for': '192.0.2.1' } })).toBe(401);
  expect(
    await statusOf(world(), '/metrics', {
      from: '127.0.0.7',
      headers: { ...forwarded, authorization: `${authorization}x` },
    }),
  ).toBe(401);
  expect(await statusOf(world(), '/metrics', { from: '127.0.0.7', headers: { ...forwarded, authorization } })).toBe(
    200,
  );
  expect(await statusOf(proxied, '/metrics', { headers: { 'x-forwarded-for': '192.0.2.1', authorization } })).toBe(200);
});

test('behind a proxy sockets are not counted, and requests by the address that the proxy saw', async () => {
  const docs = (address: string): Promise<number> =>
    statusOf(proxied, '/api/docs', { headers: { 'x-forwarded-for': `192.0.2.250, ${address}` } });
  const statuses: number[] = [];
  for (let round = 0; round < 8; round += 1)
    statuses.push(...(await Promise.all(Array.from({ length: 8 }, () => docs('192.0.2.7')))));
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(await docs('192.0.2.8')).toBe(200);
});

test('one account has so many streams open, and leaves others theirs', async () => {
  const fields = [{ name: 'Name', type: 'singleLineText' }] as const;
  const [mine, theirs] = [
    await tableWith(await ground(proxied), [...fields]),
    await tableWith(await ground(proxied), [...fields]),
  ];
  const open = ({ tableId, owner }: typeof mine) =>
    listen(`${proxied.baseUrl}/table/${tableId}/events`, { token: owner.token });
  const ears = [await open(mine), await open(mine)];
  const refused = await fetch(`${proxied.baseUrl}/table/${mine.tableId}/events`, {
    headers: { authorization: `Bearer ${mine.owner.token}` },
  });
  expect([refused.status, await refused.json()]).toEqual([
    429,
    expect.objectContaining({ code: 'too_many_requests', data: { limit: 2 } }),
  ]);
  const other = await open(theirs);
  expect([...ears, other].map(({ status }) => status)).toEqual([200, 200, 200]);
  ears.pop()?.close();
  await expect
    .poll(async () => {
      const ear = await open(mine);
      ears.push(ear);
      return ear.status;
    })
    .toBe(200);
  for (const ear of [...ears, other]) ear.close();
});
