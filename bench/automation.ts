// `npx tsx bench/automation.ts [--rate=1000] [--seconds=10] [--rounds=3] [--record]`: what automations cost those who write. Records are created at a rate in a base without
// automations and in one where each of them starts one, by turns. It runs the server that is built; `npm run build` first when the sources are newer.
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median, percentile, short } from './figures.ts';
import { callApi, newSpace, newTable } from './ground.ts';
import { describeMachine } from './machine.ts';
import { openStage, type Stage } from './process/stage.ts';

const { values: options } = parseArgs({
  options: {
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    record: { type: 'boolean', default: false },
  },
});
const rate = Number(options.rate);
const seconds = Number(options.seconds);
const rounds = Number(options.rounds);
/** Records of a request. */
const each = 20;
const writers = 8;
const fields = [{ name: 'Text', type: 'singleLineText' } as never];

/** With one that writes a record into a log for each record of the table. */
const newAutomated = async (stage: Stage): Promise<{ tableId: string; automationId: string }> => {
  const { baseId, tableId } = await newTable(stage, await newSpace(stage), fields);
  const log = await callApi<{ id: string }>(stage, 'POST', `/base/${baseId}/table`, {
    name: 'Log',
    fields,
    records: [],
  });
  const { id } = await callApi<{ id: string }>(stage, 'POST', `/base/${baseId}/automation`, {
    name: 'Log',
    trigger: { type: 'recordCreated', tableId },
    steps: [
      { type: 'createRecord', id: 'log', tableId: log.id, fields: { Text: { template: '{trigger.recordName}' } } },
    ],
  });
  await callApi(stage, 'POST', `/base/${baseId}/automation/${id}/activate`);
  return { tableId, automationId: id };
};

interface Round {
  /** Records a second that were acknowledged. */
  rate: number;
  delays: number[];
}

/** As many records as the rate wants, and no more: what the server has left it may use for runs. */
const write = async (stage: Stage, tableId: string): Promise<Round> => {
  const delays: number[] = [];
  const requests = Math.round((rate * seconds) / each);
  const begun = performance.now();
  let next = 0;
  const one = async (): Promise<void> => {
    for (let at = next; at < requests; at = next) {
      next += 1;
      const due = begun + (at * each * 1_000) / rate;
      if (due > performance.now()) await sleep(due - performance.now());
      const from = performance.now();
      const records = Array.from({ length: each }, (_, index) => ({ fields: { Text: `record ${at * each + index}` } }));
      await callApi(stage, 'POST', `/table/${tableId}/record`, { records });
      delays.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: writers }, one));
  return { rate: (requests * each * 1_000) / (performance.now() - begun), delays };
};

const countRuns = async ({ db }: Stage, automationId: string, state: string): Promise<number> =>
  (
    await db.query<{ count: number }>(
      `select count(*)::int as count from rowhouse.automation_runs where automation_id = $1 and ($2 = '' or state = $2)`,
      [automationId, state],
    )
  ).rows[0]?.count ?? 0;

const stage = await openStage();
try {
  await stage.server.stop();
  // The limit of runs in a minute is no matter here.
  stage.server = await stage.startServer(undefined, { ROWHOUSE_AUTOMATION_RUNS_PER_MINUTE: '1000000' });
  const { tableId: plain } = await newTable(stage, await newSpace(stage), fields);
  const { tableId, automationId } = await newAutomated(stage);
  const without: Round[] = [];
  const beside: Round[] = [];
  const taken: number[] = [];
  const done: number[] = [];
  await write(stage, plain);
  for (let round = 0; round < rounds; round += 1) {
    without.push(await write(stage, plain));
    const before = await countRuns(stage, automationId, '');
    const begun = performance.now();
    beside.push(await write(stage, tableId));
    const wanted = before + Math.round((rate * seconds) / each) * each;
    while ((await countRuns(stage, automationId, '')) < wanted) await sleep(20);
    taken.push(((wanted - before) * 1_000) / (performance.now() - begun));
    while ((await countRuns(stage, automationId, 'success')) < wanted) await sleep(100);
    done.push(((wanted - before) * 1_000) / (performance.now() - begun));
    console.log(
      `round ${round + 1}: ${short(taken.at(-1) ?? 0)} triggers a second taken, ${short(done.at(-1) ?? 0)} runs a second done`,
    );
  }
  const machine = await describeMachine(stage.db);
  const date = new Date().toISOString().slice(0, 10);
  const of = (some: readonly Round[]): string => {
    const delays = some.flatMap((round) => round.delays);
    return `${short(median(some.map((round) => round.rate)))} | ${[0.5, 0.95, 0.99].map((part) => short(percentile(delays, part))).join(' / ')}`;
  };
  const ratio = median(beside.map((round, at) => round.rate / (without[at] as Round).rate));
  const text = [
    `# Automations, ${date}`,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.platform}; Node ${machine.node}, PostgreSQL ${machine.postgres}. Load, server and PostgreSQL share the cores.`,
    '',
    `${short(rate)} records a second wanted, ${each} a request, by ${writers} writers for ${seconds} s, ${rounds} rounds by turns. Each record starts an automation, which writes one record.`,
    '',
    '| base | records a second | a request, p50 / p95 / p99 ms |',
    '|---|---|---|',
    `| without automations | ${of(without)} |`,
    `| with one | ${of(beside)} |`,
    '',
    `Ratio of the rates: ${ratio.toFixed(2)}. Triggers taken: ${short(median(taken))} a second, from the first write to the last run that is waiting. Runs done, from the first write to the last: ${short(median(done))} a second.`,
    '',
  ].join('\n');
  console.log(text);
  if (options.record) {
    const folder = fileURLToPath(new URL('results', import.meta.url));
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${date}-automation.md`, text);
  }
} finally {
  await stage.close();
}
process.exit(0);
