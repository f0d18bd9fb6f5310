// `npx tsx bench/socket.ts [--listeners=50] [--rate=20] [--seconds=10] [--record]`: the same load heard over streams of events and over the
// socket, in one run: how long after a write begins it is heard, and what that costs the server.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { percentile, short } from './figures.ts';
import { callApi, newSpace, newTable } from './ground.ts';
import { describeMachine } from './machine.ts';
import { openStage, type Stage } from './process/stage.ts';
import { cpuOf, memoryOf } from './process/usage.ts';

const { values: options } = parseArgs({
  options: {
    listeners: { type: 'string', default: '50' },
    rate: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '10' },
    record: { type: 'boolean', default: false },
  },
});
const listeners = Number(options.listeners);
const rate = Number(options.rate);
const seconds = Number(options.seconds);
const records = 100;

type Hear = (text: string) => void;
type Way = (stage: Stage, tableId: string, hear: Hear) => Promise<() => void>;

const byEvents: Way = async ({ server, token }, tableId, hear) => {
  const asked = get(`${server.origin}/api/table/${tableId}/events?values=true`, {
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  response.on('data', (chunk: Buffer) => hear(chunk.toString('latin1')));
  return () => void asked.destroy();
};

const bySocket: Way = async ({ server, token }, tableId, hear) => {
  const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/socket`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await once(socket, 'open');
  const answered = new Promise<void>((done) =>
    socket.on('message', (data: Buffer) => {
      const text = data.toString('latin1');
      if (text.includes('"a":"qs"')) done();
      else hear(text);
    }),
  );
  socket.send(JSON.stringify({ a: 'hs', id: null }));
  socket.send(JSON.stringify({ a: 'qs', id: 1, c: `rec_${tableId}`, q: { take: records } }));
  await answered;
  return () => socket.terminate();
};

interface Figures {
  delays: number[];
  /** Seconds of one core. */
  cpu: number;
  /** Bytes for each listener. */
  memory: number;
  heard: number;
}

const measure = async (stage: Stage, way: Way): Promise<Figures> => {
  const table = await newTable(stage, await newSpace(stage), [{ name: 'Text', type: 'singleLineText' } as never]);
  const made = await callApi<{ records: { id: string }[] }>(stage, 'POST', `/table/${table.tableId}/record`, {
    records: Array.from({ length: records }, () => ({ fields: { Text: 'begin' } })),
  });
  const before = memoryOf(stage.server.pid);
  const delays: number[] = [];
  let latest = 0;
  const ends = await Promise.all(
    Array.from({ length: listeners }, () =>
      way(stage, table.tableId, (text) => {
        // The first field is also the name of the record: its value may be there twice.
        for (const at of new Set(text.match(/at \d+\/\d+/g)))
          delays.push(Date.now() - Number(at.slice(3).split('/')[0]));
        latest = Date.now();
      }),
    ),
  );
  await sleep(1_000);
  const memory = (memoryOf(stage.server.pid) - before) / listeners;
  const cpu = cpuOf(stage.server.pid);
  const begun = performance.now();
  const pending: Promise<unknown>[] = [];
  for (let sent = 0; sent < rate * seconds; sent += 1) {
    const due = begun + (sent * 1_000) / rate;
    if (due > performance.now()) await sleep(due - performance.now());
    const { id } = made.records[sent % records] as { id: string };
    pending.push(
      callApi(stage, 'PATCH', `/table/${table.tableId}/record/${id}`, {
        fieldKeyType: 'name',
        record: { fields: { Text: `at ${Date.now()}/${sent}` } },
      }),
    );
  }
  await Promise.all(pending);
  while (Date.now() - latest < 1_500) await sleep(100);
  const used = cpuOf(stage.server.pid) - cpu;
  for (const end of ends) end();
  return { delays, cpu: used, memory, heard: delays.length / listeners };
};

const stage = await openStage();
try {
  await measure(stage, byEvents);
  const events = await measure(stage, byEvents);
  const socket = await measure(stage, bySocket);
  const machine = await describeMachine(stage.db);
  const date = new Date().toISOString().slice(0, 10);
  const row = (name: string, of: (figures: Figures) => number): string =>
    `| ${name} | ${short(of(events))} | ${short(of(socket))} | ${short(of(socket) / of(events))} |`;
  const text = [
    `# Socket beside streams of events, ${date}`,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.platform}; Node ${machine.node}, PostgreSQL ${machine.postgres}. Load, server and PostgreSQL share the cores.`,
    '',
    `${listeners} listeners, ${rate} updates a second of a table of ${records} records, for ${seconds} s, one way after the other in one run. Over the socket each subscribes to a query of all records.`,
    '',
    '| figure | events | socket | ratio |',
    '|---|---:|---:|---:|',
    row('from before the request until heard, p50 ms', ({ delays }) => percentile(delays, 0.5)),
    row('the same, p95 ms', ({ delays }) => percentile(delays, 0.95)),
    row('CPU of the server, s', ({ cpu }) => cpu),
    row('memory of the server for each listener, kB', ({ memory }) => memory / 1e3),
    row('changes heard by each listener', ({ heard }) => heard),
    '',
  ].join('\n');
  console.log(text);
  if (options.record) writeFileSync(`${fileURLToPath(new URL('results', import.meta.url))}/${date}-socket.md`, text);
} finally {
  await stage.close();
}
process.exit(0);
