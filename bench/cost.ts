// `npx tsx bench/cost.ts [--rounds=8] [--record]`: what the row quota and the live changes cost those who write. The
// server that is built runs beside copies of it in which one of them is cut out; `npm run build` first when the
// sources are newer.
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cellsOf, tenFields } from './cells.ts';
import { median, short } from './figures.ts';
import { fill, type Ground, historyName, newGround, tableName } from './ground.ts';
import { describeMachine } from './machine.ts';
import type { HttpLoad } from './process/http-load.ts';
import { createRunner, rateOf, type Runner } from './process/runner.ts';
import { type ScriptLine, writeScript } from './process/script.ts';
import { bundle, openStage, type Server, type Stage } from './process/stage.ts';
import { untilQuiet } from './process/usage.ts';
import { startWorker, type Worker } from './process/worker.ts';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '8' }, record: { type: 'boolean', default: false } } });
const rounds = Number(options.rounds);

/** A copy of the server in which `found` is replaced: it must be there exactly once. */
const copyWithout = (name: string, found: RegExp, replacement: string): string => {
  const text = readFileSync(bundle, 'utf8');
  if (text.match(new RegExp(found, 'g'))?.length !== 1) throw new Error(`${found} is not in the server exactly once`);
  const file = join(bundle, `../main-without-${name}.js`);
  writeFileSync(file, text.replace(found, () => replacement));
  return file;
};

interface Work {
  title: string;
  clients: number;
  requests: number;
  prepare(ground: Ground): Promise<ScriptLine[]>;
  reset(ground: Ground): Promise<void>;
}

const creating = (title: string, records: number, clients: number, requests: number): Work => ({
  title,
  clients,
  requests,
  prepare: async ({ ours, person }) =>
    Array.from({ length: Math.ceil(10_000 / records) }, (_, line) => ({
      method: 'POST',
      path: `/api/table/${ours.tableId}/record`,
      body: { records: Array.from({ length: records }, (_record, at) => ({ fields: cellsOf(ours.fields, line * records + at, 0, person) })) },
    })),
  reset: async ({ stage, ours }) => void (await stage.db.query(`truncate ${tableName(ours)}`)),
});

const updating: Work = {
  title: 'update 1 × 3 with history, 16 clients',
  clients: 16,
  requests: 3_000,
  prepare: async (ground) => {
    const ids = await fill(ground, 3_000);
    return [1, 2].flatMap((variant) =>
      ids.map((id, row) => {
        const cells = cellsOf(ground.ours.fields, row, variant, ground.person);
        return { method: 'PATCH' as const, path: `/api/table/${ground.ours.tableId}/record/${id}`, body: { record: { fields: { 'Text 1': cells['Text 1'], 'Number 1': cells['Number 1'], Status: cells['Status'] } } } };
      }),
    );
  },
  reset: async ({ stage, ours }) => {
    await stage.db.query(`truncate ${historyName(ours)}`);
    await stage.db.query(`vacuum ${tableName(ours)}`);
  },
};

const works = [creating('create 1 × 10, 16 clients', 1, 16, 5_000), creating('create 100 × 10, 4 clients', 100, 4, 300), updating];

const listen = async ({ token }: Stage, { origin }: Server, tableId: string): Promise<() => void> => {
  const asked = get(`${origin}/api/table/${tableId}/events?values=true`, { headers: { authorization: `Bearer ${token}` }, agent: false });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.on('error', () => undefined).resume();
  return () => void asked.destroy();
};

const listeners = 10;
const names = ['as it is', 'as it is, again', 'without the row quota', 'without live changes', `with ${listeners} who listen`];

/** The rates of each variant, round by round. */
const measure = async (stage: Stage, servers: readonly Server[], work: Work): Promise<number[][]> => {
  const ground = await newGround(stage, tenFields);
  const file = join(stage.folder, 'script.jsonl');
  writeScript(file, await work.prepare(ground));
  const workers: Worker[] = [];
  try {
    const runners: Runner[] = [];
    for (const [at, server] of servers.entries()) {
      const worker = await startWorker('http-load.ts', { token: stage.token, file, clients: work.clients, origin: server.origin } satisfies HttpLoad);
      workers.push(worker);
      runners.push(createRunner(worker, server.pid, stage.postgresPid, at));
    }
    for (const runner of runners) await runner.warmUp(work.requests);
    for (let round = 0; round < rounds; round += 1) {
      // Anyone who comes first in one round comes last in the next.
      for (const runner of round % 2 === 0 ? runners : runners.toReversed()) {
        await work.reset(ground);
        await stage.db.query('checkpoint');
        // Only in its own turn: they would hear of what the others write, too.
        const ears = runner === runners[4] ? await Promise.all(Array.from({ length: listeners }, () => listen(stage, servers[4] as Server, ground.ours.tableId))) : [];
        await untilQuiet(stage.server.pid, stage.postgresPid);
        await runner.measure(work.requests);
        for (const close of ears) close();
      }
    }
    return runners.map((runner) => runner.rounds.map(rateOf));
  } finally {
    for (const worker of workers) await worker.stop();
  }
};

const copies = [
  copyWithout('quota', /takeRows = \(spaceId, count, condition\) => sql`update[^`]*returning 1`/, 'takeRows = (spaceId, count, condition) => sql`select 1 where ${condition}`'),
  copyWithout('live', /serving\.live = \{/, 'const unheard = {'),
];
const stage = await openStage();
try {
  // None of them has done anything before: the one that comes with the stage has prepared the tables.
  const servers = await Promise.all([undefined, undefined, ...copies, undefined].map((program) => stage.startServer(program)));
  const machine = await describeMachine(stage.db);
  const date = new Date().toISOString().slice(0, 10);
  const lines = [
    `# What limits and live changes cost, ${date}`,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.platform}; Node ${machine.node}, PostgreSQL ${machine.postgres} with fsync. Load, servers and PostgreSQL share the cores.`,
    '',
    `Requests per second, medians of ${rounds} rounds in which each takes its turn; in brackets the median of the ratios to the second of the two that are the same, round by round. Above 1: it would be quicker without. How far the first of the two is from 1 is what chance does.`,
    '',
    `| | ${names.join(' | ')} |`,
    `|---|${names.map(() => '---:').join('|')}|`,
  ];
  for (const work of works) {
    const rates = await measure(stage, servers, work);
    const own = rates[1] as number[];
    const cells = rates.map((list, at) => (at === 1 ? short(median(list)) : `${short(median(list))} (${median(list.map((rate, round) => rate / (own[round] as number))).toFixed(3)})`));
    lines.push(`| ${work.title} | ${cells.join(' | ')} |`);
    console.error(lines.at(-1));
  }
  const text = `${lines.join('\n')}\n`;
  console.log(text);
  if (options.record) {
    const folder = fileURLToPath(new URL('results', import.meta.url));
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${date}-cost.md`, text);
  }
} finally {
  await stage.close();
  for (const copy of copies) rmSync(copy, { force: true });
}
process.exit(0);
