// Restores a whole instance into a database that holds none, in one transaction.
import { randomText } from '@rowhouse/contract/id.ts';
import { prepareNodes, stayOnCoordinator } from '../../db/citus.ts';
import { currentVersion, migrations, NewerDatabase, runMigration } from '../../db/migrate.ts';
import type { Session } from '../../db/session.ts';
import { StartError } from '../../db/error.ts';
import type { Storage } from '../../stored-files.ts';
import { createRole, deleteReader, fenceReader, grantConnecting, grantReading } from '../sql-access/reader.sql.ts';
import { scramVerifier } from '../../db/scram.ts';
import { ofOperator } from './archive.ts';
import { loadRows } from './load-rows.ts';
import { demandKnownVersions, type Manifest } from './manifest.ts';
import { createKeys, createTables, selectSchemas, setSequences } from './rebuild.sql.ts';
import {
  analyzeAll,
  attempt,
  begin,
  commit,
  dropRowhouse,
  emptyTables,
  isInUse,
  lockMigrations,
  roleExists,
  selectKeptTables,
} from './restore.sql.ts';
import { selectColumns, settleFormats } from './snapshot.sql.ts';

const demandRoom = async (session: Session, manifest: Manifest, path: string): Promise<void> => {
  const { level, bases } = manifest;
  const newest = migrations().at(-1)?.version ?? 0;
  if (level > newest)
    throw new NewerDatabase(
      `${path} is of version ${level}, this Rowhouse knows versions up to ${newest}: restore it with a newer Rowhouse`,
    );
  demandKnownVersions(manifest, path);
  if ((await currentVersion(session.client)) > newest)
    throw new NewerDatabase('the database is of a newer version than this Rowhouse');
  if (await isInUse(session)) {
    throw new StartError(
      'this instance is in use, and a backup is restored into an empty one only: set ROWHOUSE_DATA to a new folder or DATABASE_URL to an empty database, and restore before the first start',
    );
  }
  const taken = await selectSchemas(
    session,
    bases.map(({ id }) => id),
  );
  if (taken.length > 0)
    throw new StartError(`the database holds schema ${taken[0]} already: restore into an empty database`);
};

/** Schema `rowhouse` as it was when the backup was made. What migrations did besides is done here too. */
const buildSystem = async (session: Session, { level, tables }: Manifest, path: string): Promise<void> => {
  await dropRowhouse(session);
  for (const migration of migrations().filter(({ version }) => version <= level))
    await runMigration(session.client, migration);
  const kept = await selectKeptTables(session);
  const columns = await selectColumns(session, ['rowhouse']);
  const described = tables.filter(({ schema }) => schema === 'rowhouse');
  const fits =
    described.length === kept.length &&
    described.every(
      (table) =>
        kept.includes(table.name) &&
        columns.get(`rowhouse.${table.name}`)?.toSorted().join() === table.columns.toSorted().join(),
    );
  if (!fits) throw new StartError(`${path} is not of the form that version ${level} has`);
  await emptyTables(session, kept);
};

interface Circumstances {
  /** In the PostgreSQL that is all ours. */
  isEmbedded: boolean;
  /** Where uploaded files go. */
  storage?: Storage;
  say: (line: string) => void;
}

/** Where it cannot be, the base is closed for SQL, and its owner opens it again. */
const openReader = async (
  session: Session,
  { baseId, roleName, password }: Manifest['readers'][number],
  { isEmbedded, say }: Circumstances,
): Promise<void> => {
  const reader = { baseId, roleName };
  const failure = (await roleExists(session, roleName))
    ? new Error('this PostgreSQL has a role of that name already')
    : await attempt(session, async () => {
        await createRole(session, roleName, password ?? scramVerifier(randomText(32)));
        await grantConnecting(session, roleName);
        if (isEmbedded) await fenceReader(session, roleName);
        await grantReading(session, reader);
      });
  if (failure !== undefined) {
    await deleteReader(session, baseId);
    say(`SQL access to base ${baseId} is closed: ${failure.message}`);
  } else if (password === null)
    say(`SQL access to base ${baseId} needs a new password: its owner asks for it as for the first`);
};

export const restoreInstance = async (
  session: Session,
  path: string,
  manifest: Manifest,
  circumstances: Circumstances,
): Promise<void> => {
  await settleFormats(session);
  await begin(session);
  await lockMigrations(session);
  await stayOnCoordinator(session.client);
  await demandRoom(session, manifest, path);
  await buildSystem(session, manifest, path);
  for (const { id, tables } of manifest.bases) await createTables(session, id, tables);
  await loadRows(session, path, manifest, {
    storage: circumstances.storage,
    targetOf: (table) => table,
    rename: undefined,
    limits: ofOperator,
  });
  for (const { id, tables } of manifest.bases) await createKeys(session, id, tables);
  await setSequences(session, manifest.sequences);
  for (const migration of migrations().filter(({ version }) => version > manifest.level))
    await runMigration(session.client, migration);
  for (const reader of manifest.readers) await openReader(session, reader, circumstances);
  await prepareNodes(session.client);
  await commit(session);
  await analyzeAll(session);
};
