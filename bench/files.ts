// `npx tsx bench/files.ts [--record] [--mb 2048]`: what the server needs for a large file: when it is uploaded, downloaded, downloaded as an
// archive, and imported. It runs the server that is built; `npm run build` first when the sources are newer.
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { callApi, newSpace } from './ground.ts';
import { describeMachine } from './machine.ts';
import { openStage, type Stage } from './process/stage.ts';
import { memoryOf } from './process/usage.ts';

const { values: options } = parseArgs({
  options: { record: { type: 'boolean', default: false }, mb: { type: 'string', default: '2048' } },
});

/** One line of CSV: a number, and a text that nobody imports. */
const lineOf = (row: number): string => `${String(row).padStart(9, '0')},${'abcdefgh'.repeat(1_278)}\n`;
const lineLength = lineOf(0).length;

function* lines(rows: number): Generator<Buffer> {
  yield Buffer.from('Number,Text\n');
  for (let row = 0; row < rows; row += 10)
    yield Buffer.from(Array.from({ length: Math.min(10, rows - row) }, (_, at) => lineOf(row + at)).join(''));
}

const send = (
  stage: Stage,
  method: string,
  url: string,
  headers: Record<string, string | number>,
  body?: Iterable<Buffer>,
): Promise<IncomingMessage> =>
  new Promise((done, fail) => {
    const sent = request(
      url,
      { method, headers: { authorization: `Bearer ${stage.token}`, ...headers }, agent: false },
      done,
    );
    sent.once('error', fail);
    if (body === undefined) sent.end();
    else pipeline(Readable.from(body), sent).catch(fail);
  });

const swallow = async (answer: IncomingMessage): Promise<number> => {
  if (answer.statusCode !== 200) throw new Error(`the answer was ${answer.statusCode}`);
  let size = 0;
  answer.on('data', (piece: Buffer) => (size += piece.length));
  await once(answer, 'end');
  return size;
};

const measured = async (stage: Stage, what: string, work: () => Promise<unknown>): Promise<string> => {
  await sleep(500);
  const before = memoryOf(stage.server.pid);
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, memoryOf(stage.server.pid))), 20);
  const start = performance.now();
  await work();
  clearInterval(watch);
  const seconds = (performance.now() - start) / 1_000;
  return `| ${what} | ${seconds.toFixed(1)} | ${(before / 1_048_576).toFixed(0)} | ${(peak / 1_048_576).toFixed(0)} | ${((peak - before) / 1_048_576).toFixed(0)} |`;
};

interface Job {
  state: string;
  error?: string;
}

const run = async (stage: Stage, baseId: string, megabytes: number): Promise<string[]> => {
  const rows = Math.floor((megabytes * 1_048_576) / lineLength);
  const size = 'Number,Text\n'.length + rows * lineLength;
  const { url, token } = await callApi<{ url: string; token: string }>(stage, 'POST', '/attachments/signature', {
    contentType: 'text/csv',
    contentLength: size,
    type: 1,
    baseId,
  });
  const made = [
    await measured(stage, 'upload', async () =>
      swallow(await send(stage, 'PUT', url, { 'content-type': 'text/csv', 'content-length': size }, lines(rows))),
    ),
  ];
  const { presignedUrl } = await callApi<{ presignedUrl: string }>(
    stage,
    'POST',
    `/attachments/notify/${token}?filename=bench.csv`,
  );
  const table = await callApi<{ id: string; fields: { id: string; name: string }[] }>(
    stage,
    'POST',
    `/base/${baseId}/table`,
    {
      name: 'Files',
      fields: [
        { name: 'Number', type: 'number' },
        { name: 'Files', type: 'attachment' },
      ],
      records: [],
    },
  );
  const idOf = (name: string): string => table.fields.find((field) => field.name === name)?.id ?? '';
  const { records } = await callApi<{ records: { id: string }[] }>(stage, 'POST', `/table/${table.id}/record`, {
    records: [{ fields: { Files: [{ token, name: 'bench.csv' }] } }],
  });
  const read = async (address: string, atLeast: number): Promise<void> => {
    const got = await swallow(await send(stage, 'GET', address, {}));
    if (got < atLeast) throw new Error(`${got} bytes came`);
  };
  made.push(await measured(stage, 'download', () => read(presignedUrl, size)));
  made.push(
    await measured(stage, 'download as an archive', () =>
      read(
        `${stage.server.origin}/api/table/${table.id}/record/${records[0]?.id}/${idOf('Files')}/downloadAttachments`,
        1,
      ),
    ),
  );
  made.push(
    await measured(stage, `import of one column, ${rows.toLocaleString('en-US')} rows`, async () => {
      const answer = await send(
        stage,
        'PATCH',
        `${stage.server.origin}/api/import/${baseId}/${table.id}`,
        { 'content-type': 'application/json' },
        [
          Buffer.from(
            JSON.stringify({
              attachmentUrl: presignedUrl,
              fileType: 'csv',
              insertConfig: {
                sourceWorkSheetKey: 'Import Table',
                excludeFirstRow: true,
                sourceColumnMap: { [idOf('Number')]: 0 },
              },
            }),
          ),
        ],
      );
      answer.resume();
      for (;;) {
        const { state, error } = await callApi<Job>(stage, 'GET', `/job/${String(answer.headers['x-job-id'])}`);
        if (state === 'done') return;
        if (state === 'failed') throw new Error(error);
        await sleep(50);
      }
    }),
  );
  return made;
};

const stage = await openStage();
try {
  const { id: baseId } = await callApi<{ id: string }>(stage, 'POST', '/base', {
    spaceId: await newSpace(stage),
    name: 'Files',
  });
  // What a server grows to by working at all is not the price of a file.
  await run(stage, baseId, 64);
  const table = [
    '| | seconds | memory before, MB | at most, MB | more, MB |',
    '|---|---|---|---|---|',
    ...(await run(stage, baseId, Number(options.mb))),
  ];
  const { cpu, cores, memoryGb } = await describeMachine(stage.db);
  const text = `# Files\n\n${cpu}, ${cores} cores, ${memoryGb} GB. A file of ${options.mb} MB in a folder; memory is what the process of the server has in memory (RSS), after a first round with 64 MB.\n\n${table.join('\n')}\n`;
  console.log(text);
  if (options.record) {
    const folder = fileURLToPath(new URL('results', import.meta.url));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${new Date().toISOString().slice(0, 10)}-files.md`), text);
  }
} finally {
  await stage.close();
}
