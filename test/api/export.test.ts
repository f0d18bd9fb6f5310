// Tables as CSV, and with them answers and bodies that are streams.
import { removeSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { exportAuditLog } from '@rowhouse/contract/audit.ts';
import { endpoint, stream } from '@rowhouse/contract/endpoint.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { exportCsv } from '@rowhouse/contract/export.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { createView, setViewColumns, setViewFilter, setViewSort } from '@rowhouse/contract/view.ts';
import * as teable from '@teable/openapi';
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { selectDbTableName } from '../../server/domain/sql-access/reader.sql.ts';
import { openWorkbook } from '../../server/domain/import/read-xlsx.ts';
import { partLength } from '../../server/domain/export/export.sql.ts';
import { route, StreamAnswer } from '../../server/endpoint/route.ts';
import { createServer } from '../../server/http/server.ts';
import { fillTable } from '../support/large-table.sql.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
let table: TestTable;
let large: TestTable;
const many = 25_000;

beforeAll(async () => {
  table = await tableWith(await ground(world()));
  large = await tableWith(table, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Long', type: 'longText' },
  ]);
  const name = (await selectDbTableName(world().db, large.tableId)) as string;
  await fillTable(world().databaseUrl, { schema: large.baseId, table: name, column: 'Name' }, many);
  // 20 MB: more than sockets take without being read.
  await world().db.query(sql`update ${sql.id(large.baseId, name)} set "Long" = repeat('long ', 160)`);
});

const add = (fields: Record<string, unknown>[]) =>
  table.call(createRecords, {
    params: table,
    body: { typecast: true, records: fields.map((each) => ({ fields: each })) },
  });

const download = (tableId: string, token = table.owner.token): Promise<Response> =>
  fetch(`${world().baseUrl}/export/${tableId}`, { headers: { authorization: `Bearer ${token}` } });

test('as a workbook with numbers and dates, and as lines of JSON', async () => {
  const own = await tableWith(await ground(world()));
  await own.call(createRecords, {
    params: own,
    body: {
      typecast: true,
      records: [
        {
          fields: {
            Text: '=1+1',
            Long: 'a <b> & "c"\u0007\n',
            Number: -1.5,
            Rating: 3,
            Check: true,
            Date: '2024-02-29T23:30:00.000Z',
            Select: 'blue, navy',
            Tags: ['red', 'green'],
            Person: own.owner.email,
          },
        },
        { fields: { Date: '1815-12-10T00:00:00.000Z' } },
      ],
    },
  });
  const get = (format: string) =>
    fetch(`${world().baseUrl}/export/${own.tableId}?format=${format}`, {
      headers: { authorization: `Bearer ${own.owner.token}` },
    });
  const lines = (await (await get('jsonl')).text())
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toMatchObject([
    {
      Text: '=1+1',
      Number: -1.5,
      Check: true,
      Date: '2024-02-29T23:30:00.000Z',
      Tags: ['red', 'green'],
      Person: { id: own.owner.userId },
    },
    { Date: '1815-12-10T00:00:00.000Z' },
  ]);
  const answer = await get('xlsx');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename=Table.xlsx');
  const file = join(mkdtempSync(join(tmpdir(), 'export-')), 'a.xlsx');
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  const book = await openWorkbook(file);
  const rows: string[][] = [];
  for await (const some of book.rows(book.sheets[0] as (typeof book.sheets)[number])) rows.push(...some);
  book.close();
  rmSync(join(file, '..'), { recursive: true });
  expect(rows).toEqual([
    ['Text', 'Long', 'Number', 'Rating', 'Check', 'Date', 'Select', 'Tags', 'Person', 'People'],
    // The time zone of the field.
    ['=1+1', 'a <b> & "c"', '-1.5', '3', 'true', '2024-03-01 00:30:00', 'blue, navy', 'red, green', 'Olive Owner'],
    ['', '', '', '', '', '1815-12-10 00:53'],
  ]);
  const empty = await tableWith(own, [{ name: 'Name', type: 'singleLineText' }]);
  expect(
    await (
      await fetch(`${world().baseUrl}/export/${empty.tableId}?format=jsonl`, {
        headers: { authorization: `Bearer ${own.owner.token}` },
      })
    ).text(),
  ).toBe('');
});

