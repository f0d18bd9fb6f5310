// What is backed up comes back: every answer of the API is the same before and after, for the whole instance and for one
// base; and a backup that is made while others write is one state of the instance.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { caller } from '../../test/support/caller.ts';
import { chainFaults } from '../../test/support/chain.ts';
import { type Failures, noFailures } from '../failures.ts';
import { allAnswers, compareAnswers } from '../instance/answers.ts';
import { ask, type Voice } from '../instance/ask.ts';
import { fill, type Filled } from '../instance/fill.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { credentialsIn, endPrograms, type Served, usedDataFolder } from '../program.ts';
import { type Random, randomFrom } from '../random.ts';
import { addBulk, batchSize, changeTables, layTarget, type Ledger, writeRecords } from './load.ts';
import { type Instance, newInstance, stop } from './instance.ts';

type Figures = Outcome['figures'];

interface Trial {
  failures: Failures;
  figures: Figures;
  random: Random;
  isFull: boolean;
  say: (line: string) => void;
}

/** The answers differ when a base is in another place among the others, or when people's roles on it are gone. */
const isOfBase = (template: string): boolean =>
  !/collaborators|second-factor|invitation|connection|billing|usage|shared-base|access\/all|\/space\/\{spaceId\}\/base$|^\/trash$/.test(
    template,
  );

/** Host and port are those of the instance. */
const isOfInstance = (template: string): boolean => !template.includes('connection');

const fileIn = ({ data }: Instance, name: string): string => join(data, '..', name);

const query = async (url: string, text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows as unknown[];
};

/** The SQL access that was opened before works in what was restored, with its old password. */
const tryReader = async (
  { failures }: Trial,
  { origin }: Voice,
  { tokens, baseId }: Filled,
  opened: string,
  table: string,
): Promise<void> => {
  const { dsn } = await ask({ origin, token: tokens['admin'] as string }, 'GET', `/base/${baseId}/connection`).catch(
    () => ({ dsn: undefined }),
  );
  const url = new URL(opened);
  if (dsn !== undefined) url.port = String(dsn.port);
  const rows = await query(url.href, `select count(*) from "${baseId}"."${table}"`).catch((error: Error) => [
    error.message,
  ]);
  failures.demand(typeof rows[0] === 'object', () => `SQL access did not come back: ${String(rows[0])}`);
};

const provePlain = async (trial: Trial, instance: Instance, server: Served): Promise<Filled> => {
  const { failures, figures, random, isFull, say } = trial;
  const filled = await fill(server.origin, credentialsIn(instance.data).token, random, isFull ? 250 : 8);
  const tokens = isFull ? filled.tokens : { owner: filled.tokens['owner'] as string };
  say('an instance with some of everything');
  const before = await allAnswers(server.origin, tokens, isOfInstance);
  figures['answers compared'] = before.size;
  const running = fileIn(instance, 'running.backup');
  await instance.command('backup', running);
  failures.demand((statSync(running).mode & 0o777) === 0o600, () => 'others can read a backup');
  say('backed up');
  const other = await newInstance();
  await other.command('restore', running);
  const restored = await other.start();
  failures.none(
    'differences after restoring',
    compareAnswers(before, await allAnswers(restored.origin, tokens, isOfInstance)),
  );
  await proveBase(trial, other, restored.origin, { ...filled, tokens });
  await stop(restored);
  if (isFull) await proveStopped(trial, other, { ...filled, tokens });
  return filled;
};

