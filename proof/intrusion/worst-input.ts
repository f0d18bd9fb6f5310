// Small inputs that are a lot of work, for everything that reads what a request sends. They are refused, or cost little.
import { setTimeout as sleep } from 'node:timers/promises';
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { exportBase, importBase } from '@rowhouse/contract/base-file.ts';
import { createComment } from '@rowhouse/contract/comment.ts';
import { createField } from '@rowhouse/contract/field.ts';
import { analyzeImport } from '@rowhouse/contract/import.ts';
import { getJob } from '@rowhouse/contract/job.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { saveQuery } from '@rowhouse/contract/saved-query.ts';
import { pasteIntoRanges } from '@rowhouse/contract/selection.ts';
import { createShareSignature, notifyShareFile } from '@rowhouse/contract/share.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { bombOf, withManifest, withMembers } from '../../test/support/bomb.ts';
import { caller } from '../../test/support/caller.ts';
import { tableWith, type TestTable } from '../../test/support/table.ts';
import { costlyFiles, refusedFiles, type WorstFile } from '../../test/support/worst-files.ts';
import { largePictures, smallPictures, type WorstPicture } from '../../test/support/worst-pictures.ts';
import type { Attack, Scene } from './attack.ts';
import { demand, type Heard, sent, stageOf } from './stage.ts';

const put = async (url: string, contentType: string, body: Buffer): Promise<void> => {
  const { status } = await fetch(url, {
    method: 'PUT',
    body: new Uint8Array(body),
    headers: { 'content-type': contentType },
  });
  if (status !== 200) throw new Error(`the upload was answered ${status}`);
};

const upload = async ({ call }: TestTable, body: Buffer, contentType: string) => {
  const { body: signed } = await call(createFileSignature, {
    body: { contentType, contentLength: body.length, type: 5 },
  });
  await put(signed.url, contentType, body);
  return (await call(notifyFile, { params: { token: signed.token }, query: { filename: 'worst' } })).body;
};

const files =
  (isLong: boolean) =>
  ({ name, fileType, contentType, make, refusal }: WorstFile): Attack => ({
    name,
    isMeasured: true,
    ...(isLong ? { isLong } : {}),
    async run(scene) {
      const { table } = await stageOf(scene);
      const { presignedUrl } = await upload(table, await make(), contentType);
      return demand(await table.call(analyzeImport, { query: { attachmentUrl: presignedUrl, fileType } }), refusal);
    },
  });

const pictures =
  (isLong: boolean) =>
  ({ name, contentType, make }: WorstPicture): Attack => ({
    name: `${name}, through a form`,
    isMeasured: true,
    ...(isLong ? { isLong } : {}),
    async run(scene) {
      const { shareId } = await stageOf(scene);
      const visitor = caller({ baseUrl: scene.ground.baseUrl });
      const body = make();
      const signed = await visitor(createShareSignature, {
        params: { shareId },
        body: { contentType, contentLength: body.length },
      });
      if (signed.status >= 300) return demand(signed, undefined);
      await put(signed.body.url, contentType, body);
      return demand(
        await visitor(notifyShareFile, { params: { shareId, token: signed.body.token }, query: {} }),
        undefined,
      );
    },
  });

const exported = async ({ call, baseId }: TestTable): Promise<Buffer> => {
  const jobId = (await call(exportBase, { params: { baseId }, query: {} })).headers.get('x-job-id') as string;
  for (;;) {
    const { body } = await call(getJob, { params: { jobId } });
    if (body.state === 'failed') throw new Error(body.error ?? 'the export failed');
    if (body.state === 'done')
      return Buffer.from(await (await fetch((body.result as { url: string }).url)).arrayBuffer());
    await sleep(20);
  }
};