test('a table is exported as a person sees it, and the official client of Teable gets it', async () => {
  await add([
    {
      Text: 'plain',
      Long: 'two\nlines',
      Number: -1.5,
      Rating: 3,
      Check: true,
      Date: '2024-02-29T23:30:00.000Z',
      Select: 'blue, navy',
      Tags: ['red', 'green'],
      Person: table.owner.email,
    },
    { Text: '=HYPERLINK("x")', Long: '@me', Select: 'with "quotes"' },
    { Text: '+49 (30) 123-45', Long: '-2+3', Tags: ['green'] },
    {},
  ]);
  teable.configApi({ endpoint: world().origin, token: table.owner.token });
  const { data, headers } = await teable.exportCsvFromTable(table.tableId);
  expect((data as string).replace(/^\uFEFF/, '').split('\r\n')).toEqual([
    'Text,Long,Number,Rating,Check,Date,Select,Tags,Person,People',
    'plain,"two\nlines",-1.50,3,true,2024-03-01 00:30,"blue, navy","red, green",Olive Owner,',
    `"'=HYPERLINK(""x"")",'@me,,,,,"with ""quotes""",,,`,
    "+49 (30) 123-45,'-2+3,,,,,,green,,",
    ',,,,,,,,,',
  ]);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(headers['content-disposition']).toBe('attachment; filename=Table.csv');
  const bytes = Buffer.from(await (await download(table.tableId)).arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const log = await table.call(exportAuditLog, { params: table, query: { format: 'csv', action: 'table.exported' } });
  expect(String(log.body).match(/table\.exported/g)).toHaveLength(2);
});

test('a view is exported with its filter, sort and columns, and only a grid', async () => {
  const { body: view } = await table.call(createView, { params: table, body: { type: 'grid', name: 'Für dich' } });
  const place = { params: { tableId: table.tableId, viewId: view.id } };
  const id = (name: string): string => table.fieldIds[name] as string;
  await table.call(setViewFilter, {
    ...place,
    body: { filter: { conjunction: 'and', filterSet: [{ fieldId: id('Text'), operator: 'isNotEmpty', value: null }] } },
  });
  await table.call(setViewSort, {
    ...place,
    body: {
      sort: {
        sortObjs: [
          { fieldId: id('Number'), order: 'desc' },
          { fieldId: id('Tags'), order: 'desc' },
        ],
      },
    },
  });
  const hidden = ['Long', 'Rating', 'Check', 'Date', 'Select', 'Person', 'People'].map((name) => ({
    fieldId: id(name),
    columnMeta: { hidden: true },
  }));
  await table.call(setViewColumns, { ...place, body: [...hidden, { fieldId: id('Tags'), columnMeta: { order: -5 } }] });
  const { body, headers } = await table.call(exportCsv, { params: table, query: { viewId: view.id } });
  expect(
    String(body)
      .replace(/^\uFEFF/, '')
      .split('\r\n'),
  ).toEqual(['Text,Tags,Number', 'plain,"red, green",-1.50', '+49 (30) 123-45,green,', `"'=HYPERLINK(""x"")",,`]);
  expect(headers.get('content-disposition')).toBe(`attachment; filename=${encodeURIComponent('Table_Für dich')}.csv`);

  const { body: board } = await table.call(createView, {
    params: table,
    body: { type: 'kanban', name: 'Board', options: { stackFieldId: id('Select') } },
  });
  const refused = await table.call(exportCsv, { params: table, query: { viewId: board.id } });
  expect([refused.status, refused.error.message]).toEqual([400, expect.stringContaining('kanban')]);
  expect((await table.call(exportCsv, { params: table, query: { viewId: 'viwNope' } })).status).toBe(404);
  const empty = await tableWith(table, [{ name: '=Name', type: 'singleLineText' }]);
  expect((await table.call(exportCsv, { params: empty })).body).toBe("'=Name");
});

test('a calendar view is exported as events, whole days or times, for any calendar to read', async () => {
  const dates = (time: string, timeZone: string) => ({ formatting: { date: 'YYYY-MM-DD', time, timeZone } });
  const own = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Day', type: 'date', options: dates('None', 'America/New_York') },
    { name: 'Last', type: 'date', options: dates('None', 'America/New_York') },
    { name: 'From', type: 'date', options: dates('HH:mm', 'Europe/Berlin') },
    { name: 'To', type: 'date', options: dates('HH:mm', 'Europe/Berlin') },
    { name: 'Note', type: 'longText' },
    { name: 'Secret', type: 'singleLineText' },
  ]);
  const id = (name: string): string => own.fieldIds[name] as string;
  const name = `Größe; 1, 2 \\ 3 ${'😀'.repeat(40)}`;
  const { body: made } = await own.call(createRecords, {
    params: own,
    body: {
      records: [
        {
          fields: {
            Name: name,
            Day: '2024-03-01T04:30:00.000Z',
            Last: '2024-03-03T05:00:00.000Z',
            From: '2024-03-31T00:30:00.000Z',
            To: '2024-03-31T01:30:00.000Z',
            Note: 'one\ntwo',
            Secret: 'x',
          },
        },
        {
          fields: {
            Name: 'backwards',
            Day: '2024-03-05T05:00:00.000Z',
            Last: '2024-03-01T05:00:00.000Z',
            From: '2024-01-02T00:00:00.000Z',
            To: '2024-01-01T00:00:00.000Z',
          },
        },
        { fields: { Name: 'undated' } },
        { fields: { Day: '2024-12-31T05:00:00.000Z' } },
        { fields: { Name: 'filtered', Day: '2024-12-31T05:00:00.000Z' } },
      ],
    },
  });
  const view = async (options: object) => {
    const { body } = await own.call(createView, {
      params: own,
      body: {
        type: 'calendar',
        name: 'Plan',
        options,
        filter: { conjunction: 'and', filterSet: [{ fieldId: id('Name'), operator: 'isNot', value: 'filtered' }] },
        columnMeta: { [id('Note')]: { visible: true } },
      } as never,
    });
    const answer = await own.call(exportCsv, { params: own, query: { viewId: body.id, format: 'ics' } });
    return { ...answer, text: String(answer.body) };
  };
  /** Lines as a reader unfolds them, event by event. */
  const eventsIn = (text: string): Record<string, string>[] =>
    text
      .replaceAll('\r\n ', '')
      .split('BEGIN:VEVENT\r\n')
      .slice(1)
      .map((event) =>
        Object.fromEntries(
          (event.split('END:VEVENT')[0] as string)
            .trim()
            .split('\r\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
        ),
      );
  const days = await view({ startDateFieldId: id('Day'), endDateFieldId: id('Last') });
  expect([days.status, days.headers.get('content-type'), days.headers.get('content-disposition')]).toEqual([
    200,
    'text/calendar; charset=utf-8',
    'attachment; filename=Table_Plan.ics',
  ]);
  expect(days.text).toMatch(
    /^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\nPRODID:[^\r\n]+\r\n[^]*END:VEVENT\r\nEND:VCALENDAR\r\n$/,
  );
  for (const line of days.text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(days.text).not.toMatch(/[^\r]\n|\uFFFD|Secret/);
  const [first, second, third, ...rest] = eventsIn(days.text);
  const [record] = made.records;
  // 04:30 UTC is the day before in New York; the end is the first day after.
  expect(first).toEqual({
    UID: `${record?.id}-${id('Day')}@${new URL(world().origin).host}`,
    DTSTAMP: expect.stringMatching(/^\d{8}T\d{6}Z$/),
    CREATED: record?.createdTime?.replace(/[-:]|\.\d+/g, ''),
    'LAST-MODIFIED': first?.['DTSTAMP'],
    'DTSTART;VALUE=DATE': '20240229',
    'DTEND;VALUE=DATE': '20240304',
    SUMMARY: `Größe\\; 1\\, 2 \\\\ 3 ${'😀'.repeat(40)}`,
    DESCRIPTION: 'Note: one\\ntwo',
    URL: `${world().origin}/base/${own.baseId}/${own.tableId}?record=${record?.id}`,
    TRANSP: 'TRANSPARENT',
  });
  expect(second).toMatchObject({
    SUMMARY: 'backwards',
    'DTSTART;VALUE=DATE': '20240305',
    'DTEND;VALUE=DATE': '20240306',
  });
  expect([third, rest]).toEqual([
    expect.objectContaining({ SUMMARY: '', 'DTSTART;VALUE=DATE': '20241231', 'DTEND;VALUE=DATE': '20250101' }),
    [],
  ]);
  const times = eventsIn(
    (await view({ startDateFieldId: id('From'), endDateFieldId: id('To'), titleFieldId: id('Note') })).text,
  );
  expect(times).toEqual([
    expect.objectContaining({ SUMMARY: 'one\\ntwo', DTSTART: '20240331T003000Z', DTEND: '20240331T013000Z' }),
    expect.not.objectContaining({ DTEND: expect.anything() }),
  ]);
  const mixed = eventsIn((await view({ startDateFieldId: id('From'), endDateFieldId: id('Last') })).text);
  // A day that ends what begins at a time ends with its last moment, in New York.
  expect([times[0]?.['UID'], mixed[0]?.['DTEND'], mixed[1]?.['DTEND']]).toEqual([
    `${record?.id}-${id('From')}@${new URL(world().origin).host}`,
    undefined,
    '20240302T050000Z',
  ]);
  const [none, grid] = [
    await own.call(exportCsv, { params: own, query: { format: 'ics' } }),
    await own.call(exportCsv, { params: own, query: { format: 'ics', viewId: own.viewId } }),
  ];
  expect([none.status, none.error.message, grid.status, grid.error.message]).toEqual([
    400,
    expect.stringContaining('a view with dates'),
    400,
    expect.stringContaining('grid view'),
  ]);
});

/** Statements that the server has run by now. */
const statements = (): number => world().db.counters.statements;

test('25,000 records leave in parts, each made when the client has taken those before', async () => {
  const before = statements();
  const response = await download(large.tableId);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let [size, lines, largest] = [0, 0, 0];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    largest = Math.max(largest, value.length);
    for (const byte of value) if (byte === 10) lines += 1;
  }
  expect(lines).toBe(many);
  const parts = Math.ceil(size / partLength);
  expect(parts).toBeGreaterThan(50);
  // One statement for each part and one that finds no more; a few make the parts.
  expect(statements() - before).toBeLessThanOrEqual(parts + 12);
  expect(statements() - before).toBeGreaterThan(parts);
});

