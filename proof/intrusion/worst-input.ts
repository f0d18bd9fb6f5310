// Small inputs that are a lot of work, for everything that reads what a request sends. They are refused, or cost little.
import { setTimeout as sleep } from 'node:timers/promises';
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { exportBase, importBase } from '@rowhouse/contract/base-file.ts';
import { createField } from '@rowhouse/contract/field.ts';
import { analyzeImport } from '@rowhouse/contract/import.ts';
import { getJob } from '@rowhouse/contract/job.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { saveQuery } from '@rowhouse/contract/saved-query.ts';
import { pasteIntoRanges } from '@rowhouse/contract/selection.ts';
import { createShareSignature, enableShare, notifyShareFile } from '@rowhouse/contract/share.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { bombOf, withManifest } from '../../test/support/bomb.ts';
import { caller } from '../../test/support/caller.ts';
import { ground as newGround, tableWith, type TestTable } from '../../test/support/table.ts';
import { costlyFiles, refusedFiles, type WorstFile } from '../../test/support/worst-files.ts';
import { largePictures, smallPictures, type WorstPicture } from '../../test/support/worst-pictures.ts';
import { type Attack, type Scene, unless } from './attack.ts';

interface Stage {
  table: TestTable;
  /** Of a form that takes files. */
  shareId: string;
}

const stages = new WeakMap<Scene, Promise<Stage>>();

const build = async ({ ground }: Scene): Promise<Stage> => {
  const table = await tableWith(await newGround(ground), [
    { name: 'Name', type: 'longText' },
    { name: 'Files', type: 'attachment' },
  ]);
  const form = await table.call(createView, {
    params: table,
    body: { type: 'form', columnMeta: { [table.fieldIds['Files'] as string]: { visible: true } } },
  });
  const share = await table.call(enableShare, { params: { tableId: table.tableId, viewId: form.body.id } });
  return { table, shareId: share.body.shareId };
};

const stageOf = (scene: Scene): Promise<Stage> => {
  const found = stages.get(scene) ?? build(scene);
  stages.set(scene, found);
  return found;
};

interface Heard {
  status: number;
  error: { message?: string } | undefined;
}

/** A part of the refusal, or undefined for what is taken. */
const demand = ({ status, error }: Heard, refusal: string | undefined): string[] =>
  refusal === undefined
    ? unless(status < 300, `answered ${status}: ${error?.message ?? ''}`)
    : unless(
        [400, 413].includes(status) && error?.message?.includes(refusal) === true,
        `answered ${status}: ${error?.message ?? ''}`,
      );

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

/** Taken or refused: what counts is what it costs. */
const sent = (name: string, send: (table: TestTable) => Promise<Heard>): Attack => ({
  name,
  isMeasured: true,
  isLong: true,
  async run(scene) {
    const { status, error } = await send((await stageOf(scene)).table);
    return unless(status < 500, `answered ${status}: ${error?.message ?? ''}`);
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
    (file) => bombOf(file, 300),
    'its rows are larger than what such a small file holds',
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
  sent('body of 900,000 objects', (table) =>
    table.call(createRecords, {
      params: table,
      body: { records: Array.from({ length: 900_000 }, () => ({})) as never },
    }),
  ),
];