const baseFile = (name: string, change: (file: Buffer) => Promise<Buffer>, refusal: string): Attack => ({
  name: `file of a base ${name}`,
  isMeasured: true,
  isLong: true,
  async run(scene) {
    const { table } = await stageOf(scene);
    const notify = await upload(table, await change(await exported(table)), 'application/x-tar');
    return demand(await table.call(importBase, { body: { notify, spaceId: table.spaceId } }), refusal);
  },
});

/** Almost as large as one may be. */
const largeManifest =
  (member: string, item: string) =>
  (file: Buffer): Promise<Buffer> =>
    withManifest(file, (manifest) =>
      JSON.stringify({ ...manifest, [member]: '@' }).replace(
        '"@"',
        `[${`${item},`.repeat(Math.floor(7_900_000 / (item.length + 1)))}${item}]`,
      ),
    );

const queried = (name: string, params: () => Record<string, unknown>, refusal: string): Attack => ({
  name,
  isMeasured: true,
  async run(scene) {
    const { table } = await stageOf(scene);
    const saved = await table.call(saveQuery, { body: { params: params() } });
    if (saved.status >= 300) return demand(saved, undefined);
    return demand(await table.call(listRecords, { params: table, query: { queryId: saved.body.queryId } }), refusal);
  },
});

const paste =
  (content: () => string) =>
  (table: TestTable): Promise<Heard> =>
    table.call(pasteIntoRanges, {
      params: table,
      body: {
        viewId: table.viewId,
        ranges: [
          [0, 0],
          [0, 0],
        ],
        content: content(),
      },
    });

const formula =
  (expression: string) =>
  (table: TestTable): Promise<Heard> =>
    table.call(createField, { params: table, body: { type: 'formula', options: { expression } } as never });

/** A calendar whose records hold all the text they may, with a character to be escaped everywhere and nowhere to break a line. */
const calendar = async (table: TestTable, { ground: { origin } }: Scene): Promise<Heard> => {
  const { call } = table;
  const days = await tableWith(table, [
    { name: 'Name', type: 'longText' },
    { name: 'Day', type: 'date' },
  ]);
  const view = await call(createView, { params: days, body: { type: 'calendar' } });
  for (let round = 0; round < 5; round += 1) {
    const fields = { Name: ';\u00e4'.repeat(490_000), Day: '2024-02-29T00:00:00.000Z' };
    const made = await call(createRecords, { params: days, body: { records: [{ fields }] } });
    if (made.status >= 300) return made;
  }
  const answer = await fetch(
    `${origin}/api/export/${days.tableId}?${new URLSearchParams({ format: 'ics', viewId: view.body.id }).toString()}`,
    { headers: { authorization: `Bearer ${table.owner.token}` } },
  );
  const { length } = await answer.text();
  return {
    status: answer.status === 200 && length > 5_000_000 ? 200 : 599,
    error: { message: `${answer.status}, ${length} characters` },
  };
};

/** A comment of as many pieces as there may be. */
const comment =
  (children: object[]) =>
  async (table: TestTable): Promise<Heard> => {
    const { body } = await table.call(createRecords, { params: table, body: { records: [{ fields: {} }] } });
    const content = Array.from({ length: 500 }, () => ({ type: 'p', children }));
    const params = { tableId: table.tableId, recordId: body.records[0]?.id as string };
    return table.call(createComment, { params, body: { content } as never });
  };

const pattern =
  (written: string, text = 'a'.repeat(90_000)) =>
  async (table: TestTable): Promise<Heard> => {
    const own = await tableWith(table, [{ name: 'Name', type: 'longText' }]);
    await own.call(createRecords, { params: own, body: { records: [{ fields: { Name: text } }] } });
    const made = await formula(`REGEXP_REPLACE({Name}, "${written}", "")`)(own);
    if (made.status >= 300) return made;
    return own.call(listRecords, { params: own, query: {} });
  };

const ordinary: WorstFile = {
  name: 'an ordinary CSV of 1 MB, for comparison',
  fileType: 'csv',
  contentType: 'text/csv',
  make: async () => Buffer.from(`Name,Count\n${'Ada Lovelace,1843\n'.repeat(58_000)}`),
};

