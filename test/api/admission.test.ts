// More than a server can do, and clients that take their time: refused or cut off, and nobody else notices.
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onlyInProof } from '../support/cases.ts';
import { whileLocked } from '../support/lock.ts';
import { ground, tableWith } from '../support/table.ts';
import { countWaiting } from '../support/waiting.sql.ts';
import { member } from '../support/workspace.ts';
import { type LocalWorld, openWorld, useWorld, type World } from '../support/world.ts';

const stopping = new AbortController();
const world = useWorld({ requestsAtOnce: 4, clientTimeout: 1, bodyLimit: 400_000 }, { stopping: stopping.signal });

const until = (holds: () => boolean | Promise<boolean>): Promise<void> =>
  expect.poll(holds, { interval: 10 }).toBe(true);

/** The same with clients that may take a minute to send something: where tests do it step by step. */
let patient: LocalWorld;
beforeAll(async () => {
  patient = await openWorld(world().databaseUrl, { clientTimeout: 60, bodyLimit: 400_000, requestsAtOnce: 32 });
});
afterAll(() => patient.close());

const figure = async (name: string, { origin } = world() as World): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await (await fetch(`${origin}/metrics`)).text())?.[1]);

interface Line {
  socket: Socket;
  heard: () => string;
  closed: Promise<void>;
}

const dial = async ({ origin } = world() as World): Promise<Line> => {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString())).on('error', () => undefined);
  await new Promise((open) => socket.once('connect', open));
  return {
    socket,
    heard: () => text,
    closed: new Promise((done) => socket.once('close', () => done()).once('end', () => done())),
  };
};

const errorIn = (text: string): unknown => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));

test('what is too much is refused at once with 503 and Retry-After; health is answered all the same, and what was let in finishes', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const params = { tableId: table.tableId };
  const write = () => table.call(createRecords, { params, body: { records: [{ fields: { Name: 'x' } }] } });
  const read = () => table.call(listRecords, { params });
  const other = await member(world(), table.owner, table.baseId, 'editor');
  // Not by the requests in flight: those count before it is known whose they are.
  const waiting = (count: number) => expect.poll(() => countWaiting(world().db)).toBe(count);
  let running: Promise<{ status: number }[]> | undefined;
  await whileLocked(world(), table, async () => {
    // A third write would wait for these two, and not for the table.
    const mine = Promise.all([write(), write(), read()]);
    await waiting(3);
    // The last place is not for somebody who has all the others.
    const fourth = await write();
    expect([fourth.status, fourth.headers.get('retry-after'), fourth.error?.message]).toEqual([
      503,
      '1',
      'You have as many requests under way as one may; try again in a second',
    ]);
    running = Promise.all([mine, other.call(listRecords, { params })]).then(([first, last]) => [...first, last]);
    await waiting(4);
    const refused = await write();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.error).toMatchObject({ code: 'service_unavailable', status: 503, requestId: expect.any(String) });
    expect((await fetch(`${world().origin}/health`)).status).toBe(200);
    expect((await fetch(`${world().origin}/health/ready`)).status).toBe(200);
    expect(await figure('rowhouse_http_refused_total')).toBe(2);
  });
  expect((await running)?.map(({ status }) => status)).toEqual([201, 201, 200, 200]);
  expect((await write()).status).toBe(201);
  expect((await read()).body.records).toHaveLength(3);
});

test('a request whose head or body does not arrive is answered with 408 and its connection ends', async () => {
  const [silent, slowHead, slowBody] = [await dial(), await dial(), await dial()];
  slowHead.socket.write('GET /api/auth/user HTTP/1.1\r\nhost: x\r\nx-slow: ');
  slowBody.socket.write(
    'POST /api/auth/signin HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"e',
  );
  const drip = setInterval(
    () => [slowHead, slowBody].forEach(({ socket }) => socket.writable && socket.write('a')),
    100,
  );
  await Promise.all([silent, slowHead, slowBody].map(({ closed }) => closed)).finally(() => clearInterval(drip));
  for (const { heard } of [slowHead, slowBody]) {
    expect(heard()).toMatch(/^HTTP\/1.1 408 /);
    expect(errorIn(heard())).toMatchObject({ status: 408, code: 'request_timeout', requestId: expect.any(String) });
  }
});

