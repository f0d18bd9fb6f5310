// Files become tables: CSV, TSV and XLSX.
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { analyzeImport, importRecords, importTables } from '@rowhouse/contract/import.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { cancelJob, continueJob, getJob, type Job, undoJob } from '@rowhouse/contract/job.ts';
import { deleteAccessToken } from '@rowhouse/contract/access-token.ts';
import { removeSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { convertField } from '@rowhouse/contract/field.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { createRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import * as teable from '@teable/openapi';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createBackgroundErrors } from '../../server/background-errors.ts';
import type { Services } from '../../server/context.ts';
import { type Db, openDb } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';
import { workbook } from '../../server/domain/export/workbook.ts';
import { importJob, type ImportPayload, perStep } from '../../server/domain/import/import-job.ts';
import { addJob } from '../../server/work/job.sql.ts';
import type { JobKind, RunningJob } from '../../server/work/job.ts';
import { startWork, type StartedWork } from '../../server/work/start-work.ts';
import { setSpacePlan } from '../../server/domain/billing/set-space-plan.ts';
import { onlyInProof } from '../support/cases.ts';
import { whileLocked } from '../support/lock.ts';
import { plansWith } from '../support/plans.ts';
import { member } from '../support/workspace.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { refusedFiles } from '../support/worst-files.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({}, { plans: plansWith({ plus: { maxRows: perStep + 10 } }) });
let on: TestTable;
const csvType = 'text/csv';
const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

beforeAll(async () => {
  on = (await ground(world())) as TestTable;
  teable.configApi({ endpoint: world().origin, token: on.owner.token });
});

const upload = async (bytes: Buffer | string, contentType = csvType, filename = 'people.v1.csv'): Promise<string> => {
  const body = Buffer.from(bytes as string);
  const { body: signed } = await on.call(createFileSignature, {
    body: { contentType, contentLength: body.length, type: 5 },
  });
  expect((await fetch(signed.url, { method: 'PUT', body, headers: { 'content-type': contentType } })).status).toBe(200);
  return (await on.call(notifyFile, { params: { token: signed.token }, query: { filename } })).body.presignedUrl;
};

const ended = async (headers: Headers): Promise<Job[]> => {
  const ids = (headers.get('x-job-id') as string).split(', ');
  return vi.waitFor(
    async () => {
      const jobs = await Promise.all(ids.map(async (jobId) => (await on.call(getJob, { params: { jobId } })).body));
      if (jobs.some(({ state }) => state === 'waiting' || state === 'running')) throw new Error(JSON.stringify(jobs));
      return jobs;
    },
    { timeout: 50_000, interval: 20 },
  );
};

const cellsOf = async (tableId: string): Promise<Record<string, unknown>[]> =>
  (await on.call(listRecords, { params: { tableId }, query: { take: 2_000 } })).body.records.map(
    ({ fields }) => fields,
  );

/** Of a column without fractions. */
const whole = { formatting: { type: 'decimal', precision: 0 } };

const csv =
  'Name,Age,Born,Member,Note\r\n"Ada, L.",36,1815-12-10,true,"two\nlines"\r\nGrace,85,1906-12-09,false,\r\n,,,,\r\nItem 1,,,,\r\n';

const analyzed = async (url: string, fileType: 'csv' | 'excel' | 'json') =>
  (await on.call(analyzeImport, { query: { attachmentUrl: url, fileType } })).body.worksheets;

describe('into new tables', () => {
  test('as the official client of Teable does it', async () => {
    const url = await upload(csv);
    const {
      data: { worksheets },
    } = await teable.analyzeFile({ attachmentUrl: url, fileType: teable.SUPPORTEDTYPE.CSV });
    const [key, sheet] = Object.entries(worksheets)[0] as [string, (typeof worksheets)[string]];
    expect([key, sheet.name, sheet.columns]).toEqual([
      'Import Table',
      'people',
      [
        { name: 'Name', type: 'singleLineText' },
        { name: 'Age', type: 'number', options: whole },
        { name: 'Born', type: 'date' },
        { name: 'Member', type: 'checkbox' },
        { name: 'Note', type: 'longText' },
      ],
    ]);
    const made = await teable.importTableFromFile(on.baseId, {
      attachmentUrl: url,
      fileType: teable.SUPPORTEDTYPE.CSV,
      tz: 'Europe/Berlin',
      worksheets: {
        [key]: {
          name: sheet.name,
          columns: sheet.columns.map((column, sourceColumnIndex) => ({ ...column, sourceColumnIndex })),
          useFirstRowAsHeader: true,
          importData: true,
        },
      },
    } as never);
    expect([
      made.status,
      made.data.map(({ name, records, fields }) => [name, records, fields.map(({ type }) => type)]),
    ]).toEqual([201, [['people', [], ['singleLineText', 'number', 'date', 'checkbox', 'longText']]]]);
    const [job] = await ended(new Headers({ 'x-job-id': made.headers['x-job-id'] as string }));
    expect(job).toMatchObject({
      state: 'done',
      kind: 'import-records',
      progress: { done: 3 },
      result: { records: 3, misfitCount: 0 },
    });
    expect(await cellsOf(made.data[0]?.id as string)).toEqual([
      { Name: 'Ada, L.', Age: 36, Born: '1815-12-09T23:06:32.000Z', Member: true, Note: 'two\nlines' },
      { Name: 'Grace', Age: 85, Born: '1906-12-08T23:00:00.000Z' },
      { Name: 'Item 1' },
    ]);
    const [table] = made.data;
    const idOf = (name: string): string => table?.fields.find((field) => field.name === name)?.id ?? '';
    const again = await teable.inplaceImportTableFromFile(
      on.baseId,
      table?.id as string,
      {
        attachmentUrl: url,
        fileType: teable.SUPPORTEDTYPE.CSV,
        insertConfig: {
          sourceWorkSheetKey: key,
          excludeFirstRow: true,
          sourceColumnMap: { [idOf('Name')]: 0, [idOf('Age')]: null },
        },
      } as never,
    );
    expect([again.status, again.data]).toEqual([200, '']);
    await ended(new Headers({ 'x-job-id': again.headers['x-job-id'] as string }));
    expect((await cellsOf(table?.id as string)).slice(3)).toEqual([
      { Name: 'Ada, L.' },
      { Name: 'Grace' },
      { Name: 'Item 1' },
    ]);
  });

  test('dates of a column are read alike: where one has its day first, all have', async () => {
    const url = await upload(
      'Name,Due,Sent,Text\na,05/06/2026,05/06/2026,05/06/2026\nb,31/12/2025,12/31/2025,31/12/2025\nc,2026-01-02,,\n',
      csvType,
      'days.csv',
    );
    const columns = (['singleLineText', 'date', 'date', 'singleLineText'] as const).map((type, sourceColumnIndex) => ({
      name: ['Name', 'Due', 'Sent', 'Text'][sourceColumnIndex] as string,
      type,
      sourceColumnIndex,
    }));
    const made = await on.call(importTables, {
      params: on,
      body: {
        attachmentUrl: url,
        fileType: 'csv',
        tz: 'UTC',
        worksheets: { 'Import Table': { name: 'Days', columns, useFirstRowAsHeader: true, importData: true } },
      },
    });
    expect(await ended(made.headers)).toMatchObject([{ state: 'done', result: { records: 3, misfitCount: 0 } }]);
    expect(await cellsOf(made.body[0]?.id as string)).toEqual([
      { Name: 'a', Due: '2026-06-05T00:00:00.000Z', Sent: '2026-05-06T00:00:00.000Z', Text: '05/06/2026' },
      { Name: 'b', Due: '2025-12-31T00:00:00.000Z', Sent: '2025-12-31T00:00:00.000Z', Text: '31/12/2025' },
      { Name: 'c', Due: '2026-01-02T00:00:00.000Z' },
    ]);
  });

  test('yes and no are read in many languages, and what is neither is listed; dates alone are read by the habit of the one who imports', async () => {
    const words = ['ja', 'x', 'VRAI', 'nein', 'nope', '-', 'N/A', '✗', 'F', 'Ada'];
    const url = await upload(
      `Name,Word,Due\n${words.map((word, at) => `${at},${word},03/04/2025`).join('\n')}\n`,
      csvType,
      'words.csv',
    );
    const columns = [
      { name: 'Name', type: 'singleLineText', sourceColumnIndex: 0 },
      { name: 'Word', type: 'checkbox', sourceColumnIndex: 1 },
      { name: 'Due', type: 'date', sourceColumnIndex: 2 },
    ] as const;
    const made = await on.call(importTables, {
      params: on,
      body: {
        attachmentUrl: url,
        fileType: 'csv',
        tz: 'UTC',
        dateOrder: 'dayFirst',
        worksheets: {
          'Import Table': { name: 'Words', columns: [...columns], useFirstRowAsHeader: true, importData: true },
        },
      },
    });
    expect(await ended(made.headers)).toMatchObject([
      { state: 'done', result: { misfitCount: 1, misfits: [{ field: 'Word', value: 'Ada' }] } },
    ]);
    const cells = await cellsOf(made.body[0]?.id as string);
    expect(cells.map(({ Word }) => Word)).toEqual([true, true, true, ...Array(7).fill(undefined)]);
    expect(new Set(cells.map(({ Due }) => Due))).toEqual(new Set(['2025-04-03T00:00:00.000Z']));
  });

  test('names stand in any row, columns are renamed and left out, and numbers and dates of a column are read as one', async () => {
    const url = await upload(
      'Report;;;\nMade;2025;;\nItem;Sum;Day;State\nA;1.000,50;01.02.2025;open\nB;2.500;28.02.2025;open\nC;7;03.02.2025;open\n',
    );
    const query = { attachmentUrl: url, fileType: 'csv' as const, headerRow: 3 };
    const sheet = (await on.call(analyzeImport, { query })).body.worksheets['Import Table']!;
    expect(sheet.columns.map(({ name, type }) => [name, type])).toEqual([
      ['Item', 'singleLineText'],
      ['Sum', 'number'],
      ['Day', 'date'],
      ['State', 'singleSelect'],
    ]);
    const columns = [0, 1, 2].map((at) => ({
      ...sheet.columns[at]!,
      ...(at === 1 ? { name: 'Total' } : {}),
      sourceColumnIndex: at,
    }));
    const made = await on.call(importTables, {
      params: { baseId: on.baseId },
      body: {
        attachmentUrl: url,
        fileType: 'csv',
        tz: 'UTC',
        worksheets: {
          'Import Table': { name: 'Sums', columns, useFirstRowAsHeader: true, headerRow: 3, importData: true },
        },
      },
    });
    expect(made.body[0]?.fields[1]?.options).toMatchObject({ formatting: { type: 'decimal', precision: 2 } });
    await ended(made.headers);
    expect(await cellsOf(made.body[0]!.id)).toEqual([
      { Item: 'A', Total: 1000.5, Day: '2025-02-01T00:00:00.000Z' },
      { Item: 'B', Total: 2500, Day: '2025-02-28T00:00:00.000Z' },
      { Item: 'C', Total: 7, Day: '2025-02-03T00:00:00.000Z' },
    ]);
    // Text that is converted to a number is read as one column, too.
    const texts = await tableWith(on, [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Sum', type: 'singleLineText' },
    ]);
    await on.call(createRecords, {
      params: texts,
      body: { records: ['1.000,50', '2.500'].map((Sum) => ({ fields: { Sum } })) },
    });
    const params = { tableId: texts.tableId, fieldId: texts.fieldIds['Sum'] as string };
    expect((await on.call(convertField, { params, body: { type: 'number' } })).status).toBe(200);
    expect((await cellsOf(texts.tableId)).map(({ Sum }) => Sum)).toEqual([1000.5, 2500]);
  });

  test('XLSX: sheets, dates, numbers, truth values, texts, results of formulas and merged cells', async () => {
    const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    async function* rows() {
      yield Buffer.from(`<row r="1">${['Name', 'When', 'At', 'Count', 'Yes', 'Result'].map(cell).join('')}</row>`);
      yield Buffer.from(
        `<row r="2">${cell('a &amp; b')}<c s="1"><v>45351</v></c><c s="2"><v>45351.75</v></c><c><v>0.30000000000000004</v></c><c t="b"><v>1</v></c><c t="str"><f>A1&amp;"x"</f><v>Namex</v></c></row>`,
      );
      yield Buffer.from(
        '<row r="3"/><row r="4"><c r="A4" t="inlineStr"><is><r><t>rich </t></r><r><t>text</t></r></is></c><c r="D4"><v>7</v></c><c r="E4" t="e"><v>#REF!</v></c></row>',
      );
      // A5:B6 are merged: their value stands in the first of them, as in the spreadsheet.
      yield Buffer.from(
        `<row r="5"><c r="A5" t="inlineStr"><is><t>merged</t></is></c><c r="B5" s="1"/><c r="D5"><v>8</v></c></row><row r="6"><c r="A6"/><c r="B6" s="1"/><c r="D6"><v>9</v></c></row>`,
      );
    }
    const pieces: Buffer[] = [];
    for await (const piece of workbook('My: sheet', rows())) pieces.push(piece);
    const url = await upload(Buffer.concat(pieces), xlsxType, 'book.xlsx');
    const worksheets = await analyzed(url, 'excel');
    expect(worksheets).toMatchObject({
      'My  sheet': {
        name: 'My  sheet',
        columns: [
          { name: 'Name', type: 'singleLineText' },
          { name: 'When', type: 'date' },
          { name: 'At', type: 'date' },
          { name: 'Count', type: 'number' },
          { name: 'Yes', type: 'checkbox' },
          { name: 'Result', type: 'singleLineText' },
        ],
        sample: [
          ['Name', 'When', 'At', 'Count', 'Yes', 'Result'],
          ['a & b', '2024-02-29', '2024-02-29 18:00:00', '0.30000000000000004', 'true', 'Namex'],
          ['rich text', '', '', '7'],
          ['merged', '', '', '8'],
          ['', '', '', '9'],
        ],
      },
    });
    const sheet = worksheets['My  sheet'] as (typeof worksheets)[string];
    const made = await on.call(importTables, {
      params: on,
      body: {
        attachmentUrl: url,
        fileType: 'excel',
        tz: 'UTC',
        worksheets: {
          'My  sheet': {
            name: 'Sheet',
            columns: sheet.columns.map((column, sourceColumnIndex) => ({ ...column, sourceColumnIndex })),
            useFirstRowAsHeader: true,
            importData: true,
          },
        },
      },
    });
    await ended(made.headers);
    expect(await cellsOf(made.body[0]?.id as string)).toEqual([
      {
        Name: 'a & b',
        When: '2024-02-29T00:00:00.000Z',
        At: '2024-02-29T18:00:00.000Z',
        Count: 0.30000000000000004,
        Yes: true,
        Result: 'Namex',
      },
      { Name: 'rich text', Count: 7 },
      { Name: 'merged', Count: 8 },
      { Count: 9 },
    ]);
  });

  test('JSON: a list of objects, or one on each line, with values as they are', async () => {
    const objects = [
      { Name: 'Ada "L"', Age: 36, Tags: ['a, b', 'c'], Yes: true, 'When [1]': '2024-02-29T23:59:59.999Z' },
      { Name: '{brace}', Other: { title: 'deep' }, Age: null },
      { Age: 'many' },
    ];
    for (const [text, name] of [
      [JSON.stringify(objects, null, 2), 'people.json'],
      [objects.map((object) => JSON.stringify(object)).join('\n'), 'people.jsonl'],
    ] as const) {
      const url = await upload(text, 'application/json', name);
      const sheet = (await analyzed(url, 'json'))['Import Table'];
      expect(sheet?.columns.map(({ name: column, type }) => [column, type])).toEqual([
        ['Name', 'singleLineText'],
        ['Age', 'singleLineText'],
        ['Tags', 'multipleSelect'],
        ['Yes', 'checkbox'],
        ['When [1]', 'date'],
        ['Other', 'singleLineText'],
      ]);
      const columns = (sheet?.columns ?? []).map((column, sourceColumnIndex) => ({
        ...column,
        ...(column.name === 'Age' ? { type: 'number' as const } : {}),
        sourceColumnIndex,
      }));
      const made = await on.call(importTables, {
        params: on,
        body: {
          attachmentUrl: url,
          fileType: 'json',
          tz: 'UTC',
          worksheets: { 'Import Table': { name: 'J', columns, useFirstRowAsHeader: true, importData: true } },
        },
      });
      expect((await ended(made.headers))[0]).toMatchObject({
        state: 'done',
        result: { records: 3, misfits: [{ row: 3, field: 'Age', value: 'many' }] },
      });
      expect(await cellsOf(made.body[0]?.id as string)).toEqual([
        { Name: 'Ada "L"', Age: 36, Tags: ['a, b', 'c'], Yes: true, 'When [1]': '2024-02-29T23:59:59.999Z' },
        { Name: '{brace}', Other: 'deep' },
        {},
      ]);
    }
    for (const text of ['{"a":1', '[1]', '"x"', '{"a":}'])
      expect(
        (
          await on.call(analyzeImport, {
            query: { attachmentUrl: await upload(text, 'application/json', 'x.json'), fileType: 'json' },
          })
        ).status,
      ).toBe(400);
  });

  test.each(refusedFiles)(
    'a small file that is a lot of work is refused: $name',
    async ({ make, contentType, fileType, refusal }) => {
      const url = await upload(await make(), contentType, 'worst');
      const { status, body } = await on.call(analyzeImport, { query: { attachmentUrl: url, fileType } });
      expect([status, body]).toMatchObject([
        400,
        { code: 'validation_error', message: expect.stringContaining(refusal as string) as unknown },
      ]);
    },
  );

  test('without rows, with the default fields, or not at all', async () => {
    const url = await upload('a\tb\n1\t2\n', 'text/tab-separated-values', 'x.tsv');
    expect((await analyzed(url, 'csv'))['Import Table']?.columns).toEqual([
      { name: 'a', type: 'number', options: whole },
      { name: 'b', type: 'number', options: whole },
    ]);
    const ask = (worksheet: object, more: object = {}) =>
      on.call(importTables, {
        params: on,
        body: {
          attachmentUrl: url,
          fileType: 'csv',
          tz: 'UTC',
          worksheets: {
            'Import Table': {
              name: 'T',
              useFirstRowAsHeader: true,
              importData: true,
              columns: [{ name: 'a', type: 'number', sourceColumnIndex: 0 }],
              ...worksheet,
            },
          },
          ...more,
        } as never,
      });
    const bare = await ask({ importData: false });
    expect([bare.status, bare.headers.get('x-job-id'), await cellsOf(bare.body[0]?.id as string)]).toEqual([
      201,
      null,
      [],
    ]);
    expect((await ask({ columns: [] })).body[0]?.fields.map(({ name }) => name)).toEqual(['Name', 'Count', 'Status']);
    expect((await ask({ columns: [{ name: 'a', type: 'formula', sourceColumnIndex: 0 }] })).status).toBe(400);
    expect((await ask({}, { tz: 'Nowhere/Land' })).status).toBe(201);
    for (const attachmentUrl of ['https://example.com/x.csv', url.replace(/.$/, '_'), 'nonsense'])
      expect((await ask({}, { attachmentUrl })).status).toBe(400);
    const plain = await upload('a,b', 'text/plain', 'x.txt');
    expect((await on.call(analyzeImport, { query: { attachmentUrl: plain, fileType: 'csv' } })).status).toBe(400);
    const broken = await upload('not a workbook', xlsxType, 'x.xlsx');
    expect((await on.call(analyzeImport, { query: { attachmentUrl: broken, fileType: 'excel' } })).status).toBe(400);
    const missing = await ask({ name: 'U' });
    await ended(missing.headers);
    // A sheet that the file does not have.
    const wrong = await on.call(importTables, {
      params: on,
      body: {
        attachmentUrl: url,
        fileType: 'csv',
        tz: 'UTC',
        worksheets: {
          Other: {
            name: 'O',
            useFirstRowAsHeader: true,
            importData: true,
            columns: [{ name: 'a', type: 'number', sourceColumnIndex: 0 }],
          },
        },
      },
    });
    expect((await ended(wrong.headers))[0]).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('no sheet'),
    });
  });
});

