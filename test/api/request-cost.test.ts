// What a request may cost before anybody knows who sent it.
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { newId, randomText } from '@rowhouse/contract/id.ts';
import { pasteIntoRanges } from '@rowhouse/contract/selection.ts';
import { beforeAll, expect, test } from 'vitest';
import { cases, howMany } from '../support/cases.ts';
import { person } from '../support/people.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
});

const read = async (answer: Response): Promise<unknown> => answer.json();

test('a form of thousands of parameters is refused', async () => {
  for (const [path, unit] of [
    ['/oauth/access_token', 'a&'],
    ['/oauth/access_token', '&'],
    ['/oauth/revoke', 'a=1&b=2&'],
    ['/oauth/decision', 'a[]=&'],
  ] as const) {
    const answer = await fetch(`${world().baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: unit.repeat(65_000 / unit.length),
    });
    expect(await read(answer)).toMatchObject({
      status: 400,
      message: 'Validation error: the form has more than 100 parameters',
    });
  }
});

test('a query string of thousands of parameters is refused on every route', async () => {
  const query = Array.from({ length: 5_001 }, (_, at) => `a[${at}]`).join('&');
  for (const path of ['/health', '/api/auth/user', '/api/docs', `/api/table/${table.tableId}/record`, '/metrics']) {
    const answer = await fetch(`${world().origin}${path}?${query}`, {
      headers: { authorization: `Bearer ${table.owner.token}` },
    });
    expect([path, await read(answer)]).toMatchObject([
      path,
      { status: 400, message: 'Validation error: the query string has more than 5000 parameters' },
    ]);
  }
});

test('as many ids as an address has room for are all heard', async () => {
  const ids = Array.from({ length: 2_100 }, (_, at) => `rec${String(at).padStart(16, '0')}`);
  for (const key of ['recordIds', 'recordIds[]']) {
    const query = ids.slice(0, key === 'recordIds' ? 2_100 : 2_000).map((id) => `${key}=${id}`);
    const answer = await fetch(`${world().baseUrl}/table/${table.tableId}/record?${query.join('&')}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${table.owner.token}` },
    });
    expect(await read(answer)).toMatchObject({ status: 404, data: { total: query.length } });
  }
});

/** A request by hand, of which as much is sent as wanted. */
const dial = async (head: string): Promise<{ send(text: string): void; answer: Promise<string>; close(): void }> => {
  const { hostname, port } = new URL(world().origin);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  socket.write(`${head}\r\nhost: x\r\ncontent-type: application/json\r\n`);
  const answer = new Promise<string>((done) => {
    let heard = '';
    socket.on('error', () => undefined);
    socket.on('close', () => done(heard));
    socket.on('data', (piece) => {
      heard += String(piece);
      if (heard.includes('}')) done(heard);
    });
  });
  return { send: (text) => void socket.write(text), answer, close: () => void socket.destroy() };
};

const bearer = (token: string): string => `authorization: Bearer ${token}\r\n`;
const nobody = `teable_${newId('acc')}_${randomText(43)}`;
const recordPath = (): string => `/api/table/${table.tableId}/record`;

test('a large body is not waited for when nobody knows who sends it', async () => {
  const frames = [
    'content-length: 52000000\r\n\r\n',
    `transfer-encoding: chunked\r\n\r\n${(100_000).toString(16)}\r\n${' '.repeat(100_000)}\r\n`,
  ];
  for (const frame of frames) {
    const strangers: [string, number, string][] = [
      ['POST /api/auth/signin HTTP/1.1', 413, ''],
      ['POST /api/nothing HTTP/1.1', 413, ''],
      ['POST /api/oauth/access_token HTTP/1.1', 413, ''],
      ['POST /api/billing/stripe/webhook HTTP/1.1', 413, ''],
      [`POST ${recordPath()} HTTP/1.1`, 401, ''],
      [`POST ${recordPath()} HTTP/1.1`, 401, bearer(nobody)],
      ['POST /api/space HTTP/1.1', 401, bearer(nobody)],
      [`POST ${recordPath()} HTTP/1.1`, 404, bearer((await person(world())).token)],
    ];
    for (const [head, status, credential] of strangers) {
      const wire = await dial(head);
      wire.send(credential + frame);
      expect([head, (await wire.answer).slice(9, 12)]).toEqual([head, String(status)]);
      wire.close();
    }
  }
});

test('what a compressed body decodes to counts as well', async () => {
  const body = gzipSync(JSON.stringify({ email: 'x', password: 'x'.repeat(100_000) }));
  expect(body.length).toBeLessThan(1_000);
  const answer = await fetch(`${world().baseUrl}/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body,
  });
  expect(await read(answer)).toMatchObject({
    status: 413,
    message: 'Without a credential a request body must not be larger than 65536 bytes',
  });
});

test('a body of too many levels, keys or values is refused while it arrives', async () => {
  const parts = {
    'the body is nested more than 500 levels deep': '{"records":[{"fields":{"Name":'.padEnd(2_000, '['),
    'the body has an object of more than 10000 keys': `{"records":[{"fields":{${Array.from({ length: 10_001 }, (_, at) => `"${at}":1`).join()}`,
    'the body holds more than 3000000 values; send it in parts': `{"records":[${'{},'.repeat(1_000_000)}`,
  };
  for (const [message, part] of Object.entries(parts)) {
    const wire = await dial(`POST ${recordPath()} HTTP/1.1`);
    wire.send(`${bearer(table.owner.token)}content-length: 50000000\r\n\r\n${part}`);
    const answer = await wire.answer;
    expect(answer).toContain(`"message":"Validation error: ${message}"`);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    wire.close();
  }
});

