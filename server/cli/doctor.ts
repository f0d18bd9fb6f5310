// rowhouse doctor: looks at everything a server needs, and says what is wrong and what to do about it.
import { existsSync, statfsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { optionalParts } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { urlAt } from '../db/base-nodes.ts';
import { type ClusterNode, countUnplacedBases, hasCitus, selectNodes } from '../db/citus.ts';
import { connectionOptions, openDb } from '../db/db.ts';
import { clusterOf } from '../db/embedded-cluster.ts';
import { currentVersion, newestVersion } from '../db/migrate.ts';
import { countOldBases } from '../db/upgrade-base.ts';
import { shownUrl } from '../db/wait.ts';
import { checkCells } from '../domain/computed/check-cells.ts';
import { foldingOf } from '../domain/record/search-index/searched-fields.ts';
import { selectSearchSizes } from '../domain/record/search-index/search-index.sql.ts';
import { recountUsage } from '../domain/plan/recount-usage.ts';
import { credentialsFile } from '../domain/setup/credentials.ts';
import type { Command } from './command.ts';
import { reachDatabase } from './database.ts';
import { writeSupportFile } from './support-file.ts';
import { wayBackOf } from './upgrade.ts';

interface Finding {
  label: 'ok' | 'warn' | 'WRONG';
  text: string;
}

const fine = (text: string): Finding => ({ label: 'ok', text });
/** It works, and could be safer. */
const warning = (text: string): Finding => ({ label: 'warn', text });
const wrong = (text: string): Finding => ({ label: 'WRONG', text });
const isWell = ({ label }: Finding): boolean => label !== 'WRONG';

const checkNode = (): Finding => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 19)
    ? fine(`Node.js ${process.versions.node}`)
    : wrong(`Node.js is ${process.versions.node}: install 20.19 or newer`);
};

const checkParts = (): Promise<Finding[]> =>
  Promise.all(
    optionalParts.map(async (part) => {
      try {
        await part.load();
        return fine(`${part.name}: can be loaded`);
      } catch (error) {
        return wrong(
          `${part.name}: cannot be loaded, so ${part.without}: ${((error as Error).cause as Error).message}`,
        );
      }
    }),
  );

const gigabyte = 1_073_741_824;

const checkDisk = (folder: string): Finding => {
  if (!existsSync(folder)) return fine(`data folder ${folder} does not exist yet, the first start makes it`);
  const { bavail, bsize } = statfsSync(folder);
  const free = `${((bavail * bsize) / gigabyte).toFixed(1)} GB free where ${folder} is`;
  return bavail * bsize < gigabyte
    ? wrong(`disk: only ${free}: make room, PostgreSQL stops when the disk is full`)
    : fine(`disk: ${free}`);
};

const checkCredentials = (folder: string): Finding => {
  const file = credentialsFile(folder);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return fine(`${file} is not there (it can be deleted once you have noted what is in it)`);
  const open = process.platform !== 'win32' && (found.mode & 0o077) !== 0;
  return open
    ? wrong(`${file} can be read by other users: chmod 600 ${file}`)
    : fine(`${file} can be read by its owner only`);
};

const checkUsage = async (url: string, repair: boolean): Promise<Finding[]> => {
  const db = openDb(url, { max: 1 });
  try {
    const differing = await recountUsage(db, { repair });
    if (differing.length === 0) return [fine('usage: the records of every space are counted right')];
    return differing.map(({ spaceId, counted, used }) =>
      repair
        ? fine(`usage: space ${spaceId} has ${counted} records and ${used} were counted; corrected`)
        : wrong(
            `usage: space ${spaceId} has ${counted} records, but ${used} are counted: run "rowhouse doctor --repair"`,
          ),
    );
  } finally {
    await db.close();
  }
};

/** Seconds for the cells of one field in all records of a table. */
const longest = 3_600;

const checkComputed = async (url: string, repair: boolean): Promise<Finding[]> => {
  const db = openDb(url, { max: 1, statementTime: longest });
  try {
    const found = await checkCells(db, { repair });
    if (found.length === 0) return [fine('cells: every link and every computed cell is what follows from the others')];
    return found.map(({ baseId, tableName, fieldNames, count }) => {
      const what = `cells: ${count} of "${fieldNames.join(', ')}" in table "${tableName}" of base ${baseId} are not what follows from the others`;
      return repair ? fine(`${what}; corrected`) : wrong(`${what}: run "rowhouse doctor --repair"`);
    });
  } finally {
    await db.close();
  }
};

