// Everything that a test file sends to its database, judged when it ends: no statement of a base may have a form that Citus refuses. Statements
// that differ only in names and in how long their lists are count as one.
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { judge, readFacts } from './citus-form.ts';
import type { World } from './world.ts';

const ofBase = /"bse[0-9A-Za-z]{16}"\."/;

/** Which word stands behind which, in no order. */
const shapeOf = (text: string): string => {
  const words = text.replace(/'(?:[^']|'')*'/g, ' quoted ').replace(/"(?:[^"]|"")*"/g, ' named ').match(/[a-z_]+/gi) ?? [];
  return [...new Set(words.map((word, at) => `${words[at - 1] ?? ''} ${word}`))].sort().join();
};

const refusedOf = async (url: string, texts: Iterable<string>): Promise<{ judged: number; refused: string[] }> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const refused: string[] = [];
  let judged = 0;
  try {
    await client.query('begin');
    const facts = await readFacts(client);
    for (const text of texts) {
      const found = await judge(client, text, facts);
      if (found !== undefined) judged += 1;
      if (found !== undefined && found.length > 0) refused.push(`${found.join('; ')}:\n${text}`);
    }
    await client.query('rollback');
  } finally {
    await client.end();
  }
  return { judged, refused };
};

/** For the top of a test file, behind `useWorld`. */
export const judgeStatements = (world: () => World): void => {
  const { query } = pg.Client.prototype;
  const known = new Map<string, string>();
  const seen = new Set<string>();
  beforeAll(() => {
    pg.Client.prototype.query = function heard(this: pg.Client, ...given: unknown[]) {
      const [first] = given as [string | { text?: unknown } | undefined];
      const text = typeof first === 'string' ? first : first?.text;
      if (typeof text === 'string' && !seen.has(text) && ofBase.test(text)) {
        seen.add(text);
        known.set(shapeOf(text), text);
      }
      return (query as (...all: unknown[]) => unknown).apply(this, given);
    } as typeof query;
  });
  afterAll(async () => {
    pg.Client.prototype.query = query;
    // On a cluster it is Citus that judges.
    if (!inject('isEmbedded')) return;
    const { judged, refused } = await refusedOf(world().databaseUrl, known.values());
    if (judged === 0) throw new Error('no statement of a base was heard');
    if (refused.length > 0) throw new Error(`statements of a form that Citus refuses (docs/adr/0053-citus.md):\n\n${refused.join('\n\n')}`);
  });
};
