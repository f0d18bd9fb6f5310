// Live documents over /socket, read with the client of the ShareDB library, which Teable's own SDK uses.
import { Agent, request } from 'node:http';
import { connect as openConnection } from 'node:net';
import { deleteAccessToken } from '@rowhouse/contract/access-token.ts';
import { removeSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { createField, deleteField, updateField } from '@rowhouse/contract/field.ts';
import { createRecords, deleteRecord, getRecord, updateRecord } from '@rowhouse/contract/record.ts';
import { disableShare, enableShare } from '@rowhouse/contract/share.ts';
import { createTable, deleteTable, renameTable } from '@rowhouse/contract/table.ts';
import { createView, renameView, setViewColumns, setViewFilter } from '@rowhouse/contract/view.ts';
import type { Doc, Query } from 'sharedb/lib/client/index.js';
import { afterEach, expect, test } from 'vitest';
import { person, type Person } from '../support/people.ts';
import { connect, type SocketClient, tryUpgrade } from '../support/socket.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { member } from '../support/workspace.ts';
import { openWorld, useWorld } from '../support/world.ts';

const world = useWorld();
const clients: SocketClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

const join = async (who: Pick<Person, 'token'>, at = world().origin): Promise<SocketClient> => {
  const client = await connect(at, { token: who.token });
  clients.push(client);
  return client;
};

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

const tableOf = async (): Promise<TestTable> =>
  tableWith(await ground(world()), [
    { name: 'Text', type: 'singleLineText' },
    { name: 'Secret', type: 'singleLineText' },
  ]);

const add = async ({ call, tableId }: TestTable, ...texts: string[]): Promise<string[]> =>
  must(
    await call(createRecords, {
      params: { tableId },
      body: { fieldKeyType: 'name', records: texts.map((Text) => ({ fields: { Text } })) },
    }),
  ).records.map(({ id }) => id);

const write = async ({ call, tableId }: TestTable, recordId: string, fields: Record<string, unknown>): Promise<void> =>
  void must(
    await call(updateRecord, { params: { tableId, recordId }, body: { fieldKeyType: 'name', record: { fields } } }),
  );

const within = { timeout: 10_000, interval: 10 };
const textsOf = ({ results }: Query, fieldId: string): unknown[] =>
  (results ?? []).map(({ data }) => (data as { fields: Record<string, unknown> } | undefined)?.fields[fieldId]);

test('a query of records sees what is created, changed, moved out of its filter and deleted', async () => {
  const table = await tableOf();
  const { call, tableId, fieldIds } = table;
  const text = fieldIds['Text'] as string;
  const [first] = (await add(table, 'a', 'b')) as [string];
  const client = await join(table.owner);
  const records = await client.query(`rec_${tableId}`, {
    filter: { conjunction: 'and', filterSet: [{ fieldId: text, operator: 'isNot', value: 'hidden' }] },
    orderBy: [{ fieldId: text, order: 'asc' }],
  });
  expect(textsOf(records, text)).toEqual(['a', 'b']);
  expect(records.results[0]?.data).toEqual(
    must(await call(getRecord, { params: { tableId, recordId: first }, query: { fieldKeyType: 'id' } })),
  );

  await add(table, 'aa');
  await expect.poll(() => textsOf(records, text), within).toEqual(['a', 'aa', 'b']);

  const doc = records.results[0] as Doc;
  const { version } = doc as unknown as { version: number };
  await write(table, first, { Text: 'c' });
  await expect.poll(() => textsOf(records, text), within).toEqual(['aa', 'b', 'c']);
  expect((doc as unknown as { version: number }).version).toBe(version + 1);
  expect(client.heard.find(({ a, d }) => a === 'op' && d === first)).toMatchObject({ v: version });
  await write(table, first, { Text: null });
  await expect.poll(() => doc.data.fields, within).toEqual({});
  expect((doc as unknown as { version: number }).version).toBe(version + 2);

  await write(table, first, { Text: 'hidden' });
  await expect.poll(() => textsOf(records, text), within).toEqual(['aa', 'b']);
  await write(table, first, { Text: 'd' });
  await expect.poll(() => textsOf(records, text), within).toEqual(['aa', 'b', 'd']);
  must(await call(deleteRecord, { params: { tableId, recordId: first } }));
  await expect.poll(() => textsOf(records, text), within).toEqual(['aa', 'b']);
});

test('a single record is followed until it is deleted', async () => {
  const table = await tableOf();
  const { call, tableId, fieldIds } = table;
  const [recordId, other] = (await add(table, 'a', 'b')) as [string, string];
  const client = await join(table.owner);
  const doc = await client.subscribe(`rec_${tableId}`, recordId);
  await write(table, other, { Text: 'x' });
  await write(table, recordId, { Text: 'y' });
  await expect.poll(() => doc.data?.fields[fieldIds['Text'] as string], within).toBe('y');
  expect(client.heard.filter(({ d }) => d === other)).toEqual([]);
  must(await call(deleteRecord, { params: { tableId, recordId } }));
  await expect.poll(() => doc.type, within).toBeNull();
  const absent = await client.subscribe(`rec_${tableId}`, 'recNONEnoneNONEnone');
  expect(absent.type).toBeNull();
});

test('fields, views and tables are documents, too', async () => {
  const table = await tableOf();
  const { call, tableId, baseId, viewId, fieldIds } = table;
  const client = await join(table.owner);
  const fields = await client.query(`fld_${tableId}`, { viewId });
  const views = await client.query(`viw_${tableId}`);
  const tables = await client.query(`tbl_${baseId}`);
  const records = await client.query(`rec_${tableId}`, { viewId });
  const namesOf = ({ results }: Query): unknown[] => results.map(({ data }) => (data as { name: string }).name);
  expect([namesOf(fields), namesOf(views), namesOf(tables)]).toEqual([['Text', 'Secret'], ['Grid view'], ['Table']]);

  const made = must(await call(createField, { params: { tableId }, body: { type: 'number', name: 'Number' } }));
  must(await call(updateField, { params: { tableId, fieldId: fieldIds['Secret'] as string }, body: { name: 'Open' } }));
  await expect.poll(() => namesOf(fields), within).toEqual(['Text', 'Open', 'Number']);
  must(await call(deleteField, { params: { tableId, fieldId: made.id } }));
  await expect.poll(() => namesOf(fields), within).toEqual(['Text', 'Open']);

  must(await call(createView, { params: { tableId }, body: { type: 'grid', name: 'Second' } }));
  must(await call(renameView, { params: { tableId, viewId }, body: { name: 'First' } }));
  await expect.poll(() => namesOf(views), within).toEqual(['First', 'Second']);

  const second = must(await call(createTable, { params: { baseId }, body: { name: 'More' } }));
  must(await call(renameTable, { params: { baseId, tableId }, body: { name: 'Renamed' } }));
  await expect.poll(() => namesOf(tables), within).toEqual(['Renamed', 'More']);
  must(await call(deleteTable, { params: { baseId, tableId: second.id } }));
  await expect.poll(() => namesOf(tables), within).toEqual(['Renamed']);

  // The filter of the view is that of the query.
  await add(table, 'a', 'b');
  await expect.poll(() => records.results.length, within).toBe(2);
  must(
    await call(setViewFilter, {
      params: { tableId, viewId },
      body: {
        filter: {
          conjunction: 'and',
          filterSet: [{ fieldId: fieldIds['Text'] as string, operator: 'is', value: 'b' }],
        },
      },
    }),
  );
  await expect.poll(() => textsOf(records, fieldIds['Text'] as string), within).toEqual(['b']);
});

test('a client goes on where it was when its server is gone, and hears of changes through another process', async () => {
  const table = await tableOf();
  const { tableId, fieldIds } = table;
  const text = fieldIds['Text'] as string;
  const [first, second, third] = (await add(table, 'a', 'b', 'c')) as [string, string, string];
  const before = await openWorld(world().databaseUrl);
  const client = await join(table.owner, before.origin);
  const records = await client.query(`rec_${tableId}`);
  const doc = await client.subscribe(`rec_${tableId}`, second);
  await write(table, first, { Text: 'A' });
  await expect.poll(() => textsOf(records, text), within).toEqual(['A', 'b', 'c']);
  const docs = [...records.results];
  await before.close();

  await write(table, first, { Text: 'AA' });
  await write(table, second, { Text: 'B' });
  must(await table.call(deleteRecord, { params: { tableId, recordId: third } }));
  await add(table, 'd');
  const after = await openWorld(world().databaseUrl);
  await client.rebind(after.origin);
  await expect.poll(() => textsOf(records, text), within).toEqual(['AA', 'B', 'd']);
  // The same objects: a program that holds one has not lost it.
  expect(records.results[0]).toBe(docs[0]);
  await write(table, second, { Text: 'BB' });
  await expect.poll(() => textsOf(records, text), within).toEqual(['AA', 'BB', 'd']);
  expect(doc.data?.fields[text]).toBe('BB');
  client.close();
  await after.close();
});

test('writes are refused, and the refusal says where to write', async () => {
  const table = await tableOf();
  const [recordId] = (await add(table, 'a')) as [string];
  const client = await join(table.owner);
  const doc = await client.subscribe(`rec_${table.tableId}`, recordId);
  const path = ['fields', table.fieldIds['Text'] as string];
  const refused = (act: (done: (error: unknown) => void) => void): Promise<unknown> =>
    new Promise((resolve) => act(resolve));
  const error = await refused((done) => doc.submitOp([{ p: path, oi: 'b' }], {}, done));
  expect(error).toMatchObject({ code: 'restricted_resource', message: expect.stringContaining('PATCH /api/table/') });
  expect(
    await refused((done) => client.connection.get(`rec_${table.tableId}`, 'recnew').create({}, done)),
  ).toMatchObject({
    code: 'restricted_resource',
  });
  expect(must(await table.call(getRecord, { params: { tableId: table.tableId, recordId }, query: {} })).fields).toEqual(
    { Text: 'a' },
  );
});

test('who has no access gets nothing; who loses it loses the documents at once', async () => {
  const table = await tableOf();
  const { tableId, baseId } = table;
  await add(table, 'a');
  const stranger = await join(await person(world()));
  for (const collection of [`rec_${tableId}`, `fld_${tableId}`, `viw_${tableId}`, `tbl_${baseId}`]) {
    await expect(stranger.query(collection)).rejects.toMatchObject({ code: 'not_found' });
    await expect(stranger.subscribe(collection, 'recNONEnoneNONEnone')).rejects.toMatchObject({ code: 'not_found' });
  }
  await expect(stranger.query('rec_nothing')).rejects.toMatchObject({ code: 'not_found' });
  expect(JSON.stringify(stranger.heard)).not.toContain('"data"');

  const guest = await member(world(), table.owner, table.spaceId, 'viewer');
  const client = await join(guest);
  const records = await client.query(`rec_${tableId}`);
  const tables = await client.query(`tbl_${baseId}`);
  expect([records.results.length, tables.results.length]).toEqual([1, 1]);
  must(
    await table.call(removeSpaceCollaborator, {
      params: table,
      query: { principalId: guest.userId, principalType: 'user' },
    }),
  );
  await expect.poll(() => [records.results.length, tables.results.length], within).toEqual([0, 0]);
  const heard = client.heard.length;
  await add(table, 'unseen');
  await expect
    .poll(async () => (await (await join(table.owner)).query(`rec_${tableId}`)).results.length, within)
    .toBe(2);
  expect(JSON.stringify(client.heard.slice(heard))).not.toContain('unseen');
});

test('the connection ends with its token', async () => {
  const table = await tableOf();
  const { id, token } = await table.owner.withToken({ hasFullAccess: true });
  const client = await join({ token });
  await client.query(`rec_${table.tableId}`);
  must(await table.call(deleteAccessToken, { params: { accessTokenId: id } }));
  expect(await client.closed).toMatchObject({ code: 1008 });
  expect(client.heard.at(-1)).toMatchObject({ error: { code: 'unauthorized' } });
});

test('visitors of a share see its view, its fields and its records, until it ends', async () => {
  const table = await tableOf();
  const { call, tableId, viewId, fieldIds } = table;
  const [first] = (await add(table, 'a')) as [string];
  must(
    await call(setViewColumns, {
      params: { tableId, viewId },
      body: [{ fieldId: fieldIds['Secret'] as string, columnMeta: { hidden: true } }],
    }),
  );
  const { shareId } = must(await call(enableShare, { params: { tableId, viewId } }));
  const visitor = await connect(world().origin, { shareId });
  clients.push(visitor);
  const records = await visitor.query(`rec_${tableId}`);
  const fields = await visitor.query(`fld_${tableId}`);
  expect(fields.results.map(({ id }) => id)).toEqual([fieldIds['Text']]);
  await write(table, first, { Secret: 'secret' });
  await write(table, first, { Text: 'b' });
  await expect.poll(() => textsOf(records, fieldIds['Text'] as string), within).toEqual(['b']);
  const doc = await visitor.subscribe(`rec_${tableId}`, first);
  expect(doc.data.fields).toEqual({ [fieldIds['Text'] as string]: 'b' });
  expect(JSON.stringify(visitor.heard)).not.toContain('secret');
  expect(JSON.stringify(visitor.heard)).not.toContain(fieldIds['Secret']);
  const other = await tableOf();
  await expect(visitor.query(`rec_${other.tableId}`)).rejects.toMatchObject({ code: 'not_found' });
  await expect(visitor.query(`tbl_${table.baseId}`)).rejects.toMatchObject({ code: 'not_found' });
  must(await call(disableShare, { params: { tableId, viewId } }));
  await expect.poll(() => records.results.length, within).toBe(0);
  expect((await tryUpgrade(world().origin, { shareId })).status).toBe(400);
});

test('people see who has the table open, and which cells they are in', async () => {
  const table = await tableOf();
  const { tableId } = table;
  const guest = await member(world(), table.owner, table.spaceId, 'editor');
  const open = async (who: Person) => {
    const client = await join(who);
    const seen: [string, any][] = [];
    for (const channel of [`__col_user_${tableId}`, `__col_cell_user_${tableId}`]) {
      const presence = client.connection.getPresence(channel);
      presence.on('receive', (id: string, value: unknown) =>
        seen.push([channel.replace(`_${tableId}`, ''), value ?? id]),
      );
      await new Promise<void>((done, failed) => presence.subscribe((error) => (error ? failed(error) : done())));
    }
    return { client, seen };
  };
  const mine = await open(table.owner);
  const theirs = await open(guest);
  await expect
    .poll(() => mine.seen.map(([, user]) => user.id), within)
    .toEqual(expect.arrayContaining([table.owner.userId, guest.userId]));
  const local = theirs.client.connection.getPresence(`__col_cell_user_${tableId}`).create('anything');
  await new Promise<void>((done) =>
    local.submit({ user: { id: 'somebody else' }, activeCellId: ['rec1', 'fld1'] }, () => done()),
  );
  await expect
    .poll(() => mine.seen.find(([channel]) => channel === '__col_cell_user')?.[1], within)
    .toMatchObject({ user: { id: guest.userId }, activeCellId: ['rec1', 'fld1'] });
  theirs.client.close();
  await expect.poll(() => mine.seen.at(-1)?.[1], { ...within, timeout: 15_000 }).toBe(`${tableId}_${guest.userId}`);
});

test('an upgrade needs a credential, and a cookie is only good for pages of this site', async () => {
  const { origin } = world();
  const someone = await person(world());
  const cookie = await someone.cookie();
  expect(await tryUpgrade(origin, {})).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  expect((await tryUpgrade(origin, { token: 'teable_accAAAAAAAAAAAAAAAA_AAAAAAAAAAAAAAAAAAAAAAAA' })).status).toBe(401);
  expect((await tryUpgrade(origin, { cookie, origin: 'https://evil.example' })).status).toBe(403);
  expect((await tryUpgrade(origin, { cookie, origin })).status).toBe(101);
  expect((await tryUpgrade(origin, { token: someone.token, origin: 'https://app.example' })).status).toBe(101);
  expect((await tryUpgrade(`${origin}/api`, { cookie, origin })).status).toBe(404);
});

test('an account has so many connections, a connection so many bytes in a message and so many subscriptions', async () => {
  const table = await tableOf();
  const small = await openWorld(world().databaseUrl, { streamsPerAccount: 1 });
  const client = await join(table.owner, small.origin);
  expect(await tryUpgrade(small.origin, { token: table.owner.token })).toMatchObject({
    status: 429,
    body: { code: 'too_many_requests' },
  });
  for (let made = 0; made < 100; made += 1) await client.query(`viw_${table.tableId}`);
  await expect(client.query(`viw_${table.tableId}`)).rejects.toMatchObject({ code: 'too_many_requests' });
  client.connection.send({ a: 'f', c: `rec_${table.tableId}`, d: 'x'.repeat(300_000) } as never);
  expect(await client.closed).toMatchObject({ code: 1009 });
  await expect
    .poll(async () => (await tryUpgrade(small.origin, { token: table.owner.token })).status, within)
    .toBe(101);
  await small.close();
});

test('what is not of the protocol is refused, and the server goes on', async () => {
  const table = await tableOf();
  const client = await join(table.owner);
  const send = (message: unknown): void => client.connection.send(message as never);
  for (const message of [
    { a: 'qs', id: 1 },
    { a: 'qs', id: 2, c: `rec_${table.tableId}`, q: { filter: 'no filter' } },
    { a: 'bs', c: `rec_${table.tableId}`, b: 7 },
    { a: 's', c: '__proto__', d: 'x' },
    { a: 'ps', ch: '__chat_1', seq: 1 },
    { a: 'p', ch: `__action_trigger_${table.tableId}`, id: 'x', p: [], pv: 1 },
    { a: 'nf', c: `rec_${table.tableId}`, d: 'rec1', v: 3 },
    { a: 'what' },
  ])
    send(message);
  await expect.poll(() => client.heard.filter(({ error }) => error).length, within).toBe(8);
  expect((await client.query(`viw_${table.tableId}`)).results.length).toBe(1);
  const raw = await join(table.owner);
  (raw.connection as unknown as { socket: { send(text: string): void } }).socket.send('null');
  expect(await raw.closed).toMatchObject({ code: 1007 });
});

test('a request that offers another protocol is answered as any other', async () => {
  const { owner } = await tableOf();
  const body = JSON.stringify({ name: 'Offered' });
  const { host } = new URL(world().origin);
  const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const asked = request(`http://${host}/api/space`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.token}`,
        'content-type': 'application/json',
        'content-length': body.length,
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: 'h2c',
        'http2-settings': 'AAEAAEAA',
      },
    });
    asked.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    asked.on('error', reject);
    asked.end(body);
  });
  expect(answer).toMatchObject({ status: 201 });
  expect(JSON.parse(answer.text)).toMatchObject({ name: 'Offered' });
});

test('its answer ends the connection, so that no number of offers wears it out', async () => {
  const { host, hostname, port } = new URL(world().origin);
  const offer = `GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n\r\n`;
  const ended = await new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = openConnection(Number(port), hostname, () => socket.write(offer.repeat(200)));
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
  // What is sent behind a request that ends its connection is refused, as it is without an offer.
  expect(ended.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1);
  expect(ended).toMatch(/^connection: close\r$/im);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let times = 0; times < 20; times += 1) {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAEAAEAA' };
      const asked = request(`http://${host}/health`, { agent, headers }, (response) =>
        response.resume().on('end', () => resolve(response.statusCode)),
      );
      asked.on('error', reject).end();
    });
    expect(status).toBe(200);
  }
  agent.destroy();
});