/** A download whose client reads nothing until it is told to, at the level of sockets: `fetch` reads ahead. */
const slowDownload = (token: string) =>
  new Promise<{ status: number; finish: () => Promise<number>; leave: () => void }>((done, fail) => {
    const url = new URL(`${world().baseUrl}/export/${large.tableId}`);
    const sent = httpRequest(url, { headers: { authorization: `Bearer ${token}` }, agent: false }, (response) => {
      response.pause();
      done({
        status: response.statusCode as number,
        leave: () => void sent.destroy(),
        finish: () =>
          new Promise((read, broken) => {
            let size = 0;
            response
              .on('data', (chunk: Buffer) => (size += chunk.length))
              .once('end', () => read(size))
              .once('error', broken)
              .resume();
          }),
      });
    });
    sent.once('error', fail).end();
  });

test('a client that does not read holds no lock and few connections, and one that leaves gives its own back', async () => {
  const slow = await Promise.all([slowDownload(table.owner.token), slowDownload(table.owner.token)]);
  const third = await download(large.tableId);
  expect([third.status, third.headers.get('retry-after')]).toEqual([503, '5']);
  // Parts that are made are those that sockets have room for.
  const before = statements();
  const size = Buffer.byteLength(await (await download(table.tableId)).text());
  expect(size).toBeGreaterThan(0);
  expect(statements() - before).toBeLessThan(5);
  expect((await table.call(createView, { params: large, body: { type: 'grid', name: 'Meanwhile' } })).status).toBe(201);
  for (const { leave } of slow) leave();
  await vi.waitFor(async () => expect((await download(large.tableId)).status).toBe(200), 50_000);
});