test('large bodies of one person come one at a time, those of others beside them', async () => {
  const wide = JSON.stringify({ records: [{ fields: { Name: 'x'.repeat(1_500_000) } }] });
  const start = async (token: string, bytes: number) => {
    const wire = await dial(`POST ${recordPath()} HTTP/1.1`);
    wire.send(`${bearer(token)}content-length: ${wide.length}\r\n\r\n${wide.slice(0, bytes)}`);
    return wire;
  };
  const friend = await member(world(), table.owner, table.spaceId, 'editor');
  const first = await start(table.owner.token, 1_200_000);
  // Its turn has begun once a body of the same length by somebody else is through.
  expect(await (await start(friend.token, wide.length)).answer).toMatch(/^HTTP\/1.1 (201|400) /);
  const second = await start((await table.owner.withToken({ hasFullAccess: true })).token, wide.length);
  const small = await fetch(`${world().origin}${recordPath()}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${table.owner.token}`, 'content-type': 'application/json' },
    body: '{"records":[{"fields":{}}]}',
  });
  expect(small.status).toBe(201);
  expect(await (await start(friend.token, wide.length)).answer).toMatch(/^HTTP\/1.1 (201|400) /);
  const silent = Symbol('silent');
  expect(await Promise.race([second.answer, Promise.resolve(silent)])).toBe(silent);
  first.send(wide.slice(1_200_000));
  expect(await first.answer).toMatch(/^HTTP\/1.1 (201|400) /);
  expect(await second.answer).toMatch(/^HTTP\/1.1 (201|400) /);
  // One who goes away in the middle does not keep the others waiting.
  const gone = await start(table.owner.token, 1_200_000);
  const last = await start(table.owner.token, wide.length);
  gone.close();
  expect(await last.answer).toMatch(/^HTTP\/1.1 (201|400) /);
});

test('what is wrong in a large body is told as in a small one', async () => {
  const tell = async (count: number, wrong: unknown, at: number): Promise<unknown> => {
    const records: unknown[] = Array.from({ length: count }, () => ({ fields: {} }));
    records[at] = wrong;
    const answer = await fetch(`${world().origin}${recordPath()}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${table.owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ records }),
    });
    const { requestId: _, ...body } = (await answer.json()) as Record<string, unknown>;
    return body;
  };
  for (const wrong of cases([1, {}, null, [], { fields: 1 }], [{ fields: 1 }]))
    expect(await tell(100_000, wrong, 7)).toEqual(await tell(10, wrong, 7));
  const name = { name: 'x', scopes: Array.from({ length: 100_000 }, () => 'a'), expiredTime: '2100-01-01' };
  const answer = await fetch(`${world().baseUrl}/access-token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${table.owner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(name),
  });
  expect(await read(answer)).toMatchObject({
    status: 400,
    message: 'Validation error: Expected at most 200 item(s) at "scopes"',
  });
});

test('a filter is counted while it is read, in either language and also what is no condition', async () => {
  const ask = async (params: Record<string, unknown>): Promise<unknown> => {
    const headers = { authorization: `Bearer ${table.owner.token}`, 'content-type': 'application/json' };
    const saved = (await read(
      await fetch(`${world().baseUrl}/query-params`, { method: 'POST', headers, body: JSON.stringify({ params }) }),
    )) as { queryId: string };
    return read(await fetch(`${world().baseUrl}/table/${table.tableId}/record?queryId=${saved.queryId}`, { headers }));
  };
  const messageOf = (message: string): object => ({
    status: 400,
    code: 'validation_error',
    message: expect.stringContaining(message) as unknown,
  });
  expect(await ask({ filterByTql: `${'{Name}="" or '.repeat(15_000)}{Name}=""` })).toMatchObject(
    messageOf('A filter may have at most 1000 conditions'),
  );
  const group = (filterSet: unknown[]): object => ({ conjunction: 'and', filterSet });
  expect(
    await ask({
      filter: JSON.stringify(
        group(Array.from({ length: 4 }, () => group(Array.from({ length: 1_000 }, () => group([]))))),
      ),
    }),
  ).toMatchObject(messageOf('A filter may have at most 2000 conditions and groups'));
});

test('what is pasted is counted before it is made as wide as its widest row', async () => {
  const paste = (content: string | unknown[]) =>
    table.call(pasteIntoRanges, {
      params: { tableId: table.tableId },
      body: {
        viewId: table.viewId,
        ranges: [
          [0, 0],
          [0, 0],
        ],
        content,
      } as never,
    });
  for (const content of [
    'a\n'.repeat(howMany(1_000_000, 300_000)),
    '\t'.repeat(howMany(1_000_000, 300_000)),
    `${'\t'.repeat(100_000)}${'\n'.repeat(100_000)}`,
  ]) {
    const { status, error } = await paste(content);
    expect({ status, error }).toMatchObject({
      status: 400,
      error: { message: expect.stringContaining('Exceed max paste cells') },
    });
  }
  expect(await paste([])).toMatchObject({
    status: 400,
    error: { message: expect.stringContaining('nothing to paste') },
  });
});
