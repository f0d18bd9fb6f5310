// Looks for the secrets of a run in everything that a server leaves behind: every row of its database, its log, and
// the log and files of PostgreSQL.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createSearch } from './secret-search.ts';

/** What it is, by secret. */
export type Secrets = ReadonlyMap<string, string>;

export class SecretFound extends Error {}

interface Part {
  where: string;
  bytes: Buffer;
}

/** Throws when a part holds a secret; the message says what kind, and where. */
export const demandNone = async (secrets: Secrets, parts: Iterable<Part> | AsyncIterable<Part>): Promise<void> => {
  const search = createSearch(secrets.keys());
  const found: string[] = [];
  for await (const { where, bytes } of parts) for (const secret of search(bytes)) found.push(`${secrets.get(secret)} (${secret.slice(0, 4)}…) stands in ${where}`);
  if (found.length > 0) throw new SecretFound(`Secrets in plain text:\n${found.slice(0, 20).join('\n')}`);
};

const rowsPerPage = 20_000;

async function* rowsOf(client: pg.Client, where: string, statement: string): AsyncGenerator<Part> {
  await client.query(`declare walk no scroll cursor for ${statement}`);
  for (;;) {
    const { rows } = await client.query<{ row: string | null }>(`fetch ${rowsPerPage} from walk`);
    if (rows.length === 0) break;
    yield { where, bytes: Buffer.from(rows.map(({ row }) => row ?? '').join('\n')) };
  }
  await client.query('close walk');
}

/** Every row of every table as text, and the passwords of all roles where they may be read. */
async function* everything(client: pg.Client): AsyncGenerator<Part> {
  await client.query('begin');
  const { rows } = await client.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );
  for (const { name } of rows) yield* rowsOf(client, name, `select t::text as row from ${name} t`);
  const { rows: readable } = await client.query("select 1 where has_table_privilege('pg_authid', 'select')");
  if (readable.length > 0) yield* rowsOf(client, 'the passwords of roles', 'select rolpassword as row from pg_authid');
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

/** What the processes of a run have recorded in a folder. */
export const secretsIn = (folder: string): Map<string, string> => {
  const lines = filesBelow(folder).filter((path) => path.endsWith('.secrets')).flatMap((path) => readFileSync(path, 'utf8').trim().split('\n'));
  return new Map(lines.map((line) => JSON.parse(line) as [string, string]).map(([kind, secret]) => [secret, kind]));
};
