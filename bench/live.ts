// `npx tsx bench/live.ts [--listeners=1000] [--rate=200] [--seconds=20] [--record]`: how long after a write begins it is
// heard by those who listen to its table, and what they cost. It runs the server that is built; `npm run build` first
// when the sources are newer.
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { percentile, short } from './figures.ts';
import { callApi, newSpace, newTable } from './ground.ts';
import { describeMachine } from './machine.ts';
import type { ListenLoad } from './process/listen-load.ts';
import { openStage, type Stage } from './process/stage.ts';
import { cpuOf, memoryOf, peakMemoryOf } from './process/usage.ts';
import { startWorker } from './process/worker.ts';

const { values: options } = parseArgs({
  options: {
    listeners: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
    record: { type: 'boolean', default: false },
  },
});
const listeners = Number(options.listeners);
const rate = Number(options.rate);
const seconds = Number(options.seconds);

/** Every event of these is read; the others, in a process of their own, only count them. */
const readers = 20;

interface Ear {
  count: number;
  close(): void;
}

const listen = async ({ server, token }: Stage, path: string, heard: (sentAt: number) => void): Promise<Ear> => {
  const asked = get(`${server.origin}${path}`, { headers: { authorization: `Bearer ${token}` }, agent: false });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const ear: Ear = { count: 0, close: () => void asked.destroy() };
  response.on('error', () => undefined);
  response.on('data', (chunk: Buffer) => {
    for (const [, sentAt] of chunk.toString('latin1').matchAll(/"at (\d+)"/g)) {
      ear.count += 1;
      heard(Number(sentAt));
    }
  });
  return ear;
};

const update = (stage: Stage, agent: Agent, tableId: string, recordId: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify({ fieldKeyType: 'name', record: { fields: { Text: `at ${Date.now()}` } } });
    const sent = request(`${stage.server.origin}/api/table/${tableId}/record/${recordId}`, {
      method: 'PATCH',
      agent,
      headers: {
        authorization: `Bearer ${stage.token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`an update answered ${response.statusCode}`)),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });

const stage = await openStage();
try {
  const table = await newTable(stage, await newSpace(stage), [{ name: 'Text', type: 'singleLineText' } as never]);
  const made = await callApi<{ records: { id: string }[] }>(stage, 'POST', `/table/${table.tableId}/record`, {
    records: Array.from({ length: 500 }, () => ({ fields: { Text: 'begin' } })),
  });
  const before = memoryOf(stage.server.pid);
  const delays: number[] = [];
  const path = `/api/table/${table.tableId}/events?values=true`;
  const ears = await Promise.all(
    Array.from({ length: readers }, () => listen(stage, path, (sentAt) => void delays.push(Date.now() - sentAt))),
  );
  const crowd = await startWorker('listen-load.ts', {
    origin: stage.server.origin,
    token: stage.token,
    path,
    listeners: listeners - readers,
  } satisfies ListenLoad);
  await sleep(2_000);
  const idle = memoryOf(stage.server.pid);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const cpu = cpuOf(stage.server.pid);
  const pending: Promise<void>[] = [];
  const answered: number[] = [];
  const begun = performance.now();
  for (let sent = 0; sent < rate * seconds; sent += 1) {
    const due = begun + (sent * 1_000) / rate;
    if (due > performance.now()) await sleep(due - performance.now());
    const at = performance.now();
    const { id } = made.records[sent % made.records.length] as { id: string };
    pending.push(update(stage, agent, table.tableId, id).then(() => void answered.push(performance.now() - at)));
  }
  await Promise.all(pending);
  const took = (performance.now() - begun) / 1_000;
  const used = cpuOf(stage.server.pid) - cpu;
  const total = rate * seconds;
  const counts = async (): Promise<number[]> => [...ears.map(({ count }) => count), ...(await crowd.ask<number[]>({}))];
  for (let waited = 0; waited < 100 && (await counts()).some((count) => count < total); waited += 1) await sleep(100);
  const complete = (await counts()).filter((count) => count === total).length;
  const machine = await describeMachine(stage.db);
  const date = new Date().toISOString().slice(0, 10);
  const text = [
    `# Live, ${date}`,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.platform}; Node ${machine.node}, PostgreSQL ${machine.postgres}. Load, server and PostgreSQL share the cores.`,
    '',
    `${listeners} listeners with values on one table, ${rate} updates a second wanted, ${short(total / took)} reached, for ${seconds} s.`,
    '',
    '| figure | |',
    '|---|---|',
    `| from before the request until heard, p50 / p95 / p99 ms | ${[0.5, 0.95, 0.99].map((part) => short(percentile(delays, part))).join(' / ')} |`,
    `| answer to the update, p50 / p95 ms | ${[0.5, 0.95].map((part) => short(percentile(answered, part))).join(' / ')} |`,
    `| listeners that heard all ${total} | ${complete} of ${listeners} |`,
    `| memory of the server: before, with listeners, at the peak, MB | ${[before, idle, peakMemoryOf(stage.server.pid)].map((bytes) => short(bytes / 1e6)).join(', ')} |`,
    `| CPU of the server | ${short((100 * used) / took)} % of one core |`,
    '',
  ].join('\n');
  console.log(text);
  if (options.record) {
    const folder = fileURLToPath(new URL('results', import.meta.url));
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${date}-live.md`, text);
  }
  for (const ear of ears) ear.close();
  await crowd.stop();
  agent.destroy();
} finally {
  await stage.close();
}
process.exit(0);
