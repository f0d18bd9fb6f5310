// Everything that a test file sends to its database, judged when it ends: no statement of a base may have a form that Citus refuses. Statements
// that differ only in names and in how long their lists are count as one.
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import {
  type Facts,
  judge,
  placesOf,
  placesQuestion,
  readable,
  readFacts,
  readOnTheSpot,
  refusedBy,
  windowsBehindInserts,
} from './citus-form.ts';
import { readTree, type Tree } from './parse-tree.ts';
import type { World } from './world.ts';

const ofBase = /"bse[0-9A-Za-z]{16}"\."/;

/** Which word stands behind which, in no order. */
const shapeOf = (text: string): string => {
  const words =
    text
      .replace(/'(?:[^']|'')*'/g, ' quoted ')
      .replace(/"(?:[^"]|"")*"/g, ' named ')
      .match(/[a-z_]+/gi) ?? [];
  return [...new Set(words.map((word, at) => `${words[at - 1] ?? ''} ${word}`))].sort().join();
};

/** One that was read in the middle of its transaction. */
interface Read {
  text: string;
  tree: string;
  places: Facts['places'];
}

type Rule = (tree: Tree, facts: Facts) => string[];

const refusedOf = async (
  url: string,
  rule: Rule,
  texts: Iterable<string>,
  read: readonly Read[],
): Promise<{ judged: number; refused: string[] }> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const refused: string[] = [];
  let judged = 0;
  try {
    await client.query('begin');
    const facts = await readFacts(client);
    for (const text of texts) {
      const found = await judge(client, text, facts, rule);
      if (found !== undefined) judged += 1;
      if (found !== undefined && found.length > 0) refused.push(`${found.join('; ')}:\n${text}`);
    }
    await client.query('rollback');
    for (const { text, tree, places } of read) {
      judged += 1;
      const found = rule(readTree(tree), { ...facts, places });
      if (found.length > 0) refused.push(`${found.join('; ')}:\n${text}`);
    }
  } finally {
    await client.end();
  }
  return { judged, refused };
};

const changesColumns = /^\s*(alter|create|drop)\s+(table|index|unique)\b/i;
const ends = /^\s*(begin|commit|rollback)\s*$/i;

/** For the top of a test file, behind `useWorld`. `isForCluster`: its statements have the form that they have on a cluster, so that more can be said of them. */
export const judgeStatements = (world: () => World, isForCluster = false): void => {
  const rule: Rule = (tree, facts) =>
    [refusedBy, ...(isForCluster ? [windowsBehindInserts] : [])].flatMap((one) => one(tree, facts));
  const { query } = pg.Client.prototype;
  const known = new Map<string, string>();
  const seen = new Set<string>();
  const changing = new WeakSet<object>();
  const read: Read[] = [];
  const reading = new Set<Promise<unknown>>();
  const readNow = async (client: pg.Client, text: string): Promise<void> => {
    const ask = (...given: unknown[]): Promise<pg.QueryResult> =>
      (query as (...all: unknown[]) => Promise<pg.QueryResult>).apply(client, given);
    // Sent at once, so that nothing comes between them.
    const [, , tree, places] = await Promise.all([
      ask("select set_config('judge.text', $1, true)", [text]),
      ask(readOnTheSpot),
      ask("select current_setting('judge.tree') as tree"),
      ask(placesQuestion),
    ]);
    if (tree.rows[0].tree !== '') read.push({ text, tree: tree.rows[0].tree as string, places: placesOf(places.rows) });
  };
  beforeAll(() => {
    pg.Client.prototype.query = function heard(this: pg.Client, ...given: unknown[]) {
      const [first] = given as [string | { text?: unknown } | undefined];
      const text = typeof first === 'string' ? first : first?.text;
      if (typeof text === 'string' && !seen.has(text) && ofBase.test(text)) {
        seen.add(text);
        const shape = shapeOf(text);
        if (inject('isEmbedded') && changing.has(this) && readable.test(text) && !known.has(shape)) {
          const done = readNow(this, text)
            .catch(() => undefined)
            .finally(() => reading.delete(done));
          reading.add(done);
        }
        known.set(shape, text);
      }
      if (typeof text === 'string' && changesColumns.test(text)) changing.add(this);
      if (typeof text === 'string' && ends.test(text)) changing.delete(this);
      return (query as (...all: unknown[]) => unknown).apply(this, given);
    } as typeof query;
  });
  afterAll(async () => {
    pg.Client.prototype.query = query;
    // On a cluster it is Citus that judges.
    if (!inject('isEmbedded')) return;
    await Promise.all(reading);
    const { judged, refused } = await refusedOf(world().databaseUrl, rule, known.values(), read);
    if (judged === 0) throw new Error('no statement of a base was heard');
    if (refused.length > 0)
      throw new Error(`statements of a form that Citus refuses (docs/adr/0053-citus.md):\n\n${refused.join('\n\n')}`);
  });
};
