// Bodies of record writes that are too large or no proper JSON: refused in the documented form, and nothing happens.
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { beforeAll, expect, test } from 'vitest';
import { openWire, type Reply } from '../../proof/wire.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useWorld } from '../support/world.ts';

const bodyLimit = 100_000;
const world = useWorld({ bodyLimit });
let table: TestTable;
let recordId: string;
beforeAll(async () => {
  table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const made = await table.call(createRecords, {
    params: table,
    body: { records: [{ fields: { Name: 'as it was' } }] },
  });
  recordId = made.body.records[0]?.id as string;
});

const writes = (): [method: string, path: string][] => [
  ['POST', `/table/${table.tableId}/record`],
  ['PATCH', `/table/${table.tableId}/record`],
  ['PATCH', `/table/${table.tableId}/record/${recordId}`],
];

const head = (method: string, path: string, ...more: string[]): string =>
  [
    `${method} /api${path} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${table.owner.token}`,
    'content-type: application/json',
    ...more,
  ].join('\r\n') + '\r\n\r\n';

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

const expectUnchanged = async (): Promise<void> => {
  const { records } = (await table.call(listRecords, { params: table })).body;
  expect(records.map(({ fields }) => fields)).toEqual([{ Name: 'as it was' }]);
  expect(records[0]).not.toHaveProperty('lastModifiedTime');
};

const expectTooLarge = (reply: Reply): void => {
  expect(reply.status).toBe(413);
  const requestId = reply.headers.find(([name]) => name === 'x-request-id')?.[1];
  expect(JSON.parse(reply.body.toString())).toEqual({
    message: expect.stringContaining('larger than this server accepts'),
    status: 413,
    code: 'payload_too_large',
    requestId,
  });
};

const large = JSON.stringify({ records: [{ fields: { Name: 'x'.repeat(2 * bodyLimit) } }] });

test.each([
  ['whole, with its length', () => [`content-length: ${large.length}`], large],
  ['as a length alone, without the body', () => [`content-length: ${large.length}`], ''],
  [
    'in pieces',
    () => ['transfer-encoding: chunked'],
    `${chunk(large.slice(0, 60_000))}${chunk(large.slice(60_000, 130_000))}${chunk(large.slice(130_000))}0\r\n\r\n`,
  ],
  ['in pieces of which the last never comes', () => ['transfer-encoding: chunked'], chunk(large)],
])('a body over the limit is refused when it is sent %s', async (_how, headers, body) => {
  for (const [method, path] of writes()) {
    const wire = openWire(world().origin, 5_000);
    expectTooLarge(await wire.send(Buffer.from(head(method, path, ...headers()) + body)));
    // On the same connection, or on another if the server has closed it.
    expect((await wire.send(Buffer.from('GET /health HTTP/1.1\r\nhost: x\r\n\r\n'))).status).toBe(200);
    wire.close();
  }
  await expectUnchanged();
});

test('a body of just the limit is accepted, one byte more is not', async () => {
  const body = JSON.stringify({ records: [] });
  const statuses: number[] = [];
  for (const size of [bodyLimit, bodyLimit + 1]) {
    for (const framed of [`content-length: ${size}`, 'transfer-encoding: chunked']) {
      const wire = openWire(world().origin, 5_000);
      const text = body.padEnd(size);
      const sent = framed.startsWith('content') ? text : `${chunk(text)}0\r\n\r\n`;
      statuses.push(
        (await wire.send(Buffer.from(head('POST', `/table/${table.tableId}/record`, framed) + sent))).status,
      );
      wire.close();
    }
  }
  expect(statuses).toEqual([201, 201, 413, 413]);
});

const send = async (
  method: string,
  path: string,
  body: string | undefined,
  type: string | null = 'application/json',
) => {
  const response = await fetch(`${world().baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${table.owner.token}`, ...(type === null ? {} : { 'content-type': type }) },
    // Bytes, because a text would be given a type of its own.
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
  });
  return { status: response.status, id: response.headers.get('x-request-id'), body: JSON.parse(await response.text()) };
};