const checkBases = async (url: string): Promise<Finding> => {
  const db = openDb(url, { max: 1 });
  const count = await countOldBases(db).finally(() => db.close());
  return fine(
    count === 0
      ? 'bases: all of the newest version'
      : `bases: ${count} of an older version, each is upgraded when it is first used; "rowhouse migrate" upgrades all now`,
  );
};

const checkSearches = async (url: string): Promise<Finding> => {
  const db = openDb(url, { max: 1 });
  try {
    if (await hasCitus(db))
      return fine('searches: on a cluster each reads its whole table; indexes of texts are for one PostgreSQL');
    if ((await foldingOf(db)).isImpossible)
      return warning(
        'searches: each reads its whole table, because the locale of this database has letters with several in lower case that no index of texts knows',
      );
    const { count, bytes } = await selectSearchSizes(db);
    return fine(
      count === 0
        ? 'searches: no table is large and searched enough for an index of its texts'
        : `searches: ${count} tables have an index of their texts, ${(bytes / gigabyte).toFixed(2)} GB together`,
    );
  } finally {
    await db.close();
  }
};

const checkClusterNode = (node: ClusterNode): Finding[] => {
  const name = `cluster: node ${node.id} (${node.host}:${node.port})`;
  if (node.state === null)
    return [wrong(`${name} does not answer: requests to its ${node.baseCount} bases get 503 until it does`)];
  if (node.state.preparedTransactions === 0)
    return [wrong(`${name} has max_prepared_transactions = 0: Citus needs as many as connections come to it`)];
  return node.state.walLevel === 'logical' || node.isCoordinator
    ? []
    : [
        warning(
          `${name} has wal_level = ${node.state.walLevel}: bases cannot be moved while people write to them; set logical`,
        ),
      ];
};

/** Servers read bases at their nodes. Where they cannot, the coordinator reads for them. */
const checkWayToNode = async (url: string, { id, host, port }: ClusterNode): Promise<Finding[]> => {
  const consequence = 'reads of its bases go through the coordinator';
  const there = urlAt(url, { host, port });
  if (there === undefined)
    return [
      warning(
        `cluster: DATABASE_URL does not name one host, so nobody can tell how to reach node ${id} (${host}:${port}): ${consequence}`,
      ),
    ];
  const client = new pg.Client(connectionOptions(there));
  client.on('error', () => undefined);
  try {
    await client.connect();
    return [];
  } catch (error) {
    return [
      warning(
        `cluster: node ${id} cannot be reached from here at ${host}:${port} (${(error as Error).message}): ${consequence}`,
      ),
    ];
  } finally {
    await client.end();
  }
};

const checkCluster = async (url: string): Promise<Finding[]> => {
  const db = openDb(url, { max: 1 });
  try {
    if (!(await hasCitus(db))) return [];
    const nodes = await selectNodes(db);
    const taking = nodes.filter(({ takesBases }) => takesBases);
    const unplaced = await countUnplacedBases(db);
    return [
      taking.length === 0
        ? wrong('cluster: Citus is there, but no node takes bases: select citus_add_node(host, port)')
        : fine(
            `cluster: Citus with ${taking.length} nodes that take bases; each base is put on one of them, everything else is on the coordinator`,
          ),
      ...(nodes.some(({ isCoordinator }) => isCoordinator)
        ? []
        : [
            warning(
              'cluster: the nodes do not know where the coordinator is: select citus_set_coordinator_host(host, port)',
            ),
          ]),
      ...(unplaced === 0
        ? []
        : [
            warning(
              `cluster: ${unplaced} bases are on the coordinator, from before there was a cluster: "rowhouse base move" takes one to a node`,
            ),
          ]),
      ...nodes.flatMap(checkClusterNode),
      ...(
        await Promise.all(
          nodes
            .filter(({ state, isCoordinator }) => state !== null && !isCoordinator)
            .map((node) => checkWayToNode(url, node)),
        )
      ).flat(),
    ];
  } finally {
    await db.close();
  }
};

const checkRole = ({ name, super: isSuperuser }: { name: string; super: boolean }): Finding =>
  isSuperuser
    ? warning(
        `database: the server connects as ${name}, which is a superuser: a role that owns the database and has CREATEROLE (for SQL access) is enough, and can read no files`,
      )
    : fine(`database: the server connects as ${name}, which is no superuser`);