/** One base, back into the instance it was in, after it was deleted for good; and into one that has never seen it. */
const proveBase = async (
  { failures, figures, isFull, say }: Trial,
  instance: Instance,
  origin: string,
  { tokens, spaceId, baseId, tableId }: Filled,
): Promise<void> => {
  const owner = { owner: tokens['owner'] as string };
  const voice = { origin, token: owner.owner };
  const before = await allAnswers(origin, owner, isOfBase);
  const file = fileIn(instance, 'base.backup');
  await instance.command('backup', file, '--base', baseId);
  await ask(voice, 'DELETE', `/base/${baseId}`);
  await ask(voice, 'DELETE', `/base/${baseId}/permanent`);
  await instance.command('restore', file, '--space', spaceId);
  failures.none(
    'differences after restoring a base',
    compareAnswers(before, await allAnswers(origin, owner, isOfBase)),
  );
  figures['answers compared for one base'] = before.size;
  say('every answer compared, also after one base was restored');
  if (!isFull) return;
  const stranger = await newInstance();
  const server = await stranger.start();
  const known = credentialsIn(stranger.data) as ReturnType<typeof credentialsIn> & { spaceId: string };
  await stranger.command('restore', file, '--space', known.spaceId);
  const look = async (one: Voice): Promise<unknown> => {
    const { records } = await ask(one, 'GET', `/table/${tableId}/record?take=1000&fieldKeyType=id`);
    const { historyList } = await ask(one, 'GET', `/table/${tableId}/record/history?take=1000`);
    return {
      records: (records as { id: string }[]).map(({ id }) => id),
      history: (historyList as { id: string; before: unknown; after: unknown }[]).map(({ id, before: was, after }) => ({
        id,
        was,
        after,
      })),
    };
  };
  const [here, there] = [await look(voice), await look({ origin: server.origin, token: known.token })];
  failures.demand(
    JSON.stringify(here) === JSON.stringify(there),
    () =>
      `a base is another in another instance: ${JSON.stringify(here).slice(0, 200)} and ${JSON.stringify(there).slice(0, 200)}`,
  );
  await stop(server);
  await stranger.command('doctor');
  say('a base restored into another instance');
};

/** Of an instance whose server does not run. */
const proveStopped = async ({ failures, say }: Trial, instance: Instance, { tokens }: Filled): Promise<void> => {
  const file = fileIn(instance, 'stopped.backup');
  await instance.command('backup', file);
  const other = await newInstance();
  await other.command('restore', file);
  const [one, two] = [await instance.start(), await other.start()];
  failures.none(
    'differences after restoring what stood still',
    compareAnswers(
      await allAnswers(one.origin, tokens, isOfInstance),
      await allAnswers(two.origin, tokens, isOfInstance),
    ),
  );
  await stop(one);
  await stop(two);
  say('restored from what stood still: every answer compared');
};

/** While many write, and tables are changed. */
const proveUnderLoad = async (trial: Trial, instance: Instance, server: Served, filled: Filled): Promise<void> => {
  const { failures, figures, random, isFull, say } = trial;
  const voice = { origin: server.origin, token: credentialsIn(instance.data).token };
  const own = credentialsIn(instance.data) as ReturnType<typeof credentialsIn> & { spaceId: string };
  const target = await layTarget(voice, own.spaceId);
  await addBulk(target, isFull ? 400_000 : 2_000);
  const opened = (await ask(voice, 'POST', `/base/${own.baseId}/connection`)) as { url: string };
  const ledger: Ledger = { acknowledged: new Set(), changes: 0, refused: [] };
  let isOver = false;
  const loads = [
    ...Array.from({ length: 6 }, (_, at) => writeRecords(target, ledger, random.fork(at), `w${at}`, () => isOver)),
    changeTables(target, ledger, random.fork(100), () => isOver),
  ];
  const rounds = isFull ? 5 : 1;
  const kept: { file: string; acknowledged: Set<string>; changes: number }[] = [];
  let memory = 0;
  let seconds = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      await sleep(300 + random.below(isFull ? 2_000 : 300));
      const file = fileIn(instance, `load-${round}.backup`);
      const acknowledged = new Set(ledger.acknowledged);
      const { changes } = ledger;
      const took = await instance.measured('backup', file);
      memory = Math.max(memory, took.memory);
      seconds = Math.max(seconds, took.seconds);
      // What was deleted meanwhile may be in it or not.
      kept.push({
        file,
        acknowledged: new Set([...acknowledged].filter((mark) => ledger.acknowledged.has(mark))),
        changes: ledger.changes - changes,
      });
      say(
        `backed up under load: ${ledger.acknowledged.size} batches acknowledged, ${ledger.changes} changes of tables`,
      );
    }
  } finally {
    isOver = true;
    await Promise.all(loads);
  }
  failures.none('requests refused during a backup', ledger.refused);
  await stop(server);
  figures['backups under load'] = rounds;
  figures['batches of records acknowledged before the last of them'] = kept.at(-1)?.acknowledged.size ?? 0;
  figures['changes of fields and tables meanwhile'] = ledger.changes;
  figures['size of the last'] = `${(statSync(kept.at(-1)?.file as string).size / 1_048_576).toFixed(1)} MB`;
  figures['longest backup'] = `${seconds.toFixed(1)} s`;
  figures['most memory of a backup'] = `${memory} MB`;
  for (const { file, acknowledged } of kept)
    await checkState(
      trial,
      file,
      acknowledged,
      target.tableId,
      { ...filled, baseId: own.baseId },
      opened.url,
      own.token,
    );
};

