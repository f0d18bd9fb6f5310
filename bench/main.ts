// `npm run bench [-- name … --quick --rounds=5 --share=1 --record --profile=folder --database=postgres://…]`
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeMachine } from './machine.ts';
import { openStage, type Stage } from './process/stage.ts';
import { markdown, type Report, type Result } from './report.ts';
import { scenarios } from './scenario/all.ts';
import { type Effort, quick, type Scenario, whole } from './scenario/scenario.ts';

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    share: { type: 'string' },
    record: { type: 'boolean', default: false },
    profile: { type: 'string' },
    database: { type: 'string' },
  },
});

const usual = options.quick ? quick : whole;
const effort: Effort = { rounds: Number(options.rounds ?? usual.rounds), share: Number(options.share ?? usual.share) };
const isWhole = effort.rounds >= whole.rounds && effort.share >= whole.share;

const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no scenario ${unknown.join(', ')}. There are: ${scenarios.map(({ name }) => name).join(', ')}`,
  );
  process.exit(1);
}

const run = async (scenario: Scenario, stage: Stage, effort: Effort): Promise<Result> => {
  const { name, title } = scenario;
  if ('figures' in scenario) return { name, title, figures: await scenario.figures(stage, effort) };
  return { name, title, goal: scenario.goal, ...(await scenario.run(stage, effort)) };
};

/** A whole run of everything is kept; anything else only when asked for. */
const keep = (report: Report): void => {
  const folder = fileURLToPath(new URL('results', import.meta.url));
  const file = resolve(folder, `${report.date}-records`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.json`, `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(`${file}.md`, markdown(report));
};

const chosen = names.length === 0 ? scenarios : scenarios.filter(({ name }) => names.includes(name));
const opening = openStage({
  profileFolder: options.profile === undefined ? undefined : resolve(options.profile),
  database: options.database,
});
// Also while it is still being set up: what was started is ended, and comes to an end first.
const stop = (): void => void opening.then((opened) => opened.close()).finally(() => process.exit(130));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
const stage = await opening;
try {
  const report: Report = {
    date: new Date().toISOString().slice(0, 10),
    machine: await describeMachine(stage.db),
    isWhole,
    results: [],
  };
  for (const scenario of chosen) {
    const begun = Date.now();
    console.error(`${scenario.name}: ${scenario.title} …`);
    report.results.push(await run(scenario, stage, effort));
    console.error(`  ${Math.round((Date.now() - begun) / 1_000)} s`);
  }
  console.log(markdown(report));
  if (options.record || (names.length === 0 && isWhole)) keep(report);
} finally {
  await stage.close();
}
