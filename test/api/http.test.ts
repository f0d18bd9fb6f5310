// HTTP at its edges, by hand: what no client library would send.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openWire } from '../../proof/wire.ts';
import { createServer } from '../../server/http/server.ts';
import { useWorld } from '../support/world.ts';

const bodyLimit = 1_000_000;
const world = useWorld({ bodyLimit });

test('a body that nobody asked for does not hold up what follows on its connection', async () => {
  const wire = openWire(world().origin, 5_000);
  const size = 600_000;
  for (const path of ['/health', '/api/auth/user', '/api/nothing']) {
    const first = await wire.send(
      Buffer.from(
        `GET ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\n\r\n${'a'.repeat(size)}`,
      ),
    );
    expect(first.status).toBeGreaterThan(0);
    expect((await wire.send(Buffer.from('GET /health HTTP/1.1\r\nhost: x\r\n\r\n'))).status).toBe(200);
  }
  wire.close();
});

test('an idle connection is kept for longer than clients are told', async () => {
  const told = Number(
    /^timeout=(\d+)$/.exec((await fetch(`${world().origin}/health`)).headers.get('keep-alive') ?? '')?.[1],
  );
  expect(told).toBeGreaterThanOrEqual(30);
  expect(createServer(world().services, []).server.keepAliveTimeout).toBeGreaterThanOrEqual((told + 10) * 1_000);
});

test('an expectation that is not known is left aside', async () => {
  const wire = openWire(world().origin, 5_000);
  const reply = await wire.send(Buffer.from('GET /api/auth/user HTTP/1.1\r\nhost: x\r\nexpect: tea\r\n\r\n'));
  expect(reply.status).toBe(401);
  expect(JSON.parse(reply.body.toString())).toMatchObject({ code: 'unauthorized' });
  wire.close();
});

test('a client that goes away in the middle of a body takes nobody along', async () => {
  const { hostname, port } = new URL(world().origin);
  for (const [method, path] of [
    ['GET', '/health'],
    ['GET', '/api/auth/user'],
    ['POST', '/api/auth/signin'],
    ['POST', '/api/nothing'],
    ['DELETE', '/api/space/x'],
  ]) {
    for (const how of [
      'transfer-encoding: chunked\r\n\r\n5\r\nab',
      `content-length: 900000\r\n\r\n${'a'.repeat(200_000)}`,
    ]) {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(`${method} ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${how}`);
      await Promise.race([once(socket, 'data'), once(socket, 'close'), new Promise((done) => setTimeout(done, 100))]);
      socket.resetAndDestroy();
    }
  }
  expect((await fetch(`${world().origin}/health`)).status).toBe(200);
});

test('anyone who sends more than is accepted, and goes on sending, hears why', async () => {
  const body = Buffer.alloc(bodyLimit + 20_000_000, 0x20);
  const frames = [
    `content-length: ${body.length}\r\n\r\n`,
    `transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`,
  ];
  for (const frame of frames) {
    const { hostname, port } = new URL(world().origin);
    const socket = connect({ host: hostname, port: Number(port) });
    const faults: Error[] = [];
    socket.on('error', (error) => faults.push(error));
    await once(socket, 'connect');
    socket.write(`POST /api/auth/signin HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${frame}`);
    // All of it before it looks for an answer, as simple clients do.
    await new Promise((sent) => socket.write(body, sent));
    await new Promise((passed) => setTimeout(passed, 100));
    let heard = '';
    for await (const chunk of socket) heard += String(chunk);
    expect(heard).toMatch(/^HTTP\/1.1 413 /);
    expect(heard).toContain('payload_too_large');
    expect(faults).toEqual([]);
  }
});

test('a page of another origin may call the API with a token, and never with a cookie', async () => {
  const origin = 'https://page.example';
  const preflight = await fetch(`${world().origin}/api/table/tblx/record`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  });
  expect(preflight.status).toBe(204);
  const allowed = Object.fromEntries(preflight.headers);
  expect(allowed).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-max-age': '86400' });
  for (const name of ['authorization', 'content-type', 'idempotency-key', 'x-window-id'])
    expect(allowed['access-control-allow-headers']?.toLowerCase().split(', ')).toContain(name);
  for (const method of ['POST', 'PATCH', 'DELETE', 'PUT'])
    expect(allowed['access-control-allow-methods']?.split(', ')).toContain(method);
  // Errors can be read by the page as well.
  const refused = await fetch(`${world().origin}/api/auth/user`, { headers: { origin } });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('access-control-allow-origin')).toBe('*');
  expect(refused.headers.get('access-control-expose-headers')).toContain('X-Operation-Id');
  for (const answer of [preflight, refused]) expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
});
