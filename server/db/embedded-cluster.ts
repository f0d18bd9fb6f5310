// Makes the cluster: the folder of data files of the embedded PostgreSQL. It is made aside and renamed,
// so that a crash in the middle leaves no half of one, and its password is inside, so that the two are one.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Account, pathInside } from './embedded-account.ts';
import { StartError } from './error.ts';

const run = promisify(execFile);

export const clusterOf = (folder: string): string => join(folder, 'postgres');

const draftPrefix = 'postgres.new-';

/** The superuser that initdb makes, and the role that servers connect as. */
export const superuser = 'rowhouse';
export const serverRole = 'rowhouse_server';
export type EmbeddedRole = typeof superuser | typeof serverRole;

const passwordFileOf = (cluster: string, role: EmbeddedRole): string => join(cluster, `${role}.password`);

export const passwordOf = (cluster: string, role: EmbeddedRole): string => {
  try {
    return readFileSync(passwordFileOf(cluster, role), 'utf8').trim();
  } catch (error) {
    throw new StartError(`the password of the embedded PostgreSQL cannot be read: ${(error as Error).message}`);
  }
};

const give = (path: string, { uid, gid }: Account): void => {
  if (uid !== undefined) chownSync(path, uid, gid as number);
};

const fsyncFolder = (path: string): void => {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
};

/** Drafts of starts that did not get to their end. A young one may belong to a start that is under way. */
const sweepDrafts = (folder: string): void => {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(draftPrefix)) continue;
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && Date.now() - found.mtimeMs > 120_000) rmSync(path, { recursive: true, force: true });
  }
};

const runInitdb = (program: string, draft: string, account: Account, passwordFile: string): Promise<void> =>
  new Promise((done, fail) => {
    // The password is read through an open descriptor for the same reason as the working folder is used.
    const descriptor = openSync(passwordFile, 'r');
    const inherited = account.uid !== undefined && process.platform === 'linux';
    const options = [
      '-U',
      superuser,
      '-A',
      'scram-sha-256',
      '-E',
      'UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ];
    const child = spawn(
      program,
      ['-D', pathInside(draft, account), `--pwfile=${inherited ? '/proc/self/fd/3' : passwordFile}`, ...options],
      {
        ...account,
        cwd: draft,
        stdio: ['ignore', 'ignore', 'pipe', descriptor],
      },
    );
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-2_000);
    });
    child.once('error', fail);
    child.once('close', (code) => {
      closeSync(descriptor);
      if (code === 0) done();
      else
        fail(
          new StartError(
            `PostgreSQL could not create its files in ${draft}: ${said.trim().split('\n').slice(0, 3).join(' ')}`,
          ),
        );
    });
  });

const writePassword = (cluster: string, role: EmbeddedRole, account: Account, password: string): void => {
  const file = passwordFileOf(cluster, role);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, password, { mode: 0o600, flush: true });
  give(draft, account);
  renameSync(draft, file);
};

const createCluster = async (folder: string, programs: string, account: Account): Promise<void> => {
  sweepDrafts(folder);
  const draft = mkdtempSync(join(folder, draftPrefix));
  const passwordFile = `${draft}.password`;
  const password = randomBytes(24).toString('hex');
  try {
    chmodSync(draft, 0o700);
    give(draft, account);
    writeFileSync(passwordFile, password, { mode: 0o600 });
    give(passwordFile, account);
    await runInitdb(join(programs, 'bin/initdb'), draft, account, passwordFile);
    writePassword(draft, superuser, account, password);
    writePassword(draft, serverRole, account, randomBytes(24).toString('hex'));
    fsyncFolder(draft);
    renameSync(draft, clusterOf(folder));
    fsyncFolder(folder);
  } catch (error) {
    // Another start was first: its cluster is as good.
    if (!existsSync(join(clusterOf(folder), 'PG_VERSION'))) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
  }
};

const checkVersion = async (cluster: string, programs: string): Promise<void> => {
  const data = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  const { stdout } = await run(join(programs, 'bin/postgres'), ['--version'], { cwd: '/' });
  const program = /(\d+)(\.|beta|rc|devel)/.exec(stdout)?.[1];
  if (program === undefined || program === data) return;
  const newer = Number(data) > Number(program);
  throw new StartError(
    `${cluster} is of PostgreSQL ${data}, this Rowhouse brings PostgreSQL ${program}: ${newer ? 'start a newer Rowhouse' : 'start the Rowhouse that made it, and move the data with pg_dump'}`,
  );
};

export const prepareFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true });
    const probe = join(folder, `.probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `the data folder ${folder} cannot be written (${code}): make it writable, or set ROWHOUSE_DATA to another folder`,
    );
  }
};

/** A cluster that is there and of the right version. */
export const prepareCluster = async (folder: string, programs: string, account: Account): Promise<void> => {
  const cluster = clusterOf(folder);
  if (existsSync(cluster) && !existsSync(join(cluster, 'PG_VERSION'))) {
    if (readdirSync(cluster).length > 0)
      throw new StartError(
        `${cluster} is not the folder of a PostgreSQL: move it away, or set ROWHOUSE_DATA to another folder`,
      );
    rmSync(cluster, { recursive: true });
  }
  if (!existsSync(cluster)) await createCluster(folder, programs, account);
  // Clusters of versions before the role was.
  if (!existsSync(passwordFileOf(cluster, serverRole)))
    writePassword(cluster, serverRole, account, randomBytes(24).toString('hex'));
  await checkVersion(cluster, programs);
};