test.each([
  ['{', 'line 1, column 2'],
  ['{"records": [\n  {"fields": {}},\n]}', 'line 3, column 1'],
  ['{"records": []} x', 'line 1, column 17'],
  ["{'records': []}", 'line 1, column 2'],
  ['\u0000', 'line 1, column 1'],
])('what is no JSON, such as %j, is refused and the place is named', async (text, place) => {
  for (const [method, path] of writes()) {
    const answer = await send(method, path, text);
    expect(answer).toEqual({
      status: 400,
      id: expect.any(String),
      body: {
        message: `Validation error: the body is not valid JSON (${place})`,
        status: 400,
        code: 'validation_error',
        requestId: answer.id,
      },
    });
  }
  await expectUnchanged();
});

test.each([
  ['nothing', undefined, '', 'A JSON body is required'],
  ['an empty text', '', '', 'A JSON body is required'],
  ['null', 'null', '', 'A JSON body is required'],
  ['a text', '"records"', '', 'Expected object'],
  ['a number', '7', '', 'Expected object'],
  ['true', 'true', '', 'Expected object'],
  ['a list', '[{"fields":{}}]', '', 'Expected object'],
])('JSON that is no object is refused: %s', async (_what, text, path, message) => {
  for (const [method, address] of writes()) {
    const answer = await send(method, address, text);
    expect(answer).toMatchObject({
      status: 400,
      body: { status: 400, code: 'validation_error', requestId: answer.id, data: { issues: [{ path, message }] } },
    });
  }
  await expectUnchanged();
});

test.each([
  ['{}', ['records']],
  ['{"records":null}', ['records']],
  ['{"records":{}}', ['records']],
  ['{"records":[null]}', ['records[0]']],
  ['{"records":[{}]}', ['records[0].fields']],
  ['{"records":[{"fields":{}},{"fields":[]}]}', ['records[1].fields']],
  ['{"records":[{"fields":"x"}],"typecast":"yes"}', ['records[0].fields', 'typecast']],
  ['{"records":[],"fieldKeyType":"title"}', ['fieldKeyType']],
  ['{"records":[],"order":{"viewId":"v"}}', ['order.anchorId', 'order.position']],
])('a body of another form is refused, and every place in it named: %s', async (text, paths) => {
  const answer = await send('POST', `/table/${table.tableId}/record`, text);
  expect(answer).toMatchObject({ status: 400, body: { status: 400, code: 'validation_error' } });
  expect(answer.body.data.issues.map(({ path }: { path: string }) => path).sort()).toEqual(paths);
  await expectUnchanged();
});

test.each([
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'nonsense',
  null,
])('a body of the type %s is refused with 415', async (type) => {
  for (const [method, path] of writes()) {
    const answer = await send(method, path, '{"records":[{"fields":{"Name":"x"}}]}', type);
    expect(answer).toEqual({
      status: 415,
      id: expect.any(String),
      body: {
        message: 'Send the body as application/json',
        status: 415,
        code: 'unsupported_media_type',
        requestId: answer.id,
      },
    });
  }
  await expectUnchanged();
});

test('a refusal for the form of a body, or of one that is too large to be read for anybody, tells nothing of the table', async () => {
  const ask = async (tableId: string, body: string, type = 'application/json') => {
    const response = await fetch(`${world().baseUrl}/table/${tableId}/record`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: Buffer.from(body),
    });
    const { requestId: _, ...error } = JSON.parse(await response.text());
    return error;
  };
  for (const [body, type, status] of [
    ['{', 'application/json', 400],
    [large, 'application/json', 401],
    ['{}', 'text/csv', 415],
    ['{}', 'application/json', 401],
  ] as const) {
    const there = await ask(table.tableId, body, type);
    expect(there.status).toBe(status);
    expect(await ask('tblNowhere000000000', body, type)).toEqual(there);
  }
});

