// Listeners that do not read: what they cost is bounded, and no writer waits for them.
import { connect, type Socket } from 'node:net';
import { createRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { expect, test } from 'vitest';
import { figure } from '../support/figures.ts';
import { listen } from '../support/listen.ts';
import { openWorkshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';

// Of its own: it counts the streams of the server.
const world = useWorld();

/** Asks for a stream, reads its first bytes, and then no more. */
const listenAndForget = (path: string, token: string): Promise<Socket> =>
  new Promise((ready, fail) => {
    const { hostname, port } = new URL(world().origin);
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n\r\n`),
    );
    let head = '';
    const hear = (chunk: Buffer): void => {
      head += chunk.toString();
      if (!head.includes('event: ready')) return;
      socket.off('data', hear).pause();
      ready(socket);
    };
    socket.on('data', hear).once('error', fail);
  });

/** Reads what is left; answers how much it was when the stream has ended. */
const readOut = (socket: Socket): Promise<number> =>
  new Promise((done) => {
    let length = 0;
    socket.on('error', () => undefined);
    socket.once('close', () => done(length));
    socket.on('data', (chunk) => {
      length += chunk.length;
    });
    socket.resume();
  });

const streams = (): Promise<number> => figure(world().origin, 'rowhouse_live_streams');

test('a listener that stops reading is cut off, while writers go on and others hear everything', async () => {
  const { owner, table } = await openWorkshop(world());
  const made = await table({ records: [], fields: [{ name: 'Name', type: 'singleLineText' }] });
  const params = { tableId: made.id };
  const created = await owner.call(createRecords, {
    params,
    body: { records: Array.from({ length: 50 }, () => ({ fields: {} })) },
  });
  const ids = created.body.records.map(({ id }) => id);
  const path = `/api/table/${made.id}/events?values=true`;
  const slow = await Promise.all(Array.from({ length: 5 }, () => listenAndForget(path, owner.token)));
  const good = await listen(`${world().origin}${path}`, { token: owner.token });
  await good.until((event) => event.name === 'ready');
  expect(await streams()).toBe(6);

  // Some 200 kB of events each: more than the buffers of the sockets take in the end.
  const written: string[] = [];
  let sent = 0;
  while ((await streams()) > 1) {
    const text = `${written.length} `.repeat(2_000).slice(0, 4_000);
    const outcome = await owner.call(updateRecords, {
      params,
      body: { records: ids.map((id) => ({ id, fields: { Name: text } })) },
    });
    expect(outcome.status).toBe(200);
    written.push(outcome.headers.get('x-operation-id') as string);
    sent += 50 * text.length;
    expect(written.length).toBeLessThan(1_000);
  }
  await good.until((event) => event.data.operationId === written.at(-1));
  expect(good.heard.filter((event) => event.name === 'records.updated').map((event) => event.data.operationId)).toEqual(
    written,
  );
  for (const length of await Promise.all(slow.map(readOut))) expect(length).toBeLessThan(sent);

  // It comes back, and is answered.
  const back = await listen(`${world().origin}${path}`, { token: owner.token, lastEventId: good.lastId() });
  await back.until((event) => event.name === 'ready');
  for (const ear of [good, back]) ear.close();
});

test('a listener that vanishes is forgotten', async () => {
  const { owner, table } = await openWorkshop(world());
  const made = await table({ records: [] });
  const sockets = await Promise.all(
    Array.from({ length: 10 }, () => listenAndForget(`/api/table/${made.id}/events`, owner.token)),
  );
  await expect.poll(streams).toBe(10);
  for (const socket of sockets) socket.destroy();
  await expect.poll(streams).toBe(0);
});
