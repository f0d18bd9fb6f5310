// Everything that is sent to the database while tests run, judged at the end of a server: no statement of a base may have a form that Citus refuses. Statements
// that differ only in names and in how long their lists are count as one.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { judge, readFacts } from './citus-form.ts';

const ofBase = /"bse[0-9A-Za-z]{16}"\."/;
const known = new Set<string>();
const waiting = new Map<string, { text: string; database: string }>();

/** Which word stands behind which, in no order. */
const shapeOf = (text: string): string => {
  const words = text.replace(/'(?:[^']|'')*'/g, ' quoted ').replace(/"(?:[^"]|"")*"/g, ' named ').match(/[a-z_]+/gi) ?? [];
  return [...new Set(words.map((word, at) => `${words[at - 1] ?? ''} ${word}`))].sort().join();
};

const note = (text: string, database: string): void => {
  if (known.has(text) || !ofBase.test(text)) return;
  known.add(text);
  const shape = shapeOf(text);
  if (!known.has(shape)) waiting.set(shape, { text, database });
};

let isListening = false;

export const keepStatements = (): void => {
  if (isListening) return;
  isListening = true;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function heard(this: pg.Client, ...given: unknown[]) {
    const [first] = given as [string | { text?: unknown }];
    const text = typeof first === 'string' ? first : first?.text;
    if (typeof text === 'string') note(text, this.database as string);
    return (query as (...all: unknown[]) => unknown).apply(this, given);
  } as typeof query;
};

/** Other processes of the run judge as well: what one has seen is written down for all. */
const fileName = `judged-${process.pid}.txt`;

export const judgeStatements = async (url: string, folder: string): Promise<void> => {
  const database = new URL(url).pathname.slice(1);
  if (![...waiting.values()].some((one) => one.database === database)) return;
  for (const name of readdirSync(folder).filter((one) => one.startsWith('judged-') && one !== fileName)) {
    for (const shape of readFileSync(join(folder, name), 'utf8').split('\n')) if (waiting.delete(shape)) known.add(shape);
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const refused: string[] = [];
  try {
    await client.query('begin');
    const facts = await readFacts(client);
    for (const [shape, { text, database: of }] of [...waiting]) {
      if (of !== database) continue;
      waiting.delete(shape);
      const found = await judge(client, text, facts);
      if (found === undefined) continue;
      known.add(shape);
      appendFileSync(join(folder, fileName), `${shape}\n`);
      if (found.length > 0) refused.push(`${found.join('; ')}:\n${text}`);
    }
    await client.query('rollback');
  } finally {
    await client.end();
  }
  if (refused.length > 0) throw new Error(`statements of a form that Citus refuses (docs/adr/0053-citus.md):\n\n${refused.join('\n\n')}`);
};