test('no body in no pieces is no body', async () => {
  const wire = openWire(world().origin, 5_000);
  const reply = await wire.send(
    Buffer.from(`${head('POST', `/table/${table.tableId}/record`, 'transfer-encoding: chunked')}0\r\n\r\n`),
  );
  expect(reply.status).toBe(400);
  expect(JSON.parse(reply.body.toString())).toMatchObject({
    code: 'validation_error',
    data: { issues: [{ path: '', message: 'A JSON body is required' }] },
  });
  wire.close();
});

test('JSON is JSON with a character set, too', async () => {
  const other = await tableWith(table, [{ name: 'Name', type: 'singleLineText' }]);
  expect(
    (
      await send(
        'POST',
        `/table/${other.tableId}/record`,
        '{"records":[{"fields":{"Name":"ü"}}]}',
        'application/json; charset=utf-8',
      )
    ).body.records[0].fields,
  ).toEqual({ Name: 'ü' });
});

test.each([
  ['9007199254740993', 'line 1, column 34'],
  ['-12345678901234567890', 'line 1, column 34'],
  ['\n  9007199254740993', 'line 2, column 3'],
])(
  'a whole number that cannot be kept exactly, such as %s, is refused and its place is named',
  async (literal, place) => {
    for (const typecast of [true, false]) {
      const answer = await send(
        'POST',
        `/table/${table.tableId}/record`,
        `{"records":[{"fields":{"Name":   ${literal}}}],"typecast":${typecast}}`,
      );
      expect(answer).toMatchObject({
        status: 400,
        body: {
          code: 'validation_error',
          message: `Validation error: the number ${literal.trim()} (${place}) cannot be kept exactly; send a number of at most 15 digits, or text`,
        },
      });
    }
    await expectUnchanged();
  },
);

test('a number that is larger than a number can be is refused, with typecast, too', async () => {
  for (const [literal, typecast] of [
    ['1e400', true],
    ['-1e309', true],
    ['1e400', false],
  ] as const) {
    const answer = await send(
      'POST',
      `/table/${table.tableId}/record`,
      `{"records":[{"fields":{"Name":${literal}}}],"typecast":${typecast}}`,
    );
    expect(answer).toMatchObject({
      status: 400,
      body: { data: { errors: [{ index: 0, field: 'Name', code: 'invalid_value' }] } },
    });
  }
  await expectUnchanged();
});

test('numbers as JavaScript writes them, and long digits in texts, are taken', async () => {
  const other = await tableWith(table, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'X', type: 'number' },
  ]);
  const values = [2 ** 53, 2 ** 64, -(2 ** 63), 1e21, 1e300, 0.1 + 0.2, 5e-324, Number.MAX_SAFE_INTEGER];
  const answer = await send(
    'POST',
    `/table/${other.tableId}/record`,
    JSON.stringify({ records: values.map((X) => ({ fields: { Name: '9007199254740993, 1e400', X } })) }),
  );
  expect(answer.status).toBe(201);
  expect(answer.body.records.map(({ fields }: { fields: { X: number } }) => fields.X)).toEqual(values);
});

test.each([
  ['a byte that begins no character', [0xff], 32],
  ['a character that is not finished', [0xc3], 32],
  ['half of a surrogate pair', [0xed, 0xa0, 0x80], 32],
  ['a character in more bytes than it needs', [0xc0, 0x80], 32],
])('broken UTF-8 is refused: %s', async (_what, bytes, place) => {
  const body = Buffer.concat([
    Buffer.from('{"records":[{"fields":{"Name":"'),
    Buffer.from(bytes),
    Buffer.from('ü"}}]}'),
  ]);
  for (const [method, path] of writes()) {
    const response = await fetch(`${world().baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${table.owner.token}`, 'content-type': 'application/json' },
      body: new Uint8Array(body),
    });
    expect(response.status).toBe(400);
    expect(JSON.parse(await response.text())).toMatchObject({
      code: 'validation_error',
      message: `Validation error: the body is not UTF-8 (at byte ${place})`,
    });
  }
  await expectUnchanged();
});