/** Without it one request can fill the disk of the database with temporary files. */
const checkTemporaryFiles = async (client: pg.Client): Promise<Finding> => {
  const { rows } = await client.query<{ name: string; may: boolean; limit: string }>(
    "select current_user as name, has_parameter_privilege('temp_file_limit', 'set') as may, current_setting('temp_file_limit') as limit",
  );
  const { name, may, limit } = rows[0] as (typeof rows)[number];
  return may || limit !== '-1'
    ? fine('database: temporary files of statements are limited')
    : warning(
        `database: temporary files are not limited, and ${name} may not limit them: as a superuser, "grant set on parameter temp_file_limit to ${name}", or set temp_file_limit in postgresql.conf`,
      );
};

const checkDatabase = async (config: Config, repair: boolean): Promise<Finding[]> => {
  if (config.databaseUrl === null && !existsSync(clusterOf(config.dataFolder)))
    return [fine('database: embedded, the first start makes it')];
  const reached = await reachDatabase(config, { role: 'command', say: () => undefined });
  const { database, client } = reached;
  try {
    const { rows } = await client.query(
      "select current_setting('server_version') as version, current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit, pg_size_pretty(pg_database_size(current_database())) as size",
    );
    const { version, fsync, commit, size } = rows[0] as {
      version: string;
      fsync: string;
      commit: string;
      size: string;
    };
    const kind = config.databaseUrl === null ? 'embedded' : shownUrl(config.databaseUrl);
    const schema = await currentVersion(client);
    const newest = newestVersion();
    const rights = await client.query(
      "select has_database_privilege(current_database(), 'create') as create, current_user as name, rolsuper as super from pg_roles where rolname = current_user",
    );
    return [
      fine(`database: ${kind}, PostgreSQL ${version}, ${size}`),
      fsync === 'on' && commit !== 'off'
        ? fine('database: what it acknowledges is on disk')
        : wrong(
            `database: fsync is ${fsync} and synchronous_commit is ${commit}: acknowledged writes can be lost; set both to on`,
          ),
      rights.rows[0].create === true
        ? fine('database: schemas can be created')
        : wrong('database: this user may not create schemas: grant create on the database to it'),
      checkRole(rights.rows[0]),
      await checkTemporaryFiles(client),
      schema > newest
        ? wrong(
            `schema: version ${schema}, this Rowhouse knows versions up to ${newest}: start a newer Rowhouse${await wayBackOf(config, client)}`,
          )
        : schema < newest
          ? wrong(
              `schema: version ${schema} of ${newest}: run "rowhouse migrate", or start the server, which does it too`,
            )
          : fine(`schema: version ${schema}, the newest`),
      ...(schema === newest
        ? [
            ...(await checkCluster(database.url)),
            await checkBases(database.url),
            await checkSearches(database.url),
            ...(await checkUsage(database.url, repair)),
            ...(await checkComputed(database.url, repair)),
          ]
        : []),
    ];
  } finally {
    await client.end();
    await database.release();
  }
};

const attempt = async (check: () => Promise<Finding[]>): Promise<Finding[]> => {
  try {
    return await check();
  } catch (error) {
    return [wrong((error as Error).message)];
  }
};

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check database, versions, disk, settings and permissions; say what is wrong',
  options: {
    repair: { meaning: 'Correct what can be: counts of records, cells of links and computed cells' },
    bundle: {
      value: 'file',
      meaning:
        'Also write a file for those who help: versions, health, counts, what was slow and what failed, without data or secrets',
    },
  },
  async run({ chosen, option }) {
    const config = await attempt(async () => (readConfig(process.env), [fine('settings can be read')]));
    const findings = [checkNode(), ...(await checkParts()), ...config];
    if (config.every(isWell)) {
      const settings = readConfig({ ...process.env, DATABASE_WAIT: '0' });
      findings.push(
        checkDisk(settings.dataFolder),
        checkCredentials(settings.dataFolder),
        ...(await attempt(() => checkDatabase(settings, chosen('repair')))),
      );
    }
    for (const { label, text } of findings) console.log(`${label.padEnd(5)}  ${text}`);
    const bundle = option('bundle');
    if (bundle !== undefined) {
      const path = resolve(bundle);
      const settings = config.every(isWell) ? readConfig({ ...process.env, DATABASE_WAIT: '0' }) : undefined;
      await writeSupportFile(path, process.env, settings, findings);
      console.log(`${path} holds no data and no secrets; it is JSON: read it through before you send it`);
    }
    return findings.every(isWell) ? 0 : 1;
  },
};