describe('into a table', () => {
  const into = async (table: TestTable, url: string, map: Record<string, number | null>, excludeFirstRow = true) =>
    table.call(importRecords, {
      params: table,
      body: {
        attachmentUrl: url,
        fileType: 'csv',
        insertConfig: { sourceWorkSheetKey: 'Import Table', excludeFirstRow, sourceColumnMap: map },
      },
    });

  test('adds rows in many transactions, tells what did not fit, and is undone by its operations', async () => {
    const table = await tableWith(on, [
      { name: 'Name', type: 'singleLineText' },
      { name: 'N', type: 'number' },
      { name: 'S', type: 'singleSelect', options: { choices: [{ name: 'x' }] } },
      { name: 'D', type: 'number', options: { defaultValue: 5 } },
    ]);
    await table.call(createRecords, { params: table, body: { records: [{ fields: { Name: 'before' } }] } });
    const lines = Array.from(
      { length: 12_000 },
      (_, at) => `n${at},${at % 1_000 === 7 ? 'many' : at},${at % 3 === 0 ? 'x' : `c${at % 5}`}`,
    );
    const url = await upload(`Name,N,S\n${lines.join('\n')}\n`);
    const { Name, N, S } = table.fieldIds as Record<string, string>;
    const answer = await into(table, url, { [Name as string]: 0, [N as string]: 1, [S as string]: 2 });
    expect([answer.status, answer.body]).toEqual([200, undefined]);
    const [job] = await ended(answer.headers);
    expect(job).toMatchObject({ state: 'done', progress: { done: 12_000 } });
    const result = job?.result as { misfits: object[]; misfitCount: number; operationIds: string[] };
    expect([result.misfitCount, result.misfits[1], result.operationIds.length]).toEqual([
      12,
      { row: 1_009, field: 'N', value: 'many' },
      3,
    ]);
    const first = await cellsOf(table.tableId);
    expect(first.slice(0, 3)).toEqual([
      { Name: 'before', D: 5 },
      { Name: 'n0', N: 0, S: 'x', D: 5 },
      { Name: 'n1', N: 1, S: 'c1', D: 5 },
    ]);
    for (const operationId of result.operationIds)
      expect((await table.call(restoreHistory, { params: table, body: { operationId } })).status).toBe(200);
    expect(await cellsOf(table.tableId)).toHaveLength(1);
  });

  test('updates the records that have the same key, adds the others, and undoing it brings the former cells back', async () => {
    const table = await tableWith(on, [
      { name: 'Code', type: 'singleLineText' },
      { name: 'Price', type: 'number' },
      { name: 'Note', type: 'singleLineText' },
    ]);
    const [code, price] = [table.fieldIds['Code'] as string, table.fieldIds['Price'] as string];
    await on.call(createRecords, {
      params: table,
      body: {
        records: [{ fields: { Code: 'a', Price: 1, Note: 'mine' } }, { fields: { Code: 'b', Price: 2 } }],
      },
    });
    const before = await cellsOf(table.tableId);
    const url = await upload('Code,Price\na,10\nc,3\na,11\nb,2\n,5\n');
    const put = (matchFieldIds: string[]) =>
      on.call(importRecords, {
        params: { baseId: on.baseId, tableId: table.tableId },
        body: {
          attachmentUrl: url,
          fileType: 'csv',
          insertConfig: {
            sourceWorkSheetKey: 'Import Table',
            excludeFirstRow: true,
            sourceColumnMap: { [code]: 0, [price]: 1 },
            matchFieldIds,
          },
        },
      });
    expect((await put([table.fieldIds['Note'] as string])).status).toBe(400);
    const started = await put([code]);
    const [job] = (await ended(started.headers)) as [Job];
    expect(job).toMatchObject({ state: 'done', result: { records: 5, updated: 1, misfitCount: 0 } });
    const after = [
      { Code: 'a', Price: 11, Note: 'mine' },
      { Code: 'b', Price: 2 },
      { Code: 'c', Price: 3 },
      { Price: 5 },
    ];
    expect(await cellsOf(table.tableId)).toEqual(after);
    const undone = await on.call(undoJob, { params: { jobId: job.id }, body: {} });
    expect(undone.error?.message).toBeUndefined();
    await vi.waitFor(async () =>
      expect((await on.call(getJob, { params: { jobId: undone.body.id } })).body).toMatchObject({
        state: 'done',
        result: { records: 2, restored: 1 },
      }),
    );
    expect(await cellsOf(table.tableId)).toEqual(before);
  });

  test('the limit of the plan ends it and says which rows are in; with another plan it goes on behind them, and all of it is undone as one', async () => {
    const mine = await ground(world(), on.owner);
    await setSpacePlan(world().services, mine.spaceId, { level: 'plus' });
    const table = await tableWith(mine, [{ name: 'Name', type: 'singleLineText' }]);
    const rows = perStep * 2 + 5;
    const url = await upload(`Name\n${Array.from({ length: rows }, (_, at) => `n${at}`).join('\n')}`);
    const answer = await into(table, url, { [table.fieldIds['Name'] as string]: 0 });
    const [job] = await ended(answer.headers);
    expect(job).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(
        new RegExp(
          `^Rows ${perStep + 2} to ${perStep * 2 + 1}: .*${perStep + 10}.*Rows 2 to ${perStep + 1} of the file are in \\(records: ${perStep}\\), none after them$`,
        ),
      ) as unknown,
      result: { records: perStep, read: perStep + 1 },
    });
    const numbers = async (): Promise<[number, number | undefined]> => {
      const { body } = await table.call(listRecords, { params: table, query: { take: 1, skip: perStep - 1 } });
      const after = await table.call(listRecords, { params: table, query: { take: 1, skip: perStep } });
      return [body.records.length, after.body.records.length];
    };
    expect(await numbers()).toEqual([1, 0]);
    const jobId = job?.id as string;
    const limited = await on.owner.withToken({ scopes: ['base|read', 'table|read', 'record|read', 'record|create'] });
    expect((await limited.call(continueJob, { params: { jobId } })).status).toBe(403);
    // Too early: it fails at the same row, and adds none twice.
    expect((await table.call(continueJob, { params: { jobId } })).status).toBe(200);
    expect((await ended(answer.headers))[0]).toMatchObject({ state: 'failed', result: { records: perStep } });
    await setSpacePlan(world().services, mine.spaceId, { level: 'pro' });
    expect((await table.call(continueJob, { params: { jobId } })).status).toBe(200);
    const [done] = await ended(answer.headers);
    expect(done).toMatchObject({ state: 'done', result: { records: rows } });
    const undone = await table.call(undoJob, { params: { jobId } });
    expect((await ended(new Headers({ 'x-job-id': undone.body.id })))[0]?.result).toMatchObject({ records: rows });
    expect(await cellsOf(table.tableId)).toEqual([]);
  });

  test('a file that an exported cell mentions is used by the records it is imported into', async () => {
    const table = await tableWith(on, [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Files', type: 'attachment' },
    ]);
    const text = Buffer.from('kept');
    const { token, url: where } = (
      await on.call(createFileSignature, { body: { contentType: 'text/plain', contentLength: text.length, type: 1 } })
    ).body;
    await fetch(where, { method: 'PUT', body: text, headers: { 'content-type': 'text/plain' } });
    await on.call(notifyFile, { params: { token }, query: { filename: 'notes.txt' } });
    const url = await upload(`one,notes.txt (${token})\n`);
    const [job] = await ended(
      (await into(table, url, { [table.fieldIds['Name'] as string]: 0, [table.fieldIds['Files'] as string]: 1 }, false))
        .headers,
    );
    expect(job).toMatchObject({ state: 'done', result: { records: 1, misfitCount: 0 } });
    expect(await cellsOf(table.tableId)).toMatchObject([{ Name: 'one', Files: [{ name: 'notes.txt', token }] }]);
    // What nobody uses is removed after a day.
    expect(
      await world().db.query(sql`select base_id as "baseId" from rowhouse.file_uses where token = ${token}`),
    ).toEqual([{ baseId: table.baseId }]);
  });

  test('ends with the reason when a constraint refuses a row, and refuses what it cannot write', async () => {
    const table = await tableWith(on, [
      { name: 'Name', type: 'singleLineText', unique: true },
      { name: 'ID', type: 'autoNumber' },
    ]);
    const name = table.fieldIds['Name'] as string;
    const url = await upload('a\nb\na\n');
    const [job] = await ended((await into(table, url, { [name]: 0 }, false)).headers);
    expect(job).toMatchObject({ state: 'failed', error: expect.stringMatching(/^Rows 1 to 3: .*must be unique/) });
    expect(await cellsOf(table.tableId)).toEqual([]);
    expect((await into(table, url, { fldNone: 0 })).status).toBe(400);
    expect((await into(table, url, { [table.fieldIds['ID'] as string]: 0 })).status).toBe(400);
    const elsewhere = await table.call(importRecords, {
      params: { ...table, baseId: 'bse0000000000000000' },
      body: {
        attachmentUrl: url,
        fileType: 'csv',
        insertConfig: { sourceWorkSheetKey: 'Import Table', excludeFirstRow: true, sourceColumnMap: {} },
      },
    });
    expect(elsewhere.status).toBe(404);
  });
});

