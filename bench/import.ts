// `npx tsx bench/import.ts [--record]`: how long a file takes from the request that imports it to its last record, and what
// the server needs for it. It runs the server that is built; `npm run build` first when the sources are newer.
import { createWriteStream, mkdirSync, openAsBlob, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { callApi, newSpace } from './ground.ts';
import { describeMachine } from './machine.ts';
import { openStage, type Stage } from './process/stage.ts';
import { cpuOf, cpuOfFamily, memoryOf } from './process/usage.ts';

const { values: options } = parseArgs({
  options: { record: { type: 'boolean', default: false }, rows: { type: 'string', default: '1000000' } },
});

const writeCsv = async (path: string, rows: number, columns: number): Promise<void> => {
  const file = createWriteStream(path);
  const put = async (text: string): Promise<void> => {
    if (!file.write(text)) await once(file, 'drain');
  };
  await put(`${Array.from({ length: columns }, (_, at) => `Column ${at}`).join(',')}\n`);
  const cell = (row: number, at: number): string =>
    [
      `text ${row} ${at}`,
      String(row * 1.5 + at),
      `2024-0${1 + (row % 9)}-1${row % 10}`,
      row % 2 === 0 ? 'true' : 'false',
    ][at % 4] as string;
  for (let row = 0; row < rows; row += 1_000) {
    await put(
      Array.from(
        { length: Math.min(1_000, rows - row) },
        (_, n) => `${Array.from({ length: columns }, (_cell, at) => cell(row + n, at)).join(',')}\n`,
      ).join(''),
    );
  }
  file.end();
  await once(file, 'finish');
};

interface Analysis {
  worksheets: Record<string, { name: string; columns: { type: string; name: string }[] }>;
}

const measure = async (stage: Stage, baseId: string, rows: number, columns: number): Promise<string> => {
  const path = join(stage.folder, `${rows}.csv`);
  await writeCsv(path, rows, columns);
  const { size } = statSync(path);
  const { url, token } = await callApi<{ url: string; token: string }>(stage, 'POST', '/attachments/signature', {
    contentType: 'text/csv',
    contentLength: size,
    type: 5,
  });
  const before = memoryOf(stage.server.pid);
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, memoryOf(stage.server.pid))), 50);
  const sent = await fetch(url, {
    method: 'PUT',
    body: await openAsBlob(path),
    headers: { 'content-type': 'text/csv' },
  });
  if (!sent.ok) throw new Error(`the upload answered ${sent.status}`);
  const { presignedUrl } = await callApi<{ presignedUrl: string }>(
    stage,
    'POST',
    `/attachments/notify/${token}?filename=bench.csv`,
  );
  const { worksheets } = await callApi<Analysis>(
    stage,
    'GET',
    `/import/analyze?fileType=csv&attachmentUrl=${encodeURIComponent(presignedUrl)}`,
  );
  const [key, sheet] = Object.entries(worksheets)[0] as [string, Analysis['worksheets'][string]];
  const body = {
    attachmentUrl: presignedUrl,
    fileType: 'csv',
    tz: 'UTC',
    worksheets: {
      [key]: {
        name: `Rows ${rows}`,
        columns: sheet.columns.map((column, sourceColumnIndex) => ({ ...column, sourceColumnIndex })),
        useFirstRowAsHeader: true,
        importData: true,
      },
    },
  };
  const cpu = { server: cpuOf(stage.server.pid), postgres: cpuOfFamily(stage.postgresPid) };
  const start = performance.now();
  const answer = await fetch(`${stage.server.origin}/api/import/${baseId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  for (;;) {
    const job = await callApi<{ state: string; error?: string; progress?: { done: number } }>(
      stage,
      'GET',
      `/job/${answer.headers.get('x-job-id') ?? ''}`,
    );
    if (job.state === 'done' && job.progress?.done === rows) break;
    if (job.state === 'failed') throw new Error(job.error);
    await sleep(20);
  }
  const seconds = (performance.now() - start) / 1_000;
  clearInterval(watch);
  const [serverCpu, postgresCpu] = [
    cpuOf(stage.server.pid) - cpu.server,
    cpuOfFamily(stage.postgresPid) - cpu.postgres,
  ];
  return `| ${rows.toLocaleString('en-US')} × ${columns} | ${(size / 1e6).toFixed(1)} | ${seconds.toFixed(2)} | ${serverCpu.toFixed(2)} | ${postgresCpu.toFixed(2)} | ${Math.round(rows / seconds).toLocaleString('en-US')} | ${((peak - before) / 1_048_576).toFixed(0)} |`;
};

const stage = await openStage();
try {
  const { id: baseId } = await callApi<{ id: string }>(stage, 'POST', '/base', {
    spaceId: await newSpace(stage),
    name: 'Import',
  });
  const lines = [
    '| rows × columns | MB of CSV | seconds | CPU of the server, s | CPU of PostgreSQL, s | records/s | memory of the server above before, MB |',
    '|---|---|---|---|---|---|---|',
  ];
  await measure(stage, baseId, 1_000, 20);
  lines.push(await measure(stage, baseId, 10_000, 20), await measure(stage, baseId, Number(options.rows), 10));
  const { cpu, cores, memoryGb } = await describeMachine(stage.db);
  const text = `# Import\n\n${cpu}, ${cores} cores, ${memoryGb} GB. From the request to the last record, with the upload before it; every fourth column text, number, date and checkbox.\n\n${lines.join('\n')}\n`;
  console.log(text);
  if (options.record) {
    const folder = fileURLToPath(new URL('results', import.meta.url));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${new Date().toISOString().slice(0, 10)}-import.md`), text);
  }
} finally {
  await stage.close();
}
