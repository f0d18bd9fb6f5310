// Any table that is exported and imported again is the same, as far as the format can carry it: docs/guide/tables.md lists what it cannot.
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { analyzeImport, importRecords } from '@rowhouse/contract/import.ts';
import { getJob } from '@rowhouse/contract/job.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { expect, test, vi } from 'vitest';
import { randomFrom } from '../../proof/random.ts';
import { seed } from '../support/seed.ts';
import { choices, ground, tableWith, type TestTable, writableFields } from '../support/table.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

const { number, below, pick, once } = randomFrom(seed);
const some = <T>(make: () => T): T | null => (once(4) ? null : make());
const texts = [
  'plain',
  'a, "b"; c',
  '=1+1',
  '-5',
  "'quoted",
  'ünïcödé 🙂',
  'back\\slash',
  '007',
  'true',
  '2024-01-01',
  '</t> & <x>',
  '\u00a0 inner \u00a0x',
];

/** What each format cannot carry is not made for it. */
const recordFor = (format: Format, ownerId: string): Record<string, unknown> => {
  const exact = format === 'jsonl';
  return {
    Text: some(() => pick(texts)),
    Long: some(() => pick([...texts, 'two\nlines', 'tab\there'])),
    Number: some(() => (exact || format === 'xlsx' ? number() * 10 ** below(20) - 5 : below(100_000) / 100)),
    Rating: some(() => 1 + below(5)),
    Check: some(() => true),
    Date: some(() =>
      new Date(
        Date.UTC(
          1950 + below(120),
          below(12),
          1 + below(28),
          below(24),
          below(60),
          exact ? below(60) : 0,
          exact ? below(1_000) : 0,
        ),
      ).toISOString(),
    ),
    Select: some(() => pick(choices)),
    Tags: some(() => [
      ...new Set([pick(exact ? choices : ['red', 'green']), pick(exact ? choices : ['red', 'green'])]),
    ]),
    Person: some(() => ({ id: ownerId, title: 'Olive Owner' })),
  };
};

type Format = 'csv' | 'xlsx' | 'jsonl';
const formats: Record<Format, { fileType: 'csv' | 'excel' | 'json'; type: string }> = {
  csv: { fileType: 'csv', type: 'text/csv' },
  xlsx: { fileType: 'excel', type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  jsonl: { fileType: 'json', type: 'application/x-ndjson' },
};

const cellsOf = async (table: TestTable): Promise<Record<string, unknown>[]> =>
  (await table.call(listRecords, { params: table, query: { take: 1_000 } })).body.records.map(({ fields }) => fields);

test.each(Object.keys(formats) as Format[])('%s', async (format) => {
  const on = await ground(world());
  const fields = writableFields.filter(({ name }) => name !== 'People');
  const [from, to] = [await tableWith(on, fields), await tableWith(on, fields)];
  const records = Array.from({ length: 60 }, () => ({
    fields: { ...recordFor(format, on.owner.userId), Text: pick(texts) },
  }));
  expect((await from.call(createRecords, { params: from, body: { records } })).status).toBe(201);
  const { fileType, type } = formats[format];
  const answer = await fetch(`${world().baseUrl}/export/${from.tableId}?format=${format}`, {
    headers: { authorization: `Bearer ${on.owner.token}` },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const { url, token } = (
    await on.call(createFileSignature, { body: { contentType: type, contentLength: bytes.length, type: 5 } })
  ).body;
  await fetch(url, { method: 'PUT', body: bytes as never, headers: { 'content-type': type } });
  const { presignedUrl } = (await on.call(notifyFile, { params: { token }, query: { filename: 'x' } })).body;
  const { worksheets } = (await on.call(analyzeImport, { query: { attachmentUrl: presignedUrl, fileType } })).body;
  const [[sheet, { columns }] = ['', { columns: [] }]] = Object.entries(worksheets);
  const sourceColumnMap = Object.fromEntries(
    columns.flatMap(({ name }, at) => (to.fieldIds[name] === undefined ? [] : [[to.fieldIds[name], at]])),
  );
  const begun = await to.call(importRecords, {
    params: to,
    body: {
      attachmentUrl: presignedUrl,
      fileType,
      insertConfig: { sourceWorkSheetKey: sheet, excludeFirstRow: true, sourceColumnMap },
    },
  });
  await vi.waitFor(
    async () => {
      const { body } = await on.call(getJob, { params: { jobId: begun.headers.get('x-job-id') as string } });
      expect(body).toMatchObject({ state: 'done', result: { misfitCount: 0 } });
    },
    { timeout: 50_000, interval: 30 },
  );
  // A spreadsheet would take these for formulas: CSV has an apostrophe before them.
  const marked = (cells: Record<string, unknown>): Record<string, unknown> =>
    format !== 'csv'
      ? cells
      : Object.fromEntries(
          Object.entries(cells).map(([name, value]) => [
            name,
            typeof value === 'string' && ['Text', 'Long'].includes(name) && /^([=@]|[+-](?!\d))/.test(value)
              ? `'${value}`
              : value,
          ]),
        );
  expect(await cellsOf(to)).toEqual((await cellsOf(from)).map(marked));
});