describe('in the middle of it', () => {
  const started: { work: StartedWork; db: Db }[] = [];
  afterEach(async () => {
    for (const { work, db } of started.splice(0)) {
      await work.stop(0);
      // One that plays dead never gives its connection back.
      void db.close();
    }
  });

  const kind = 'import-watched';

  /** A worker for imports of a kind of their own, which acts after each step, or in place of its end. */
  const watch = (
    onStep: (
      job: RunningJob<ImportPayload>,
      step: RunningJob['step'],
      work: Parameters<RunningJob['step']>[0],
    ) => Promise<void>,
    lease = 30,
    patience = 10_000,
  ): StartedWork => {
    const db = openDb(world().databaseUrl, { max: 3, patience });
    const watched: JobKind<Services, ImportPayload> = {
      ...importJob,
      name: kind,
      retry: { attempts: 2, first: 1, longest: 1 },
      run: (services, job) =>
        importJob.run(
          services,
          Object.create(job, {
            step: { value: (work: Parameters<RunningJob['step']>[0]) => onStep(job, job.step, work) },
          }) as RunningJob<ImportPayload>,
        ),
    };
    const work = startWork({
      db,
      services: { ...world().services, db },
      kinds: [watched as JobKind<Services>],
      errors: createBackgroundErrors(),
      lease,
    });
    started.push({ work, db });
    return work;
  };

  const begin = async (
    by: ImportPayload['by'],
    rows = perStep * 2 + 5,
  ): Promise<{ table: TestTable; jobId: string }> => {
    const table = await tableWith(on, [{ name: 'Name', type: 'singleLineText' }]);
    const token = /att[0-9A-Za-z]{21}/.exec(
      await upload(Array.from({ length: rows }, (_, at) => `n${at}`).join('\n')),
    )?.[0] as string;
    const payload: ImportPayload = {
      baseId: table.baseId,
      tableId: table.tableId,
      token,
      fileType: 'csv',
      sheet: 'Import Table',
      skipFirst: false,
      columns: { [table.fieldIds['Name'] as string]: 0 },
      actions: ['table|import', 'record|create'],
      by,
    };
    return { table, jobId: await addJob(world().db, { kind, baseId: table.baseId, createdBy: by.userId, payload }) };
  };

  const count = async ({ tableId, baseId }: TestTable): Promise<{ all: number; distinct: number }> => {
    const [{ name } = { name: '' }] = await world().db.query<{ name: string }>(
      sql`select db_table_name as name from rowhouse.tables where id = ${tableId}`,
    );
    return (
      await world().db.query<{ all: number; distinct: number }>(
        sql`select count(*)::int as all, count(distinct "Name")::int as distinct from ${sql.id(baseId, name)}`,
      )
    )[0] as never;
  };

  const end = async (jobId: string): Promise<Job> => (await ended(new Headers({ 'x-job-id': jobId })))[0] as Job;

  test('it stops when its token, its person or its owner ends it, says so, and can be undone all the same', async () => {
    const { owner } = on;
    const ends: [string, (jobId: string) => Promise<unknown>, ImportPayload['by'], Partial<Job>][] = [];
    const token = await owner.withToken({ hasFullAccess: true });
    ends.push([
      'token',
      () => owner.call(deleteAccessToken, { params: { accessTokenId: token.id } }),
      { userId: owner.userId, tokenId: token.id, clientId: null },
      {
        state: 'failed',
        error: `Stopped: the account or token that started it is not valid any more. Rows 1 to ${perStep} of the file are in (records: ${perStep}), none after them`,
      },
    ]);
    const leaving = await member(world(), owner, on.spaceId, 'creator');
    ends.push([
      'person',
      () =>
        owner.call(removeSpaceCollaborator, {
          params: on,
          query: { principalId: leaving.userId, principalType: 'user' },
        }),
      { userId: leaving.userId, tokenId: null, clientId: null },
      {
        state: 'failed',
        error: `Stopped: the table was deleted, or is no longer shared with the person who started it. Rows 1 to ${perStep} of the file are in (records: ${perStep}), none after them`,
      },
    ]);
    ends.push([
      'cancelled',
      (jobId) => owner.call(cancelJob, { params: { jobId } }),
      { userId: owner.userId, tokenId: null, clientId: null },
      { state: 'cancelled' },
    ]);
    const acts = new Map<string, (jobId: string) => Promise<unknown>>();
    watch(async ({ id }, step, work) => {
      await step(work);
      await acts.get(id)?.(id);
    });
    for (const [what, act, by, expected] of ends) {
      // That it was cancelled is heard at the end of the next step.
      const records = expected.state === 'cancelled' ? 2 * perStep : perStep;
      const { table, jobId } = await begin(by);
      acts.set(jobId, act);
      const job = await end(jobId);
      expect([what, job]).toEqual([
        what,
        expect.objectContaining({ ...expected, result: expect.objectContaining({ records }) }),
      ]);
      expect(await count(table)).toEqual({ all: records, distinct: records });
      expect((await table.call(undoJob, { params: { jobId } })).status).toBe(409);
      await world().db.query(sql`update rowhouse.jobs set kind = 'import-records' where id = ${jobId}`);
      const undone = await table.call(undoJob, { params: { jobId } });
      expect([undone.status, undone.body.kind, (await end(undone.body.id)).result]).toMatchObject([
        201,
        'undo-import',
        { records },
      ]);
      expect((await count(table)).all).toBe(0);
    }
  });

  // That steps of a job are done once, also after a kill and behind a lock, is in test/crash/jobs.test.ts.
  onlyInProof(test)('killed in the middle of a transaction, it goes on elsewhere and adds each row once', async () => {
    let dead = (): void => undefined;
    const died = new Promise<void>((passed) => (dead = passed));
    let steps = 0;
    const first = watch(async (_job, step, work) => {
      if ((steps += 1) === 1) return step(work);
      return step(async (tx) => {
        await work(tx);
        // The connection breaks with everything that it has not committed, and nobody is left to say so.
        await tx.query(sql`select pg_terminate_backend(pg_backend_pid())`).catch(() => undefined);
        dead();
        return new Promise<never>(() => undefined);
      });
    }, 1);
    const { table, jobId } = await begin({ userId: on.owner.userId, tokenId: null, clientId: null });
    await died;
    await first.stop(0);
    expect(await count(table)).toEqual({ all: perStep, distinct: perStep });
    watch(async (_job, step, work) => step(work));
    expect(await end(jobId)).toMatchObject({
      state: 'done',
      result: { records: perStep * 2 + 5, operationIds: [expect.any(String), expect.any(String), expect.any(String)] },
    });
    expect(await count(table)).toEqual({ all: perStep * 2 + 5, distinct: perStep * 2 + 5 });
  });

  const waits = async (jobId: string): Promise<Job> => {
    for (;;) {
      const { body } = await on.call(getJob, { params: { jobId } });
      if (body.state === 'waiting' && body.error !== undefined) return body;
      if (body.state !== 'waiting' && body.state !== 'running') throw new Error(JSON.stringify(body));
      await sleep(10);
    }
  };

  const dueNow = (jobId: string): Promise<unknown> =>
    world().db.query(sql`update rowhouse.jobs set due_time = now() where id = ${jobId} and state = 'waiting'`);

  const byOwner = (): ImportPayload['by'] => ({ userId: on.owner.userId, tokenId: null, clientId: null });

  onlyInProof(test)(
    'a lock that lasts longer than any statement waits for one is waited for, however often, and each row is added once',
    async () => {
      let release: (() => void) | undefined;
      let lockedOnce = false;
      const { table, jobId } = await begin(byOwner());
      const locked = new Promise<void>((isLocked) => {
        watch(
          async (_job, step, work) => {
            await step(work);
            if (lockedOnce) return;
            lockedOnce = true;
            const freed = new Promise<void>((go) => (release = go));
            void whileLocked(world(), table, async () => {
              isLocked();
              await freed;
            });
            await locked;
          },
          30,
          100,
        );
      });
      await locked;
      // More often than a fault would be tried again.
      for (let times = 1; times <= 3; times += 1) {
        const waiting = await waits(jobId);
        expect(waiting).toMatchObject({
          result: { records: perStep, read: perStep },
          error: expect.stringContaining('takes long'),
        });
        if (times < 3) {
          await world().db.query(sql`update rowhouse.jobs set error = null, due_time = now() where id = ${jobId}`);
        }
      }
      (release as unknown as () => void)();
      await dueNow(jobId);
      expect(await end(jobId)).toMatchObject({ state: 'done', result: { records: perStep * 2 + 5 } });
      expect(await count(table)).toEqual({ all: perStep * 2 + 5, distinct: perStep * 2 + 5 });
    },
  );

  test('while it waits it can be cancelled and not undone; what cannot pass any more is said as soon as it is seen', async () => {
    const { owner } = on;
    const leaving = await member(world(), owner, on.spaceId, 'creator');
    const cancelled: [string, string][] = [];
    const meanwhile: [
      string,
      (table: TestTable, jobId: string) => Promise<unknown>,
      ImportPayload['by'],
      Partial<Job>,
      number,
    ][] = [
      [
        'cancelled',
        async (table, jobId) => {
          await world().db.query(sql`update rowhouse.jobs set kind = 'import-records' where id = ${jobId}`);
          cancelled.push([(await table.call(undoJob, { params: { jobId } })).error.message, jobId]);
          return table.call(cancelJob, { params: { jobId } });
        },
        byOwner(),
        { state: 'cancelled' },
        0,
      ],
      [
        'person',
        () =>
          owner.call(removeSpaceCollaborator, {
            params: on,
            query: { principalId: leaving.userId, principalType: 'user' },
          }),
        { userId: leaving.userId, tokenId: null, clientId: null },
        {
          state: 'failed',
          error: 'Stopped: the table was deleted, or is no longer shared with the person who started it',
        },
        0,
      ],
      [
        'trashed',
        (table) => table.call(deleteTable, { params: table }),
        byOwner(),
        {
          state: 'failed',
          error: 'Stopped: the table was deleted, or is no longer shared with the person who started it',
        },
        0,
      ],
      // Its cells become what the field takes by then.
      [
        'converted',
        (table) =>
          table.call(convertField, {
            params: { ...table, fieldId: table.fieldIds['Name'] as string },
            body: { type: 'longText' },
          }),
        byOwner(),
        { state: 'done', result: { records: 3 } },
        3,
      ],
    ];
    const begun = await Promise.all(meanwhile.map(([, , by]) => begin(by, 3)));
    const lock = (at: number, then: () => Promise<void>): Promise<void> =>
      at === begun.length
        ? then()
        : whileLocked(world(), (begun[at] as (typeof begun)[number]).table, () => lock(at + 1, then));
    await lock(0, async () => {
      // Not before every table is locked: what is not waited for is done.
      watch(async (_job, step, work) => step(work), 30, 100);
      for (const { jobId } of begun) {
        const put = (): Promise<object[]> =>
          world().db.query(
            sql`update rowhouse.jobs set due_time = now() + interval '1 hour' where id = ${jobId} and state = 'waiting' returning id`,
          );
        // It may be at it once more by now.
        do await waits(jobId);
        while ((await put()).length === 0);
      }
    });
    for (const [at, [what, act, , expected, rows]] of meanwhile.entries()) {
      const { table, jobId } = begun[at] as (typeof begun)[number];
      expect([what, (await act(table, jobId)) as object]).toMatchObject([what, { status: 200 }]);
      await dueNow(jobId);
      expect([what, await end(jobId)]).toMatchObject([what, expected]);
      expect([what, await count(table)]).toEqual([what, { all: rows, distinct: rows }]);
    }
    expect(cancelled).toEqual([[expect.stringContaining('is waiting: cancel it first'), expect.any(String)]]);
  });

  test('a deadlock that takes a step back is no end of it', async () => {
    const { table, jobId } = await begin(byOwner());
    const [{ name } = { name: '' }] = await world().db.query<{ name: string }>(
      sql`select db_table_name as name from rowhouse.tables where id = ${table.tableId}`,
    );
    const blocker = await world().db.dedicated();
    await blocker.query('begin');
    await blocker.query('select pg_advisory_xact_lock(4711)');
    let steps = 0;
    let closing: Promise<unknown> = Promise.resolve();
    watch(async (_job, step, work) =>
      step(async (tx) => {
        const made = await work(tx);
        if ((steps += 1) !== 2) return made;
        const waited = tx.query(sql`select pg_advisory_xact_lock(4711)`);
        // This one waits already: it is the one that PostgreSQL takes back.
        closing = vi
          .waitFor(async () =>
            expect(
              await world().db.query(
                sql`select from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`,
              ),
            ).toHaveLength(1),
          )
          .then(() => blocker.query(`lock table "${table.baseId}"."${name}" in access exclusive mode`));
        await waited;
        return made;
      }),
    );
    await waits(jobId);
    await closing;
    await blocker.query('rollback');
    await blocker.end();
    await dueNow(jobId);
    expect(await end(jobId)).toMatchObject({ state: 'done' });
    expect(await count(table)).toEqual({ all: perStep * 2 + 5, distinct: perStep * 2 + 5 });
  });

  test('one that failed is continued behind its last row by somebody who may, and undone as one', async () => {
    const { owner } = on;
    const token = await owner.withToken({ hasFullAccess: true });
    const { table, jobId } = await begin({ userId: owner.userId, tokenId: token.id, clientId: null });
    watch(async (_job, step, work) => {
      await step(work);
      await owner.call(deleteAccessToken, { params: { accessTokenId: token.id } });
    });
    expect(await end(jobId)).toMatchObject({ state: 'failed', result: { records: perStep, read: perStep } });
    const proceed = (who: Pick<TestTable, 'call'> = table) => who.call(continueJob, { params: { jobId } });
    expect((await proceed()).error.message).toContain('only import-records can');
    await world().db.query(sql`update rowhouse.jobs set kind = 'import-records' where id = ${jobId}`);
    expect((await proceed(await member(world(), owner, on.spaceId, 'editor'))).status).toBe(403);
    // As another person, who may import: the token that it was started with is gone.
    expect(await proceed(await member(world(), owner, on.spaceId, 'creator'))).toMatchObject({
      status: 200,
      body: { id: jobId, result: { records: perStep } },
    });
    expect(await end(jobId)).toMatchObject({ state: 'done', result: { records: perStep * 2 + 5 } });
    expect(await count(table)).toEqual({ all: perStep * 2 + 5, distinct: perStep * 2 + 5 });
    expect((await proceed()).error.message).toContain('it is done');
    const undone = await table.call(undoJob, { params: { jobId } });
    expect((await end(undone.body.id)).result).toMatchObject({ records: perStep * 2 + 5 });
    await world().db.query(sql`update rowhouse.jobs set state = 'failed' where id = ${jobId}`);
    expect((await proceed()).error.message).toContain('it was undone');
  });

  test('undoing it deletes what others have changed only by force, and what is left of the rest', async () => {
    const table = await tableWith(on, [{ name: 'Name', type: 'singleLineText' }]);
    const answer = await table.call(importRecords, {
      params: table,
      body: {
        attachmentUrl: await upload('a\nb\n'),
        fileType: 'csv',
        insertConfig: {
          sourceWorkSheetKey: 'Import Table',
          excludeFirstRow: false,
          sourceColumnMap: { [table.fieldIds['Name'] as string]: 0 },
        },
      },
    });
    const [job] = await ended(answer.headers);
    const jobId = job?.id as string;
    const other = await member(world(), on.owner, on.spaceId, 'editor');
    const [record] = (await table.call(listRecords, { params: table, query: {} })).body.records;
    await other.call(updateRecord, {
      params: { ...table, recordId: record?.id as string },
      body: { record: { fields: { Name: 'mine' } } },
    });
    expect(
      (await (await member(world(), on.owner, on.spaceId, 'commenter')).call(undoJob, { params: { jobId } })).status,
    ).toBe(403);
    const refused = await table.call(undoJob, { params: { jobId } });
    expect([refused.status, refused.error.data]).toEqual([
      409,
      { conflicts: [expect.objectContaining({ recordId: record?.id, reason: 'changed_since' })], total: 1 },
    ]);
    for (const records of [2, 0]) {
      const undone = await table.call(undoJob, { params: { jobId }, body: { force: true } });
      expect((await end(undone.body.id)).result).toMatchObject({ records });
    }
    expect(await cellsOf(table.tableId)).toEqual([]);
  });
});
