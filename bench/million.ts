// `npx tsx bench/million.ts [--records=1000000] [--rounds=15] [--record]`: what people do in a large table, through the server over HTTP, each beside a statement by hand on a twin of the table that
// has the indexes one would give it for that. It runs the server that is built; `npm run build` first when the sources are newer.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { tenFields } from './cells.ts';
import { median, short } from './figures.ts';
import { callApi, newSpace, newTable, tableName } from './ground.ts';
import { describeMachine } from './machine.ts';
import { type Gesture, gesturesOf, twinIndexes } from './million/gestures.sql.ts';
import { measureWriters, type WriterCost } from './million/writers.ts';
import { openStage, type Stage } from './process/stage.ts';
import { fillSql } from './query/raw-query.sql.ts';

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '15' },
    record: { type: 'boolean', default: false },
  },
});
const records = Number(options.records);
const rounds = Number(options.rounds);

interface Timed {
  gesture: Gesture;
  /** Before anything was asked twice. */
  first: number;
  ours: number;
  raw: number;
  ratio: number;
}

const mustRatio = 0.5;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

const isWorking = async ({ db }: Stage): Promise<boolean> => {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from rowhouse.jobs where state in ('waiting', 'running') and kind in ('index-query', 'index-search', 'build-view-indexes')`,
  );
  return (rows[0]?.count ?? 0) > 0;
};

const untilIdle = async (stage: Stage): Promise<void> => {
  // A server takes a table for one without an index of searches for two seconds after a look.
  do await new Promise((done) => setTimeout(done, 2_500));
  while (await isWorking(stage));
};

const measure = async (stage: Stage, gestures: readonly Gesture[]): Promise<Timed[]> => {
  const ask = ({ path }: Gesture): Promise<unknown> => callApi(stage, 'GET', path);
  const first = new Map<Gesture, number>();
  for (const gesture of gestures) first.set(gesture, await timed(() => ask(gesture)));
  // What took long is asked for again: whatever the server makes of that is made now.
  for (const gesture of gestures) await ask(gesture);
  const begun = performance.now();
  await untilIdle(stage);
  console.error(`  indexes after ${Math.round((performance.now() - begun) / 1_000)} s`);
  const found: Timed[] = [];
  for (const gesture of gestures) {
    const sides: { ours: number; raw: number }[] = [];
    for (let round = -2; round < rounds; round += 1) {
      const raw = await timed(() => stage.db.query(gesture.raw));
      const ours = await timed(() => ask(gesture));
      if (round >= 0) sides.push({ ours, raw });
    }
    found.push({
      gesture,
      first: first.get(gesture) as number,
      ours: median(sides.map(({ ours }) => ours)),
      raw: median(sides.map(({ raw }) => raw)),
      ratio: median(sides.map(({ ours, raw }) => raw / ours)),
    });
    console.error(`  ${gesture.name}: ${short(found.at(-1)?.ours ?? 0)} ms`);
  }
  return found;
};

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;

const pageOf = async (stage: Stage, found: readonly Timed[], writers: readonly WriterCost[]): Promise<string> => {
  const machine = await describeMachine(stage.db);
  return [
    `# A large table, ${new Date().toISOString().slice(0, 10)}`,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.platform}; Node ${machine.node}, PostgreSQL ${machine.postgres}. Load, server and PostgreSQL share the cores.`,
    '',
    `${records.toLocaleString('en')} records × 10 fields, pages of 100, one client, milliseconds, medians of ${rounds} rounds. *First*: before anything was asked twice. Raw: the statement by hand, without HTTP, on a twin with indexes for it. The ratio is raw to over HTTP, median of the rounds.`,
    '',
    row('gesture', 'first', 'over HTTP', 'must', '', 'raw', 'ratio', `must ${mustRatio}`),
    row('---', '---:', '---:', '---:', '---', '---:', '---:', '---'),
    ...found.map(({ gesture: { name, must }, first, ours, raw, ratio }) =>
      row(
        name,
        short(first),
        `**${short(ours)}**`,
        String(must),
        ours <= must ? 'reached' : 'missed',
        short(raw),
        ratio.toFixed(2),
        ratio >= mustRatio ? 'reached' : 'missed',
      ),
    ),
    '',
    '## What indexes cost those who write: 1,000 × 10 in a request, medians',
    '',
    row('table with', 'ms', 'to none'),
    row('---', '---:', '---:'),
    ...writers.map(({ name, milliseconds, ratio }) => row(name, short(milliseconds), ratio.toFixed(2))),
    '',
  ].join('\n');
};

const stage = await openStage();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void stage.close().finally(() => process.exit(130)));
try {
  const spaceId = await newSpace(stage);
  const [ours, twin] = [await newTable(stage, spaceId, tenFields), await newTable(stage, spaceId, tenFields)];
  for (const table of [ours, twin]) await stage.db.query(fillSql(table, records, stage.userId));
  console.error('indexes by hand …');
  for (const statement of twinIndexes(twin)) await stage.db.query(statement);
  for (const table of [ours, twin]) await stage.db.query(`vacuum analyze ${tableName(table)}`);
  console.error('gestures …');
  const found = await measure(stage, gesturesOf(ours, twin, records));
  console.error('writers …');
  const writers = await measureWriters(stage, spaceId, rounds);
  const page = await pageOf(stage, found, writers);
  console.log(page);
  if (options.record) {
    const folder = fileURLToPath(new URL('results', import.meta.url));
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${new Date().toISOString().slice(0, 10)}-million.md`, page);
  }
} finally {
  await stage.close();
}
