// Files become tables: CSV, TSV and XLSX.
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { analyzeImport, importRecords, importTables } from '@rowhouse/contract/import.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { getJob, type Job } from '@rowhouse/contract/job.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import * as teable from '@teable/openapi';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { workbook } from '../../server/domain/export/workbook.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
let on: TestTable;
const csvType = 'text/csv';
const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

beforeAll(async () => {
  on = (await ground(world())) as TestTable;
  teable.configApi({ endpoint: world().origin, token: on.owner.token });
});

const upload = async (bytes: Buffer | string, contentType = csvType, filename = 'people.v1.csv'): Promise<string> => {
  const body = Buffer.from(bytes as string);
  const { body: signed } = await on.call(createFileSignature, { body: { contentType, contentLength: body.length, type: 5 } });
  expect((await fetch(signed.url, { method: 'PUT', body, headers: { 'content-type': contentType } })).status).toBe(200);
  return (await on.call(notifyFile, { params: { token: signed.token }, query: { filename } })).body.presignedUrl;
};

const ended = async (headers: Headers): Promise<Job[]> => {
  const ids = (headers.get('x-job-id') as string).split(', ');
  return vi.waitFor(async () => {
    const jobs = await Promise.all(ids.map(async (jobId) => (await on.call(getJob, { params: { jobId } })).body));
    if (jobs.some(({ state }) => state === 'waiting' || state === 'running')) throw new Error(JSON.stringify(jobs));
    return jobs;
  }, { timeout: 20_000, interval: 20 });
};

const cellsOf = async (tableId: string): Promise<Record<string, unknown>[]> => (await on.call(listRecords, { params: { tableId }, query: { take: 2_000 } })).body.records.map(({ fields }) => fields);

const csv = 'Name,Age,Born,Member,Note\r\n"Ada, L.",36,1815-12-10,true,"two\nlines"\r\nGrace,85,1906-12-09,false,\r\n,,,,\r\nItem 1,,,,\r\n';

const analyzed = async (url: string, fileType: 'csv' | 'excel') => (await on.call(analyzeImport, { query: { attachmentUrl: url, fileType } })).body.worksheets;

