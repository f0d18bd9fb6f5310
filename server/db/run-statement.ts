// Runs one statement on a connection, prepared under a name or not, and remembers how much a connection holds of plans.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { createByteCache } from './byte-cache.ts';
import { databaseError } from './error.ts';
import { type Sql, type Statement, textOf } from './sql.ts';
import { presentTracer } from '../trace.ts';

/** Text → the name it is prepared under. */
const names = createByteCache<string>(16 * 1_048_576, (name, text) => 200 + 2 * (name.length + text.length));
const statementName = (text: string): string => {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('base64url').slice(0, 20);
    names.set(text, name);
  }
  return name;
};

// Statements name their table, so a server of many tables prepares many: a plan takes some ten times the length of its
// text on its connection, 200 kB for a wide insert. A connection that holds this many characters is replaced.
const maxPrepared = 2 * 1_048_576;
const prepared = new WeakMap<object, { names: Set<string>; length: number }>();

const remember = (client: pg.ClientBase, name: string, length: number): void => {
  const known = prepared.get(client) ?? { names: new Set(), length: 0 };
  if (known.names.has(name)) return;
  known.names.add(name);
  known.length += length;
  prepared.set(client, known);
};

/** Gives a connection back to the pool, or away for good when it holds too many plans. */
export const release = (client: pg.PoolClient): void =>
  client.release((prepared.get(client)?.length ?? 0) > maxPrepared);

/** By a callback and a text: an object of options would be copied with its descriptors, and the promise of `pg` be followed by another. */
const runOn = <Row>(on: pg.PoolClient, text: string, values: unknown[], name: string | undefined): Promise<Row[]> =>
  new Promise((done, failed) => {
    const query = new pg.Query<Row & pg.QueryResultRow>(text, values);
    const asked = query as unknown as {
      name: string | undefined;
      callback: (error: Error | null, result?: { rows: Row[] }) => void;
    };
    asked.name = name;
    asked.callback = (error, result) => {
      if (error !== null && error !== undefined) failed(error);
      else done((result as { rows: Row[] }).rows);
    };
    on.query(query);
  });

const clusters = new WeakSet<object>();

/** From now on its statements have the form for a Citus cluster. */
export const markCluster = (client: pg.ClientBase): void => {
  clusters.add(client);
};

/** What may be told of a text, which can hold what people have typed: names of fields, values of options. Ids of bases are no secret. */
export const describe = (text: string): { verb: string; fingerprint: string; base?: string } => {
  const [base] = /\bbse[0-9A-Za-z]{16}\b/.exec(text) ?? [];
  return {
    verb: /^\s*([a-z]{2,12})\b/i.exec(text)?.[1]?.toLowerCase() ?? 'other',
    fingerprint: statementName(text),
    ...(base === undefined ? {} : { base }),
  };
};

/** Runs one statement on a connection; `prepare` keeps its plan there. */
export const run = <Row>(on: pg.PoolClient, statement: Sql | Statement, prepare: boolean): Promise<Row[]> => {
  const tracer = presentTracer();
  if (tracer === undefined) return send<Row>(on, statement, prepare);
  const { verb, fingerprint } = describe(textOf(statement, false).text);
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': verb, 'rowhouse.statement': fingerprint };
  return tracer.span(`statement ${verb}`, { kind: 'client', attributes }, () => send<Row>(on, statement, prepare));
};

const send = async <Row>(on: pg.PoolClient, statement: Sql | Statement, prepare: boolean): Promise<Row[]> => {
  const { text, values } = textOf(statement, clusters.has(on));
  try {
    if (!prepare) return await runOn<Row>(on, text, values, undefined);
    const name = statementName(text);
    remember(on, name, text.length);
    return await runOn<Row>(on, text, values, name);
  } catch (error) {
    throw databaseError(error);
  }
};
