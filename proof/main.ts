// `npm run proof [-- part … --seed=N --short --requests=N --only=words]`: tries to break the whole. A full run is kept in docs/proof.md,
// unless it was on a database that TEST_DATABASE_URL names.
import { parseArgs } from 'node:util';
import { isGiven } from './database.ts';
import type { Part } from './part.ts';
import { parts } from './parts.ts';
import { prepareData } from './program.ts';
import { commitOf, keepRun } from './report.ts';

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    short: { type: 'boolean', default: false },
    requests: { type: 'string' },
    only: { type: 'string' },
  },
});

const seed = options.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(options.seed);
const unknown = names.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0 || !Number.isSafeInteger(seed)) {
  console.error(
    unknown.length > 0
      ? `There is no part ${unknown.join(', ')}. There are: ${parts.map(({ name }) => name).join(', ')}`
      : '--seed must be a whole number',
  );
  process.exit(1);
}

const runPart = async ({ name, title, run }: Part): Promise<boolean> => {
  const begun = Date.now();
  const elapsed = (): number => Math.round((Date.now() - begun) / 1_000);
  console.log(`\n# ${title} (npm run proof -- ${name} --seed=${seed}${options.short ? ' --short' : ''})`);
  const commit = commitOf();
  const outcome = await run({
    seed,
    scale: options.short ? 'short' : 'full',
    ...(options.requests === undefined ? {} : { requests: Number(options.requests) }),
    ...(options.only === undefined ? {} : { only: options.only }),
    say: (line) => console.log(`${String(elapsed()).padStart(5)} s  ${line}`),
  });
  for (const [key, value] of Object.entries(outcome.figures)) console.log(`  ${key}: ${value}`);
  for (const failure of outcome.failures) console.log(`  FAILED  ${failure}`);
  console.log(
    outcome.failures.length === 0 ? `  held, ${elapsed()} s` : `  ${outcome.failures.length} failures, ${elapsed()} s`,
  );
  if (!options.short && options.requests === undefined && options.only === undefined && !isGiven())
    keepRun(
      { ...outcome, name, title, date: new Date().toISOString().slice(0, 10), commit, seed, seconds: elapsed() },
      parts,
    );
  return outcome.failures.length === 0;
};

const cleanUp = await prepareData();
let failed = 0;
for (const part of names.length === 0 ? parts : parts.filter(({ name }) => names.includes(name))) {
  if (!(await runPart(part))) failed += 1;
}
cleanUp();
process.exit(failed === 0 ? 0 : 1);