describe('into new tables', () => {
  test('as the official client of Teable does it', async () => {
    const url = await upload(csv);
    const { data: { worksheets } } = await teable.analyzeFile({ attachmentUrl: url, fileType: teable.SUPPORTEDTYPE.CSV });
    const [key, sheet] = Object.entries(worksheets)[0] as [string, (typeof worksheets)[string]];
    expect([key, sheet.name, sheet.columns]).toEqual(['Import Table', 'people', [
      { name: 'Name', type: 'singleLineText' }, { name: 'Age', type: 'number' }, { name: 'Born', type: 'date' }, { name: 'Member', type: 'checkbox' }, { name: 'Note', type: 'longText' },
    ]]);
    const made = await teable.importTableFromFile(on.baseId, {
      attachmentUrl: url, fileType: teable.SUPPORTEDTYPE.CSV, tz: 'Europe/Berlin',
      worksheets: { [key]: { name: sheet.name, columns: sheet.columns.map((column, sourceColumnIndex) => ({ ...column, sourceColumnIndex })), useFirstRowAsHeader: true, importData: true } },
    } as never);
    expect([made.status, made.data.map(({ name, records, fields }) => [name, records, fields.map(({ type }) => type)])]).toEqual([201, [['people', [], ['singleLineText', 'number', 'date', 'checkbox', 'longText']]]]);
    const [job] = await ended(new Headers({ 'x-job-id': made.headers['x-job-id'] as string }));
    expect(job).toMatchObject({ state: 'done', kind: 'import-records', progress: { done: 3 }, result: { records: 3, misfitCount: 0 } });
    expect(await cellsOf(made.data[0]?.id as string)).toEqual([
      { Name: 'Ada, L.', Age: 36, Born: '1815-12-09T23:06:32.000Z', Member: true, Note: 'two\nlines' },
      { Name: 'Grace', Age: 85, Born: '1906-12-08T23:00:00.000Z' },
      { Name: 'Item 1' },
    ]);
  });

  test('XLSX: sheets, dates, numbers, truth values and texts', async () => {
    const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    async function* rows() {
      yield Buffer.from(`<row r="1">${['Name', 'When', 'At', 'Count', 'Yes', 'Result'].map(cell).join('')}</row>`);
      yield Buffer.from(`<row r="2">${cell('a &amp; b')}<c s="1"><v>45351</v></c><c s="2"><v>45351.75</v></c><c><v>0.30000000000000004</v></c><c t="b"><v>1</v></c><c t="str"><f>A1&amp;"x"</f><v>Namex</v></c></row>`);
      yield Buffer.from('<row r="3"/><row r="4"><c r="A4" t="inlineStr"><is><r><t>rich </t></r><r><t>text</t></r></is></c><c r="D4"><v>7</v></c><c r="E4" t="e"><v>#REF!</v></c></row>');
    }
    const pieces: Buffer[] = [];
    for await (const piece of workbook('My: sheet', rows())) pieces.push(piece);
    const url = await upload(Buffer.concat(pieces), xlsxType, 'book.xlsx');
    const worksheets = await analyzed(url, 'excel');
    expect(worksheets).toMatchObject({
      'My  sheet': {
        name: 'My  sheet',
        columns: [{ name: 'Name', type: 'singleLineText' }, { name: 'When', type: 'date' }, { name: 'At', type: 'date' }, { name: 'Count', type: 'number' }, { name: 'Yes', type: 'checkbox' }, { name: 'Result', type: 'singleLineText' }],
        sample: [['Name', 'When', 'At', 'Count', 'Yes', 'Result'], ['a & b', '2024-02-29', '2024-02-29 18:00:00', '0.30000000000000004', 'true', 'Namex'], ['rich text', '', '', '7']],
      },
    });
    const sheet = worksheets['My  sheet'] as (typeof worksheets)[string];
    const made = await on.call(importTables, {
      params: on,
      body: { attachmentUrl: url, fileType: 'excel', tz: 'UTC', worksheets: { 'My  sheet': { name: 'Sheet', columns: sheet.columns.map((column, sourceColumnIndex) => ({ ...column, sourceColumnIndex })), useFirstRowAsHeader: true, importData: true } } },
    });
    await ended(made.headers);
    expect(await cellsOf(made.body[0]?.id as string)).toEqual([
      { Name: 'a & b', When: '2024-02-29T00:00:00.000Z', At: '2024-02-29T18:00:00.000Z', Count: 0.30000000000000004, Yes: true, Result: 'Namex' },
      { Name: 'rich text', Count: 7 },
    ]);
  });

  test('without rows, with the default fields, or not at all', async () => {
    const url = await upload('a\tb\n1\t2\n', 'text/tab-separated-values', 'x.tsv');
    expect((await analyzed(url, 'csv'))['Import Table']?.columns).toEqual([{ name: 'a', type: 'number' }, { name: 'b', type: 'number' }]);
    const ask = (worksheet: object, more: object = {}) =>
      on.call(importTables, { params: on, body: { attachmentUrl: url, fileType: 'csv', tz: 'UTC', worksheets: { 'Import Table': { name: 'T', useFirstRowAsHeader: true, importData: true, columns: [{ name: 'a', type: 'number', sourceColumnIndex: 0 }], ...worksheet } }, ...more } as never });
    const bare = await ask({ importData: false });
    expect([bare.status, bare.headers.get('x-job-id'), await cellsOf(bare.body[0]?.id as string)]).toEqual([201, null, []]);
    expect((await ask({ columns: [] })).body[0]?.fields.map(({ name }) => name)).toEqual(['Name', 'Count', 'Status']);
    expect((await ask({ columns: [{ name: 'a', type: 'formula', sourceColumnIndex: 0 }] })).status).toBe(400);
    expect((await ask({}, { tz: 'Nowhere/Land' })).status).toBe(201);
    for (const attachmentUrl of ['https://example.com/x.csv', url.replace(/.$/, '_'), 'nonsense']) expect((await ask({}, { attachmentUrl })).status).toBe(400);
    const plain = await upload('a,b', 'text/plain', 'x.txt');
    expect((await on.call(analyzeImport, { query: { attachmentUrl: plain, fileType: 'csv' } })).status).toBe(400);
    const broken = await upload('not a workbook', xlsxType, 'x.xlsx');
    expect((await on.call(analyzeImport, { query: { attachmentUrl: broken, fileType: 'excel' } })).status).toBe(400);
    const missing = await ask({ name: 'U' });
    await ended(missing.headers);
    // A sheet that the file does not have.
    const wrong = await on.call(importTables, { params: on, body: { attachmentUrl: url, fileType: 'csv', tz: 'UTC', worksheets: { Other: { name: 'O', useFirstRowAsHeader: true, importData: true, columns: [{ name: 'a', type: 'number', sourceColumnIndex: 0 }] } } } });
    expect((await ended(wrong.headers))[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('no sheet') });
  });
});

