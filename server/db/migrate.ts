// Numbered, forward-only migrations of schema `rowhouse`; those of bases are upgrade-base.ts. A lock of the database lets two servers that
// start at once migrate only once; a database of a newer version is refused untouched.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { newestBaseVersion } from './base-migrations/steps.ts';
import { prepareNodes, stayOnCoordinator } from './citus.ts';
import { serverRoot } from './root.ts';

interface Migration {
  version: number;
  name: string;
  text: string;
}

export class NewerDatabase extends Error {}

/** Versions of schema `rowhouse` and of bases: there are steps of either. */
export interface Level {
  schema: number;
  base: number;
}

export interface Upgrade {
  from: Level;
  to: Level;
}

export const migrationLock = 0x726f7768; // 'rowh'

export const migrations = (): Migration[] => {
  const folder = join(serverRoot(), 'db/migrations');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      version: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
      text: readFileSync(join(folder, file), 'utf8'),
    }));
};

export const newestVersion = (): number => migrations().at(-1)?.version ?? 0;

export const currentVersion = async (client: pg.Client): Promise<number> => {
  const known = await client.query("select to_regclass('rowhouse.migrations') is not null as known");
  if (!known.rows[0].known) return 0;
  const found = await client.query('select coalesce(max(version), 0)::int as version from rowhouse.migrations');
  return found.rows[0].version as number;
};

const appliedVersions = async (client: pg.Client, current: number): Promise<Set<number>> =>
  new Set(
    current === 0
      ? []
      : (await client.query<{ version: number }>('select version::int as version from rowhouse.migrations')).rows.map(
          ({ version }) => version,
        ),
  );

/** Of the newest base. Before bases had versions all were of the first one; null when there are none. */
const newestBase = async (client: pg.Client): Promise<number | null> =>
  (
    await client.query<{ version: number | null }>(
      "select max(coalesce((to_jsonb(b) ->> 'schema_version')::int, 1)) as version from rowhouse.bases b",
    )
  ).rows[0]?.version ?? null;

/** Bases have versions of their own, so a newer Rowhouse may have left traces in them alone. */
const refuseNewerBases = (version: number | null): void => {
  if (version !== null && version > newestBaseVersion)
    throw new NewerDatabase(
      `bases of this database are of version ${version}, this Rowhouse knows versions up to ${newestBaseVersion}: start a newer Rowhouse`,
    );
};

/** Inside of a transaction. */
export const runMigration = async (client: pg.Client, { text, version, name }: Migration): Promise<void> => {
  await client.query(text);
  await client.query('insert into rowhouse.migrations (version, name) values ($1, $2)', [version, name]);
};

const prepareCluster = async (client: pg.Client): Promise<void> => {
  await client.query('begin');
  try {
    await prepareNodes(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`the nodes of the Citus cluster cannot be prepared: ${(error as Error).message}`, { cause: error });
  }
};

/** Runs under the lock, before anything is changed in a database that holds data of an older version. When it fails nothing is changed. */
type Before = (upgrade: Upgrade) => Promise<void>;

/** Brings the database to the newest version; answers which migrations it ran. */
export const migrate = async (client: pg.Client, before?: Before): Promise<Migration[]> => {
  await client.query('select pg_advisory_lock($1)', [migrationLock]);
  try {
    const current = await currentVersion(client);
    const all = migrations();
    const newest = all.at(-1)?.version ?? 0;
    if (current > newest) {
      throw new NewerDatabase(
        `the database is of version ${current}, this Rowhouse knows versions up to ${newest}: start a newer Rowhouse`,
      );
    }
    const base = current === 0 ? null : await newestBase(client);
    refuseNewerBases(base);
    // By number, and not those after the newest: two that were written at the same time may arrive in either order.
    const applied = await appliedVersions(client, current);
    const pending = all.filter((migration) => !applied.has(migration.version));
    if (current > 0 && (pending.length > 0 || (base ?? newestBaseVersion) < newestBaseVersion))
      await before?.({
        from: { schema: current, base: base ?? newestBaseVersion },
        to: { schema: newest, base: newestBaseVersion },
      });
    for (const migration of pending) {
      await client.query('begin');
      try {
        await stayOnCoordinator(client);
        await runMigration(client, migration);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new Error(`migration ${migration.version} (${migration.name}) failed: ${(error as Error).message}`, {
          cause: error,
        });
      }
    }
    await prepareCluster(client);
    return pending;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined);
  }
};