test('clients that send their bodies slowly take no place from others', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const lines = await Promise.all(Array.from({ length: 20 }, () => dial()));
  for (const { socket } of lines)
    socket.write(
      `POST /api/table/${table.tableId}/record HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
    );
  const wrote = await table.call(createRecords, {
    params: { tableId: table.tableId },
    body: { records: [{ fields: { Name: 'x' } }] },
  });
  expect(wrote.status).toBe(201);
  for (const { socket } of lines) socket.destroy();
});

test('files that are uploaded slowly take no place from other requests, and one account has only so many at a time', async () => {
  const table = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Files', type: 'attachment' },
  ]);
  const made = await table.call(createRecords, {
    params: { tableId: table.tableId },
    body: { records: [{ fields: {} }] },
  });
  const path = `/api/table/${table.tableId}/record/${made.body.records[0]?.id}/${table.fieldIds['Files']}/uploadAttachment`;
  const begin = async (token: string): Promise<Line> => {
    const line = await dial(patient);
    line.socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 9000\r\n\r\n--b\r\n`,
    );
    return line;
  };
  const slow = () => figure('rowhouse_http_uploads_in_flight', patient);
  const lines = await Promise.all(Array.from({ length: 64 }, () => begin(table.owner.token)));
  await until(async () => (await slow()) === 64);
  lines.push(await begin(table.owner.token));
  // One of them: the last one may be let in before one that came earlier.
  const refused = () => lines.filter(({ heard }) => heard() !== '').map(({ heard }) => heard());
  await until(() => refused().length === 1);
  expect(refused()[0]).toMatch(/^HTTP\/1.1 503 /);
  expect(errorIn(refused()[0] as string)).toMatchObject({ message: expect.stringContaining('More than 64 files') });
  const other = await member(world(), table.owner, table.baseId, 'editor');
  lines.push(await begin(other.token));
  await until(async () => (await slow()) === 65);
  const answer = await fetch(`${patient.baseUrl}/table/${table.tableId}/record`, {
    headers: { authorization: `Bearer ${table.owner.token}` },
  });
  expect(answer.status).toBe(200);
  for (const { socket } of lines) socket.destroy();
  await until(async () => (await slow()) === 0);
});

test('large bodies are refused together, one alone is not; sent in pieces or whole', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const body = JSON.stringify({ records: Array.from({ length: 4 }, () => ({ fields: { Name: 'x'.repeat(97_000) } })) });
  const head = `POST /api/table/${table.tableId}/record HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${table.owner.token}\r\ncontent-type: application/json\r\n`;
  const [one, two, three] = [await dial(patient), await dial(patient), await dial(patient)];
  for (const { socket } of [one, two])
    socket.write(`${head}content-length: ${body.length}\r\n\r\n${body.slice(0, -1)}`);
  await until(async () => (await figure('rowhouse_http_body_bytes', patient)) === 2 * (body.length - 1));
  // Refused in the middle of it.
  three.socket.write(
    `${head}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body.slice(0, 300_000)}`,
  );
  await until(() => three.heard() !== '');
  expect(three.heard()).toMatch(/^HTTP\/1.1 503 /);
  expect(three.heard()).toContain('retry-after: 1');
  for (const { socket } of [one, two]) socket.write('}');
  await until(() => one.heard() !== '' && two.heard() !== '');
  expect([one, two].map(({ heard }) => heard().slice(9, 12))).toEqual(['201', '201']);
  for (const { socket } of [one, two, three]) socket.destroy();
  const again = await dial(patient);
  again.socket.write(`${head}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
  await until(() => again.heard() !== '');
  expect(again.heard()).toMatch(/^HTTP\/1.1 201 /);
  again.socket.destroy();
});

test('large bodies that are sent compressed count as what they decode to', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const head = `POST /api/table/${table.tableId}/record HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${table.owner.token}\r\ncontent-type: application/json\r\n`;
  const text = JSON.stringify({ records: Array.from({ length: 4 }, () => ({ fields: { Name: 'x'.repeat(97_000) } })) });
  const body = gzipSync(text);
  const lines = [await dial(patient), await dial(patient), await dial(patient)] as const;
  // All but the checksum, so that each has decoded to everything and still waits.
  const send = (line: Line): unknown =>
    line.socket.write(
      Buffer.concat([
        Buffer.from(`${head}content-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`),
        body.subarray(0, -8),
      ]),
    );
  for (const line of lines.slice(0, 2)) send(line);
  await until(async () => (await figure('rowhouse_http_body_bytes', patient)) === 2 * text.length);
  send(lines[2]);
  await until(() => lines[2].heard() !== '');
  expect(lines[2].heard()).toMatch(/^HTTP\/1.1 503 /);
  for (const { socket } of lines.slice(0, 2)) socket.write(body.subarray(-8));
  await until(() => lines[0].heard() !== '' && lines[1].heard() !== '');
  expect(lines.slice(0, 2).map(({ heard }) => heard().slice(9, 12))).toEqual(['201', '201']);
  for (const { socket } of lines) socket.destroy();
});

test('anyone who does not take an answer is cut off', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Text', type: 'longText' }]);
  const params = { tableId: table.tableId };
  const records = Array.from({ length: 3 }, () => ({ fields: { Text: 'x'.repeat(100_000) } }));
  for (let count = 0; count < 10; count += 1)
    expect((await table.call(createRecords, { params, body: { records } })).status).toBe(201);
  const line = await dial();
  line.socket.pause();
  const get = `GET /api/table/${table.tableId}/record HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${table.owner.token}\r\n\r\n`;
  // More than the buffers of both sides take.
  for (let count = 0; count < 10; count += 1) line.socket.write(get);
  await until(() => !world().isConnected(line.socket));
  line.socket.resume();
  await line.closed;
  expect(line.heard().length).toBeLessThan(29_000_000);
});

test('an answer in many pieces arrives whole, and its connection goes on', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Text', type: 'longText' }]);
  const params = { tableId: table.tableId };
  const texts = Array.from({ length: 20 }, (_, at) => 'a'.repeat(at) + '😀ü€'.repeat(10_000));
  for (const Text of texts)
    expect((await table.call(createRecords, { params, body: { records: [{ fields: { Text } }] } })).status).toBe(201);
  const answer = await fetch(`${world().origin}/api/table/${table.tableId}/record`, {
    headers: { authorization: `Bearer ${table.owner.token}` },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(Number(answer.headers.get('content-length'))).toBe(bytes.length);
  const listed = JSON.parse(bytes.toString()) as { records: { fields: { Text: string } }[] };
  expect(listed.records.map(({ fields }) => fields.Text)).toEqual(texts);
  const head = await fetch(`${world().origin}/api/table/${table.tableId}/record`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${table.owner.token}` },
  });
  expect([head.status, Number(head.headers.get('content-length'))]).toEqual([200, bytes.length]);
});