const group = (filterSet: unknown[]): object => ({ conjunction: 'and', filterSet });

/** One of each kind is enough beside the tests of imports, which send all that are refused. */
const isFirst = ({ fileType }: WorstFile, at: number, all: WorstFile[]): boolean =>
  all.findIndex((file) => file.fileType === fileType) === at;
const shortFiles = refusedFiles.filter(isFirst);

export const attacks: Attack[] = [
  files(true)(ordinary),
  ...shortFiles.map(files(false)),
  ...costlyFiles.filter((file) => !shortFiles.includes(file)).map(files(true)),
  ...smallPictures.map(pictures(false)),
  ...largePictures.map(pictures(true)),
  queried(
    'TQL of 15,000 conditions',
    () => ({ filterByTql: `${'{Name}="" or '.repeat(15_000)}{Name}=""` }),
    'at most 1000 conditions',
  ),
  queried(
    'filter of 4,000 empty groups',
    () => ({
      filter: JSON.stringify(
        group(Array.from({ length: 4 }, () => group(Array.from({ length: 1_000 }, () => group([]))))),
      ),
    }),
    'at most 2000 conditions and groups',
  ),
  baseFile(
    'with rows that are unpacked to 300 MB',
    (file) => bombOf(file, 300, { hasLongRows: true }),
    'its rows are larger than what such a small file holds',
  ),
  baseFile('with rows of 60 MB in lines of a character', (file) => bombOf(file, 60), 'it has more tables'),
  baseFile(
    'with rows of 300 MB, of which its manifest is silent',
    (file) => bombOf(file, 300, { lies: true }),
    'more bytes than its manifest.json says',
  ),
  baseFile(
    'with 40,000 members without a byte',
    (file) =>
      withMembers(
        file,
        Array.from({ length: 40_000 }, (_, at) => [`m${at}`, Buffer.alloc(0)]),
      ),
    'order',
  ),
  baseFile(
    'with a member of 45 MB of nothing',
    (file) => withMembers(file, [['large', Buffer.alloc(45_000_000)]]),
    'at most',
  ),
  baseFile('with a manifest of 2.6 million empty objects', largeManifest('tables', '{}'), 'at most'),
  baseFile(
    'with a manifest of 190,000 sequences',
    largeManifest('sequences', '{"schema":"a","name":"b","value":"1"}'),
    'at most',
  ),
  sent(
    'paste of 19 MB of tabs',
    paste(() => '\t'.repeat(19_000_000)),
  ),
  sent(
    'paste of 19 MB of lines',
    paste(() => 'a\n'.repeat(9_500_000)),
  ),
  sent(
    'paste of 19 MB of quotes',
    paste(() => '"'.repeat(19_000_000)),
  ),
  sent('formula of 100,000 brackets', formula('('.repeat(100_000))),
  sent('formula of 50,000 sums', formula(`1${'+1'.repeat(50_000)}`)),
  sent('calendar of five records of 980,000 characters', calendar),
  sent('comment of 500,000 pieces', comment(Array.from({ length: 1_000 }, () => ({ type: 'span', value: '' })))),
  sent('comment of 500,000 mentions', comment(Array.from({ length: 1_000 }, () => ({ type: 'mention', value: 'x' })))),
  sent('pattern of repeats in repeats', pattern('(((a{1,99}){1,99}){1,99})*b')),
  sent('pattern that tries everything', pattern('(a*)*(a*)*(a|aa)+$b')),
  sent('pattern of 1,000 brackets', pattern(`${'('.repeat(490)}a${')'.repeat(490)}`)),
  sent('body of 900,000 objects', (table) =>
    table.call(createRecords, {
      params: table,
      body: { records: Array.from({ length: 900_000 }, () => ({})) as never },
    }),
  ),
];
