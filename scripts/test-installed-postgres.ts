// Runs a part of the API tests on a PostgreSQL that is not ours: the oldest supported one that Debian's packages have
// installed, in a cluster of its own that is gone afterwards. It differs from the embedded one where it can: version,
// collation (ICU, where the embedded one has C), and a user who is no superuser.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Account, accountFor } from '../server/db/embedded-account.ts';
import { freePort } from '../server/db/free-port.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const installed = '/usr/lib/postgresql';
const oldest = 15;

/** Those whose statements depend on the server most: COPY, rights of roles, collations, JSON, index building. */
const files = ['backup', 'connection', 'history', 'query', 'query-index', 'record', 'search-index'].map(
  (name) => `test/api/${name}.test.ts`,
);

const findPrograms = (): string | undefined => {
  const versions = existsSync(installed)
    ? readdirSync(installed)
        .map(Number)
        .filter((version) => version >= oldest)
    : [];
  return versions
    .sort((a, b) => a - b)
    .map((version) => join(installed, String(version), 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
};

const succeed = async (child: ChildProcess, what: string): Promise<void> => {
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${what} ended with ${code}`);
};

const connect = async (url: string): Promise<pg.Client> => {
  for (let tries = 1; ; tries += 1) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries >= 100) throw error;
      await pause(100);
    }
  }
};

const runTests = async (programs: string, folder: string, account: Account): Promise<number> => {
  const cluster = join(folder, 'cluster');
  mkdirSync(cluster, { mode: 0o700 });
  if (account.uid !== undefined) chownSync(cluster, account.uid, account.gid as number);
  const options = {
    ...account,
    cwd: cluster,
    stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'],
  };
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o644 });
  await succeed(
    spawn(
      join(programs, 'initdb'),
      [
        '-D',
        cluster,
        '-U',
        'postgres',
        '-A',
        'scram-sha-256',
        `--pwfile=${passwordFile}`,
        '-E',
        'UTF8',
        '--locale=C.UTF-8',
        '--locale-provider=icu',
        '--icu-locale=en-US',
        '--no-sync',
      ],
      options,
    ),
    'initdb',
  );
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: 200,
    log_min_messages: 'panic',
  };
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    options,
  );
  try {
    const admin = await connect(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`);
    await admin.query(`create role tester login createdb createrole password '${password}'`);
    await admin.query('create database tester owner tester');
    const { rows } = await admin.query<{ server_version: string }>('show server_version');
    await admin.end();
    console.log(`# API tests on PostgreSQL ${rows[0]?.server_version}, which is installed here`);
    const vitest = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, TEST_DATABASE_URL: `postgres://tester:${password}@127.0.0.1:${port}/tester` },
    });
    const [code] = (await once(vitest, 'close')) as [number | null];
    return code ?? 1;
  } finally {
    server.kill('SIGINT');
    await once(server, 'close');
  }
};

const programs = findPrograms();
if (programs === undefined)
  console.log(`# No PostgreSQL ${oldest} or newer below ${installed}: the API tests were run on the embedded one only`);
else {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-installed-'));
  chmodSync(folder, 0o755);
  try {
    process.exitCode = await runTests(programs, folder, accountFor(folder, join(folder, 'none')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
