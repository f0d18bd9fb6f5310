// Bodies that are sent compressed: decoded, or refused; limits count what they decode to.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { listRecords } from '@rowhouse/contract/record.ts';
import { beforeAll, expect, test } from 'vitest';
import { openWire } from '../../proof/wire.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useWorld } from '../support/world.ts';

const bodyLimit = 100_000;
const world = useWorld({ bodyLimit });
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
});

const bodyOf = (name: string): Buffer => Buffer.from(JSON.stringify({ records: [{ fields: { Name: name } }] }));

const path = (): string => `/table/${table.tableId}/record`;

const send = async (body: Buffer, encoding: string, more: Record<string, string> = {}) => {
  const response = await fetch(`${world().baseUrl}${path()}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${table.owner.token}`,
      'content-type': 'application/json',
      'content-encoding': encoding,
      ...more,
    },
    body: new Uint8Array(body),
  });
  return {
    status: response.status,
    accepted: response.headers.get('accept-encoding'),
    body: JSON.parse(await response.text()),
  };
};

const names = async (): Promise<unknown[]> =>
  (await table.call(listRecords, { params: table, query: { take: 1_000 } })).body.records.map(
    ({ fields }) => fields.Name,
  );

const encodings: [name: string, encode: (body: Buffer) => Buffer][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['identity', (body) => body],
];

test.each(encodings)('a body that is sent as %s is what it decodes to', async (encoding, encode) => {
  const answer = await send(encode(bodyOf(`sent as ${encoding}, ü`)), encoding);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  expect(answer.body.records[0].fields.Name).toBe(`sent as ${encoding}, ü`);
});

test.each(encodings.slice(3, 5))('a %s body may come in pieces, at any byte', async (encoding, encode) => {
  const body = encode(bodyOf('in pieces'));
  const head = [
    `POST /api${path()} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${table.owner.token}`,
    'content-type: application/json',
    `content-encoding: ${encoding}`,
    'transfer-encoding: chunked',
  ].join('\r\n');
  const chunks = [...body].map((byte) =>
    Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]),
  );
  const wire = openWire(world().origin, 5_000);
  const reply = await wire.send(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), ...chunks, Buffer.from('0\r\n\r\n')]));
  wire.close();
  expect(reply.status).toBe(201);
});

test.each([
  ['gzip', 'a plain body', bodyOf('no')],
  ['deflate', 'a plain body', bodyOf('no')],
  ['br', 'a plain body', bodyOf('no')],
  ['br', 'a gzip body', gzipSync(bodyOf('no'))],
  ['gzip', 'a body that ends too early', gzipSync(bodyOf('no')).subarray(0, -9)],
  ['br', 'a body that ends too early', brotliCompressSync(bodyOf('no')).subarray(0, -5)],
  ['gzip', 'a body with something behind it', Buffer.concat([gzipSync(bodyOf('no')), Buffer.from('more')])],
  ['deflate', 'a body with something behind it', Buffer.concat([deflateSync(bodyOf('no')), Buffer.from('more')])],
  ['br', 'a body with something behind it', Buffer.concat([brotliCompressSync(bodyOf('no')), Buffer.from('more')])],
  ['gzip', 'a body with a wrong checksum', Buffer.concat([gzipSync(bodyOf('no')).subarray(0, -8), Buffer.alloc(8, 7)])],
])('%s with %s is refused, and nothing is written', async (encoding, _what, body) => {
  const before = await names();
  expect(await send(body, encoding)).toMatchObject({
    status: 400,
    body: {
      code: 'validation_error',
      message: `Validation error: the body is not ${encoding}, as its Content-Encoding says`,
    },
  });
  expect(await names()).toEqual(before);
});

test.each(['zstd', 'compress', 'gzip, br', 'nonsense', 'constructor'])(
  'the encoding %s is not known: 415 says which are',
  async (encoding) => {
    const before = await names();
    const answer = await send(gzipSync(bodyOf('no')), encoding);
    expect(answer).toMatchObject({
      status: 415,
      accepted: 'gzip, deflate, br',
      body: { code: 'unsupported_media_type', message: expect.stringContaining('gzip, deflate or br') },
    });
    expect(await names()).toEqual(before);
  },
);

test.each(encodings.slice(0, 5))('the limit of a body counts what %s decodes to', async (encoding, encode) => {
  const body = Buffer.from(JSON.stringify({ records: [] }));
  const statuses = [];
  for (const size of [bodyLimit, bodyLimit + 1, 100 * bodyLimit])
    statuses.push((await send(encode(Buffer.from(body.toString().padEnd(size))), encoding)).status);
  expect(statuses).toEqual([201, 413, 413]);
});

test('a body that decodes to more and more is answered while it still comes', async () => {
  const bomb = gzipSync(Buffer.alloc(20 * bodyLimit));
  const head = [
    `POST /api${path()} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${table.owner.token}`,
    'content-type: application/json',
    'content-encoding: gzip',
    'transfer-encoding: chunked',
  ].join('\r\n');
  const wire = openWire(world().origin, 5_000);
  // The last chunk never comes.
  const reply = await wire.send(
    Buffer.concat([Buffer.from(`${head}\r\n\r\n${bomb.length.toString(16)}\r\n`), bomb, Buffer.from('\r\n')]),
  );
  expect(reply.status).toBe(413);
  expect((await wire.send(Buffer.from('GET /health HTTP/1.1\r\nhost: x\r\n\r\n'))).status).toBe(200);
  wire.close();
});

test('a request without a body may name an encoding', async () => {
  const response = await fetch(`${world().baseUrl}${path()}`, {
    headers: { authorization: `Bearer ${table.owner.token}`, 'content-encoding': 'gzip' },
  });
  expect(response.status).toBe(200);
});