test('who loses access in the middle of a download gets no more of it, and no end that looks like one', async () => {
  const viewer = await member(world(), table.owner, table.spaceId, 'viewer');
  const going = await slowDownload(viewer.token);
  expect(going.status).toBe(200);
  await table.call(removeSpaceCollaborator, {
    params: table,
    query: { principalId: viewer.userId, principalType: 'user' } as never,
  });
  await expect(going.finish()).rejects.toThrow();
});

describe('streams of any endpoint', () => {
  const takeFile = endpoint({
    name: 'takeFile',
    method: 'POST',
    path: '/file',
    summary: '',
    tag: 'test',
    access: { on: 'user' },
    body: stream('application/octet-stream', { maxBytes: 3_000_000 }),
    status: 200,
    response: Type.Object({ size: Type.Integer(), sha256: Type.String(), pieces: Type.Integer() }),
  });
  const giveFile = endpoint({
    name: 'giveFile',
    method: 'GET',
    path: '/file/:kind',
    summary: '',
    tag: 'test',
    access: { on: 'user' },
    params: Type.Object({ kind: Type.String() }),
    status: 200,
    response: stream('application/octet-stream'),
  });
  const isGivenBack = vi.fn();
  async function* parts(kind: string): AsyncGenerator<Buffer> {
    try {
      if (kind === 'refused') throw new ApiError('conflict', 'Not now');
      yield Buffer.from('first');
      if (kind === 'broken') throw new Error('the disk is gone');
      for (let n = 0; kind === 'endless' || n < 1; n += 1) yield Buffer.alloc(100_000, 'x');
    } finally {
      isGivenBack();
    }
  }
  const read = { pieces: 0 };
  const app = () =>
    createServer(world().services, [
      route(takeFile, async (_context, { body }) => {
        const hash = createHash('sha256');
        let size = 0;
        read.pieces = 0;
        for await (const piece of body) {
          hash.update(piece);
          size += piece.length;
          read.pieces += 1;
        }
        return { size, sha256: hash.digest('hex'), pieces: read.pieces };
      }),
      route(giveFile, async (_context, { params }) => new StreamAnswer(parts(params.kind))),
    ]);
  let server: ReturnType<typeof app>;
  let origin: string;
  beforeAll(async () => {
    server = app();
    origin = await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    server.server.closeAllConnections();
    await server.close();
  });
  const send = (body: BodyInit | ReadableStream | undefined, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${origin}/api/file`, {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { authorization: `Bearer ${table.owner.token}`, 'content-type': 'application/octet-stream', ...headers },
    } as RequestInit);

  test('a body reaches its operation piece by piece, also a compressed one', async () => {
    const file = Buffer.alloc(2_500_000, 'abcdefgh');
    const sha256 = createHash('sha256').update(file).digest('hex');
    const taken = (await (await send(file)).json()) as { pieces: number };
    expect(taken).toMatchObject({ size: file.length, sha256 });
    expect(taken.pieces).toBeGreaterThan(10);
    expect(await (await send(gzipSync(file), { 'content-encoding': 'gzip' })).json()).toMatchObject({
      size: file.length,
      sha256,
    });
  });

  test('what is refused is refused before it is read: who, what type, how large', async () => {
    read.pieces = 0;
    const file = Buffer.alloc(2_500_000);
    expect((await send(file, { authorization: 'Bearer nobody' })).status).toBe(401);
    expect((await send(file, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await send(Buffer.alloc(3_000_001))).status).toBe(413);
    expect(read.pieces).toBe(0);
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(65_536)) });
    expect((await send(endless)).status).toBe(413);
    expect((await send(gzipSync(Buffer.alloc(30_000_000)), { 'content-encoding': 'gzip' })).status).toBe(413);
    expect((await send(undefined)).status).toBe(400);
  });

  const get = (kind: string): Promise<Response> =>
    fetch(`${origin}/api/file/${kind}`, { headers: { authorization: `Bearer ${table.owner.token}` } });

  test('an error before the first part is an answer, later it cuts the connection; what was held is given back', async () => {
    isGivenBack.mockClear();
    const refused = await get('refused');
    expect([refused.status, await refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'conflict', message: 'Not now' }),
    ]);
    expect(isGivenBack).toHaveBeenCalledTimes(1);
    const broken = await get('broken');
    expect(broken.status).toBe(200);
    await expect(broken.text()).rejects.toThrow();
    expect(isGivenBack).toHaveBeenCalledTimes(2);
    const whole = await get('whole');
    expect([whole.headers.get('content-type'), (await whole.text()).length]).toEqual([
      'application/octet-stream',
      100_005,
    ]);
    const left = await get('endless');
    await left.body?.cancel();
    await vi.waitFor(() => expect(isGivenBack).toHaveBeenCalledTimes(4), 50_000);
  });
});