describe('into a table', () => {
  const into = async (table: TestTable, url: string, map: Record<string, number | null>, excludeFirstRow = true) =>
    table.call(importRecords, { params: table, body: { attachmentUrl: url, fileType: 'csv', insertConfig: { sourceWorkSheetKey: 'Import Table', excludeFirstRow, sourceColumnMap: map } } });

  test('adds rows in many transactions, tells what did not fit, and is undone by its operations', async () => {
    const table = await tableWith(on, [{ name: 'Name', type: 'singleLineText' }, { name: 'N', type: 'number' }, { name: 'S', type: 'singleSelect', options: { choices: [{ name: 'x' }] } }, { name: 'D', type: 'number', options: { defaultValue: 5 } }]);
    await table.call(createRecords, { params: table, body: { records: [{ fields: { Name: 'before' } }] } });
    const lines = Array.from({ length: 12_000 }, (_, at) => `n${at},${at % 1_000 === 7 ? 'many' : at},${at % 3 === 0 ? 'x' : `c${at % 5}`}`);
    const url = await upload(`Name,N,S\n${lines.join('\n')}\n`);
    const { Name, N, S } = table.fieldIds as Record<string, string>;
    const answer = await into(table, url, { [Name as string]: 0, [N as string]: 1, [S as string]: 2 });
    expect([answer.status, answer.body]).toEqual([200, undefined]);
    const [job] = await ended(answer.headers);
    expect(job).toMatchObject({ state: 'done', progress: { done: 12_000 } });
    const result = job?.result as { misfits: object[]; misfitCount: number; operationIds: string[] };
    expect([result.misfitCount, result.misfits[1], result.operationIds.length]).toEqual([12, { row: 1_009, field: 'N', value: 'many' }, 3]);
    const first = await cellsOf(table.tableId);
    expect(first.slice(0, 3)).toEqual([{ Name: 'before', D: 5 }, { Name: 'n0', N: 0, S: 'x', D: 5 }, { Name: 'n1', N: 1, S: 'c1', D: 5 }]);
    for (const operationId of result.operationIds) expect((await table.call(restoreHistory, { params: table, body: { operationId } })).status).toBe(200);
    expect(await cellsOf(table.tableId)).toHaveLength(1);
  });

  test('a file that an exported cell mentions is used by the records it is imported into', async () => {
    const table = await tableWith(on, [{ name: 'Name', type: 'singleLineText' }, { name: 'Files', type: 'attachment' }]);
    const text = Buffer.from('kept');
    const { token, url: where } = (await on.call(createFileSignature, { body: { contentType: 'text/plain', contentLength: text.length, type: 1 } })).body;
    await fetch(where, { method: 'PUT', body: text, headers: { 'content-type': 'text/plain' } });
    await on.call(notifyFile, { params: { token }, query: { filename: 'notes.txt' } });
    const url = await upload(`one,notes.txt (${token})\n`);
    const [job] = await ended((await into(table, url, { [table.fieldIds['Name'] as string]: 0, [table.fieldIds['Files'] as string]: 1 }, false)).headers);
    expect(job).toMatchObject({ state: 'done', result: { records: 1, misfitCount: 0 } });
    expect(await cellsOf(table.tableId)).toMatchObject([{ Name: 'one', Files: [{ name: 'notes.txt', token }] }]);
    // What nobody uses is removed after a day.
    expect(await world().db.query(sql`select base_id as "baseId" from rowhouse.file_uses where token = ${token}`)).toEqual([{ baseId: table.baseId }]);
  });

  test('ends with the reason when a constraint refuses a row, and refuses what it cannot write', async () => {
    const table = await tableWith(on, [{ name: 'Name', type: 'singleLineText', unique: true }, { name: 'ID', type: 'autoNumber' }]);
    const name = table.fieldIds['Name'] as string;
    const url = await upload('a\nb\na\n');
    const [job] = await ended((await into(table, url, { [name]: 0 }, false)).headers);
    expect(job).toMatchObject({ state: 'failed', error: expect.stringMatching(/^Rows 1 to 3: .*must be unique/) });
    expect(await cellsOf(table.tableId)).toEqual([]);
    expect((await into(table, url, { fldNone: 0 })).status).toBe(400);
    expect((await into(table, url, { [table.fieldIds['ID'] as string]: 0 })).status).toBe(400);
    const elsewhere = await table.call(importRecords, { params: { ...table, baseId: 'bse0000000000000000' }, body: { attachmentUrl: url, fileType: 'csv', insertConfig: { sourceWorkSheetKey: 'Import Table', excludeFirstRow: true, sourceColumnMap: {} } } });
    expect(elsewhere.status).toBe(404);
  });
});
