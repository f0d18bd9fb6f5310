// Looks for the secrets of a run in everything that a server leaves behind: every row of its database, its log, and
// the log and files of PostgreSQL.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createSearch } from './secret-search.ts';

/** What it is, by secret. */
type Secrets = ReadonlyMap<string, string>;

class SecretFound extends Error {}

interface Part {
  where: string;
  bytes: Buffer;
}

/** Throws when a part holds a secret; the message says what kind, and where. */
export const demandNone = async (secrets: Secrets, parts: Iterable<Part> | AsyncIterable<Part>): Promise<void> => {
  const search = createSearch(secrets.keys());
  const found: string[] = [];
  for await (const { where, bytes } of parts)
    for (const secret of search(bytes))
      found.push(`${secrets.get(secret)} (${secret.slice(0, 4)}…) stands in ${where}`);
  if (found.length > 0) throw new SecretFound(`Secrets in plain text:\n${found.slice(0, 20).join('\n')}`);
};

const rowsPerPage = 20_000;
/** Asked for together: most tables are empty, and each statement takes longer than its rows. */
const tablesAtOnce = 40;

/** `statement`: rows of `name` and `row`, those of one name together. */
async function* rowsOf(client: pg.Client, statement: string): AsyncGenerator<Part> {
  await client.query(`declare walk no scroll cursor for ${statement}`);
  for (;;) {
    const { rows } = await client.query<{ name: string; row: string | null }>(`fetch ${rowsPerPage} from walk`);
    if (rows.length === 0) break;
    for (let from = 0, to = 0; from < rows.length; from = to) {
      const { name } = rows[from] as { name: string };
      while (rows[to]?.name === name) to += 1;
      yield {
        where: name,
        bytes: Buffer.from(
          rows
            .slice(from, to)
            .map(({ row }) => row ?? '')
            .join('\n'),
        ),
      };
    }
    if (rows.length < rowsPerPage) break;
  }
  await client.query('close walk');
}

/** Every row of every table as text, and the passwords of all roles where they may be read. */
async function* everything(client: pg.Client): AsyncGenerator<Part> {
  await client.query('begin');
  const { rows } = await client.query<{ statement: string }>(
    "select format('select %L as name, t::text as row from %I.%I t', format('%I.%I', schemaname, tablename), schemaname, tablename) as statement from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );
  for (let at = 0; at < rows.length; at += tablesAtOnce)
    yield* rowsOf(
      client,
      rows
        .slice(at, at + tablesAtOnce)
        .map(({ statement }) => statement)
        .join(' union all '),
    );
  const { rows: readable } = await client.query("select 1 where has_table_privilege('pg_authid', 'select')");
  if (readable.length > 0)
    yield* rowsOf(client, "select 'the passwords of roles' as name, rolpassword as row from pg_authid");
  await client.query('commit');
}

export const searchDatabase = async (url: string, secrets: Secrets): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await demandNone(secrets, everything(client)).finally(() => client.end());
};

export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });

export function* contentsOf(files: readonly string[]): Generator<Part> {
  for (const path of files) yield { where: path, bytes: readFileSync(path) };
}

const secretLines = (path: string): [string, string][] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as [string, string])
    .map(([kind, secret]) => [secret, kind]);

/** What the processes of a run have recorded in a folder. */
export const secretsIn = (folder: string): Map<string, string> =>
  new Map(
    filesBelow(folder)
      .filter((path) => path.endsWith('.secrets'))
      .flatMap(secretLines),
  );

/** Where the secrets stand that the servers of one database have shown. */
export const secretsFile = (folder: string, database: string): string => join(folder, `${database}.secrets`);

/** Of the servers of one database, where they are written down; otherwise of the whole run. */
export const secretsOf = (folder: string, database: string): Map<string, string> => {
  const path = secretsFile(folder, database);
  return existsSync(path) ? new Map(secretLines(path)) : secretsIn(folder);
};