// That one alone is cut off is the test above; the proof of overload has many of them.
onlyInProof(test)(
  'when too much stands unread, the deaf are cut off one by one while others come, and anyone who reads slowly is not',
  async () => {
    const table = await tableWith(await ground(world()), [{ name: 'Text', type: 'longText' }]);
    const params = { tableId: table.tableId };
    const records = Array.from({ length: 3 }, () => ({ fields: { Text: 'x'.repeat(100_000) } }));
    for (let count = 0; count < 27; count += 1)
      expect((await table.call(createRecords, { params, body: { records } })).status).toBe(201);
    const get = (take: number): string =>
      `GET /api/table/${table.tableId}/record?take=${take} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${table.owner.token}\r\nconnection: close\r\n\r\n`;
    const reader = await dial(patient);
    // Some of it, then nothing for a while: slow, and yet seen to read however busy the machine is.
    let untilPause = 0;
    reader.socket.pause().on('data', ({ length }) => {
      untilPause -= length;
      if (untilPause <= 0) reader.socket.pause();
    });
    const sips = setInterval(() => {
      untilPause = 196_608;
      reader.socket.resume();
    }, 100);
    // The system takes some megabytes ahead: nearly as much as an answer may be, so that the server still has the rest when the first of the deaf is cut off.
    reader.socket.write(get(80));
    await until(() => reader.heard() !== '');
    const deaf: Line[] = [];
    // Faster than one per second: each that comes must not give the earlier ones new time.
    while (deaf.length < 12 || (deaf.length < 60 && patient.isConnected((deaf[0] as Line).socket))) {
      const line = await dial(patient);
      line.socket.pause();
      line.socket.write(get(45));
      deaf.push(line);
      await new Promise((passed) => setTimeout(passed, 200));
    }
    deaf[0]?.socket.resume();
    await deaf[0]?.closed;
    expect(deaf[0]?.heard().length).toBeLessThan(9_000_000);
    clearInterval(sips);
    untilPause = Infinity;
    reader.socket.resume();
    await reader.closed;
    expect(reader.heard().length).toBeGreaterThan(16_000_000);
    for (const { socket } of deaf) socket.destroy();
  },
);

test('what is no HTTP is answered in the documented form', async () => {
  const line = await dial();
  line.socket.write('HELLO\r\n\r\n');
  await line.closed;
  expect(line.heard()).toMatch(/^HTTP\/1.1 400 /);
  expect(errorIn(line.heard())).toMatchObject({ status: 400, code: 'validation_error', requestId: expect.any(String) });
});

test('a server that is stopping is not ready, answers what it gets, and ends each connection with its answer', async () => {
  stopping.abort();
  const ready = await fetch(`${world().origin}/health/ready`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ code: 'service_unavailable' });
  const health = await fetch(`${world().origin}/health`);
  expect([health.status, health.headers.get('connection')]).toEqual([200, 'close']);
});
