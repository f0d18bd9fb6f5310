// `npx tsx bench/cost.ts [--rounds=8] [--record] [--database=postgres://…]`: what the parts of a write cost: the row
// quota, the guard, live changes, limits of requests, the log. The server that is built runs beside copies of it in which one of them is cut out; `npm run build` first when the
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
import { createRunner, rateOf, type Round, type Runner } from './process/runner.ts';
import { type ScriptLine, writeScript } from './process/script.ts';
import { bundle, openStage, type Server, type Stage } from './process/stage.ts';
import { untilQuiet } from './process/usage.ts';
import { startWorker, type Worker } from './process/worker.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '8' },
    record: { type: 'boolean', default: false },
    database: { type: 'string' },
  },
});
const rounds = Number(options.rounds);

/** A copy of the server in which `found` is replaced: it must be there exactly once. */
const copyWithout = (name: string, found: RegExp, replacement: string): string => {
  const text = readFileSync(bundle, 'utf8');
  if (text.match(new RegExp(found, 'g'))?.length !== 1) throw new Error(`${found} is not in the server exactly once`);
  const file = join(bundle, `../main-without-${name}.js`);
  writeFileSync(
    file,
    text.replace(found, () => replacement),
  );
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
      body: {
        records: Array.from({ length: records }, (_record, at) => ({
          fields: cellsOf(ours.fields, line * records + at, 0, person),
        })),
      },
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
        return {
          method: 'PATCH' as const,
          path: `/api/table/${ground.ours.tableId}/record/${id}`,
          body: {
            record: { fields: { 'Text 1': cells['Text 1'], 'Number 1': cells['Number 1'], Status: cells['Status'] } },
          },
        };
      }),
    );
  },
  reset: async ({ stage, ours }) => {
    await stage.db.query(`truncate ${historyName(ours)}`);
    await stage.db.query(`vacuum ${tableName(ours)}`);
  },
};

const works = [
  creating('create 1 × 10, 16 clients', 1, 16, 5_000),
  creating('create 100 × 10, 4 clients', 100, 4, 300),
  updating,
];

const listen = async ({ token }: Stage, { origin }: Server, tableId: string): Promise<() => void> => {
  const asked = get(`${origin}/api/table/${tableId}/events?values=true`, {
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.on('error', () => undefined).resume();
  return () => void asked.destroy();
};

const listeners = 10;

interface Variant {
  name: string;
  program?: string;
  settings?: Record<string, string>;
  isListenedTo?: boolean;
}

/** What each variant did, round by round. */
const measure = async (
  stage: Stage,
  variants: readonly Variant[],
  servers: readonly Server[],
  work: Work,
): Promise<Round[][]> => {
  const ground = await newGround(stage, tenFields);
  const file = join(stage.folder, 'script.jsonl');
  writeScript(file, await work.prepare(ground));
  const workers: Worker[] = [];
  try {
    const runners: Runner[] = [];
    for (const [at, server] of servers.entries()) {
      const worker = await startWorker('http-load.ts', {
        token: stage.token,
        file,
        clients: work.clients,
        origin: server.origin,
      } satisfies HttpLoad);
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
        const at = runners.indexOf(runner);
        const ears =
          variants[at]?.isListenedTo === true
            ? await Promise.all(
                Array.from({ length: listeners }, () => listen(stage, servers[at] as Server, ground.ours.tableId)),
              )
            : [];
        await untilQuiet(stage.server.pid, stage.postgresPid);
        await runner.measure(work.requests);
        for (const close of ears) close();
      }
    }
    return runners.map((runner) => runner.rounds);
  } finally {
    for (const worker of workers) await worker.stop();
  }
};

const copies = {
  quota: copyWithout(
    'quota',
    /takeRows = \(spaceId, count, condition\) => sql`update[^`]*returning 1`/,
    'takeRows = (spaceId, count, condition) => sql`select 1 where ${condition}`',
  ),
  guard: copyWithout(
    'guard',
    /sql`\$\{versionSql\(table\)\} = \$\{table\.version\} and .*= \$\{epoch\}`/,
    'sql`${userId}::text is not null and ${spaceId}::text is not null and ${epoch}::bigint is not null`',
  ),
  live: copyWithout('live', /serving\.live = \{/, 'const unheard = {'),
};
const variants: Variant[] = [
  { name: 'as it is' },
  { name: 'as it is, again' },
  { name: 'without the row quota', program: copies.quota },
  { name: 'without the guard', program: copies.guard },
  { name: 'without live changes', program: copies.live },
  { name: 'without limits of requests', settings: { ROWHOUSE_PLANS: '' } },
  { name: 'with every request logged', settings: { LOG_LEVEL: 'info' } },
  { name: `with ${listeners} who listen`, isListenedTo: true },
];

/** Milliseconds of CPU for one request, of the server and PostgreSQL. */
const costOf = (round: Round): number => (1_000 * (round.nodeCpu + round.postgresCpu)) / rateOf(round);

const stage = await openStage({ database: options.database });
try {
  // None of them has done anything before: the one that comes with the stage has prepared the tables.
  const servers = await Promise.all(variants.map(({ program, settings }) => stage.startServer(program, settings)));
  const machine = await describeMachine(stage.db);
  const date = new Date().toISOString().slice(0, 10);
  const lines = [
    `# What the parts of a write cost, ${date}`,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.platform}; Node ${machine.node}, PostgreSQL ${machine.postgres} with fsync. Load, servers and PostgreSQL share the cores.`,
    '',
    `Requests per second, medians of ${rounds} rounds in which each takes its turn; in brackets the median of the ratios to the second of the two that are the same, round by round; then the CPU of server and PostgreSQL for a request, in ms. Above 1: it would be quicker without. How far the first of the two is from 1 is what chance does.`,
    '',
    `| | ${works.map(({ title }) => title).join(' | ')} |`,
    `|---|${works.map(() => '---:').join('|')}|`,
  ];
  const columns: string[][] = [];
  for (const work of works) {
    const measured = await measure(stage, variants, servers, work);
    const own = (measured[1] as Round[]).map(rateOf);
    columns.push(
      measured.map(
        (list, at) =>
          `${short(median(list.map(rateOf)))}${at === 1 ? '' : ` (${median(list.map((round, turn) => rateOf(round) / (own[turn] as number))).toFixed(3)})`}; ${median(list.map(costOf)).toFixed(2)}`,
      ),
    );
    console.error(`${work.title}: ${columns.at(-1)?.join(' | ')}`);
  }
  lines.push(...variants.map(({ name }, at) => `| ${name} | ${columns.map((column) => column[at]).join(' | ')} |`));
  const text = `${lines.join('\n')}\n`;
  console.log(text);
  if (options.record) {
    const folder = fileURLToPath(new URL('results', import.meta.url));
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${date}-cost.md`, text);
  }
} finally {
  await stage.close();
  for (const copy of Object.values(copies)) rmSync(copy, { force: true });
}
process.exit(0);
