// Formulas: whatever they say and whatever the records hold, no statement fails, and every result is one that a cell can hold.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../server/db/embedded.ts';
import { freePort } from '../../server/db/free-port.ts';
import { migrate } from '../../server/db/migrate.ts';
import { FormulaError } from '../../server/domain/formula/error.ts';
import { withIds, withNames } from '../../server/domain/formula/references.ts';
import { checkFormula, createRecordTable, fields, insertRecord, statementOf } from '../../test/support/formula.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { type Random, randomFrom } from '../random.ts';
import { expression, records } from './expressions.ts';

const zones = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York', 'Pacific/Apia'];

interface Tally {
  formulas: number;
  cells: number;
  filled: number;
  refused: number;
  garbled: number;
  slowest: { ms: number; formula: string };
  failures: string[];
}

const isDate = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value) && !value.startsWith('0000');

const fits: Record<string, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string' && value !== '' && [...value].length <= 100_000,
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  datetime: isDate,
};

/** What is wrong with a result, if anything. */
const faultOf = (value: unknown, kind: string, list: boolean): string | undefined => {
  if (value === null) return undefined;
  const fit = fits[kind === 'blank' ? 'text' : kind] as (value: unknown) => boolean;
  if (!list) return fit(value) ? undefined : `not a ${kind}: ${JSON.stringify(value).slice(0, 80)}`;
  if (!Array.isArray(value) || value.length === 0) return `not a list: ${JSON.stringify(value).slice(0, 80)}`;
  return value.every((item) => (kind === 'text' ? typeof item === 'string' : fit(item)))
    ? undefined
    : `not a list of ${kind}`;
};

const tryFormula = async (client: pg.Client, formula: string, random: Random, tally: Tally): Promise<void> => {
  const wrong = (what: string): void =>
    void (tally.failures.length < 100 && tally.failures.push(`${what}: ${formula.slice(0, 600)}`));
  try {
    const checked = checkFormula(formula);
    const { kind, list } = checked.term.type;
    if (withNames(withIds(formula, fields), fields) !== formula) wrong('names and ids are not a way there and back');
    const began = performance.now();
    const { text, values } = statementOf(checked, { timeZone: random.pick(zones) });
    const { rows } = await client.query<{ cell: unknown }>(text, values);
    const ms = performance.now() - began;
    if (ms > tally.slowest.ms) tally.slowest = { ms, formula };
    tally.formulas += 1;
    for (const { cell } of rows) {
      tally.cells += 1;
      if (cell !== null) tally.filled += 1;
      const fault = faultOf(cell, kind, list);
      if (fault !== undefined) wrong(fault);
    }
  } catch (error) {
    if (error instanceof FormulaError) tally.refused += 1;
    else wrong((error as Error).message);
  }
};

const noise = [
  '(',
  ')',
  ',',
  '"',
  "'",
  '{',
  '}',
  '\\',
  '/*',
  '*/',
  '//',
  '\n',
  '=',
  '!',
  '<',
  '>',
  '&',
  '|',
  '.',
  '1e999',
  '{nope}',
  'SUMM(',
  '\u0000',
  '\ud800',
  '“',
  ';',
  '#',
  'TRUE',
  ' ',
];

/** Text that is hardly a formula any more is refused, and nothing else happens. */
const tryGarbled = (formula: string, random: Random, tally: Tally): void => {
  const at = random.below(formula.length + 1);
  const garbled = random.once(2)
    ? formula.slice(0, at) + random.pick(noise) + formula.slice(at + random.below(3))
    : formula.slice(at);
  tally.garbled += 1;
  try {
    statementOf(checkFormula(garbled), {});
  } catch (error) {
    const inside =
      error instanceof FormulaError && error.start >= 0 && error.start <= garbled.length && error.end >= error.start;
    if (!inside) tally.failures.push(`${(error as Error).message}: ${garbled}`);
  }
};

const work = async (
  client: pg.Client,
  random: Random,
  count: number,
  tally: Tally,
  say: (done: number) => void,
): Promise<void> => {
  for (let done = 0; done < count; done += 1) {
    if (done % 500 === 0) {
      await client.query('drop table if exists record');
      await createRecordTable(client, true);
      for (const [id, cells] of records(random, 16, done % 10_000 === 500).entries())
        await insertRecord(client, id, cells);
      say(done);
    }
    const formula = expression(random, 1 + random.below(random.once(20) ? 60 : 12));
    await tryFormula(client, formula, random, tally);
    tryGarbled(formula, random, tally);
  }
};

const run = async ({ seed, scale, say }: Setting): Promise<Outcome> => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-formula-'));
  chmodSync(folder, 0o755);
  const postgres = await startEmbedded(folder, { port: await freePort(), durable: false });
  const tally: Tally = {
    formulas: 0,
    cells: 0,
    filled: 0,
    refused: 0,
    garbled: 0,
    slowest: { ms: 0, formula: '' },
    failures: [],
  };
  const count = scale === 'full' ? 100_000 : 300;
  const clients = await Promise.all(
    [1, 2].map(async () => {
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      return client;
    }),
  );
  try {
    await migrate(clients[0] as pg.Client);
    for (const client of clients) await client.query("set statement_timeout = '30s'");
    const random = randomFrom(seed);
    await Promise.all(
      clients.map((client, at) =>
        work(
          client,
          random.fork(at),
          count / clients.length,
          tally,
          (done) => at === 0 && done % 10_000 === 0 && say(`${2 * done} formulas`),
        ),
      ),
    );
  } finally {
    for (const client of clients) await client.end();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  say(`slowest: ${tally.slowest.formula.slice(0, 600)}`);
  return {
    figures: {
      'formulas evaluated': tally.formulas,
      'cells computed': tally.cells,
      'of these not empty': tally.filled,
      'refused with a position, as too large or wrong': tally.refused,
      'garbled texts': tally.garbled,
      'slowest formula over 16 records': `${(tally.slowest.ms / 1_000).toFixed(1)} s`,
      'statements that failed, results that do not fit': tally.failures.length,
    },
    failures: tally.failures,
  };
};

export const formula: Part = { name: 'formula', title: 'Formulas', run };