const checkState = async (
  trial: Trial,
  file: string,
  acknowledged: ReadonlySet<string>,
  tableId: string,
  filled: Filled,
  opened: string,
  token: string,
): Promise<void> => {
  const { failures, figures, say } = trial;
  const instance = await newInstance();
  const took = await instance.measured('restore', file);
  figures['longest restore'] =
    `${Math.max(Number.parseFloat(String(figures['longest restore'] ?? '0')), took.seconds).toFixed(1)} s`;
  figures['most memory of a restore'] =
    `${Math.max(Number.parseInt(String(figures['most memory of a restore'] ?? '0'), 10), took.memory)} MB`;
  await instance.command('doctor');
  const server = await instance.start();
  const voice = { origin: server.origin, token };
  const found = new Map<string, Set<number>[]>();
  for (let skip = 0, more = true; more; skip += 1_000) {
    const { records } = (await ask(voice, 'GET', `/table/${tableId}/record?take=1000&skip=${skip}`)) as {
      records: { fields: { Mark: string; Value: number } }[];
    };
    for (const { fields } of records)
      found.set(fields.Mark, [...(found.get(fields.Mark) ?? []), new Set([fields.Value])]);
    more = records.length === 1_000;
  }
  failures.none(
    'acknowledged batches that are not in the backup',
    [...acknowledged].filter((mark) => !found.has(mark)),
  );
  failures.none(
    'batches that are there in part',
    [...found].filter(([, cells]) => cells.length !== batchSize).map(([mark]) => mark),
  );
  failures.none(
    'batches that were changed in part',
    [...found].filter(([, cells]) => new Set(cells.flatMap((cell) => [...cell])).size !== 1).map(([mark]) => mark),
  );
  failures.none(
    'breaks of the chain of history',
    await chainFaults({ call: caller({ baseUrl: `${server.origin}/api`, token }), tableId }),
  );
  const tables = (await ask(voice, 'GET', `/base/${filled.baseId}/table`)) as { dbTableName: string }[];
  await tryReader(
    trial,
    voice,
    { ...filled, tokens: { admin: token } },
    opened,
    tables[0]?.dbTableName.split('.').at(-1) as string,
  );
  await stop(server);
  say(`restored ${file.split('/').at(-1)}: ${found.size} batches whole`);
};

const prove = async ({ seed, scale, say }: Setting): Promise<Outcome> => {
  const trial: Trial = { failures: noFailures(), figures: {}, random: randomFrom(seed), isFull: scale === 'full', say };
  const instance = await newInstance(usedDataFolder());
  const server = await instance.start();
  const filled = await provePlain(trial, instance, server);
  await proveUnderLoad(trial, instance, server, filled);
  return { figures: trial.figures, failures: trial.failures.list };
};

export const backup: Part = {
  name: 'backup',
  title: 'Backup',
  run: (setting) => prove(setting).finally(() => endPrograms()),
};
