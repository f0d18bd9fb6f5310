// The recipes of CONTRIBUTING, followed to the letter: applied to a copy of the sources, checked, and run.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDb } from '../../server/db/db.ts';
import { addJob } from '../../server/work/job.sql.ts';
import { newScratchFolder } from '../support/scratch.ts';
import { recordSecret, recordTokensIn } from '../support/secret-record.ts';
import { createDatabase } from '../support/world.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = newScratchFolder('recipes');
const run = promisify(execFile);

interface Step {
  kind: 'ts' | 'diff';
  path: string;
  lines: string[];
}

/** Code blocks that name a file. */
const stepsIn = (markdown: string): Step[] =>
  [...markdown.matchAll(/^( *)```(ts|diff) (\S+)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', kind, path = '', code = '']) => ({
      kind: kind as Step['kind'],
      path,
      lines: code
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(indent.length)),
    }),
  );

const take = (lines: string[], ...signs: string[]): string =>
  lines
    .filter((line) => signs.includes(line[0] ?? ' '))
    .map((line) => `${line.slice(1)}\n`)
    .join('');

const follow = ({ kind, path, lines }: Step): void => {
  const file = join(folder, path);
  if (kind === 'ts') return writeFileSync(file, `${lines.join('\n')}\n`, { flag: 'wx' });
  const [before, wanted, after] = [readFileSync(file, 'utf8'), take(lines, ' ', '-'), take(lines, ' ', '+')];
  if (before.split(wanted).length !== 2)
    throw new Error(`CONTRIBUTING changes a part of ${path} that is not there once:\n${wanted}`);
  writeFileSync(
    file,
    before.replace(wanted, () => after),
  );
};

const isSource = (path: string): boolean => !/\/(node_modules|dist)$/.test(path) && !path.endsWith('.test.ts');

/** Packages as they are, but for the contract, which is the one of the copy. */
const linkPackages = (): void => {
  const modules = join(root, 'node_modules');
  mkdirSync(join(folder, 'node_modules/@rowhouse'), { recursive: true });
  for (const name of readdirSync(modules).filter((each) => !each.startsWith('.') && each !== '@rowhouse'))
    symlinkSync(join(modules, name), join(folder, 'node_modules', name));
  symlinkSync(join(folder, 'contract'), join(folder, 'node_modules/@rowhouse/contract'));
};

let server: ChildProcess | undefined;
let database: Awaited<ReturnType<typeof createDatabase>>;
let origin: string;
let known: { token: string; password: string; baseId: string; userId: string };

const ask = async (method: string, path: string, body?: unknown): Promise<any> => {
  const answer = await fetch(`${origin}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${known.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const told = (await answer.json()) as any;
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(told)}`);
  return told;
};

/** As a bundle the server is there in a third of the time that loading its sources through tsx takes. */
const bundle = `
  const { build } = await import(${JSON.stringify(pathToFileURL(join(root, 'node_modules/vite/dist/node/index.js')).href)});
  await build({ root: ${JSON.stringify(folder)}, configFile: false, logLevel: 'error', ssr: { noExternal: [/^@rowhouse\\//] }, build: { ssr: 'server/main.ts', outDir: 'server/dist', target: 'node20', minify: false, rollupOptions: { output: { entryFileNames: 'main.js' } } } });
`;

const serve = async (): Promise<string> => {
  await run(process.execPath, ['--input-type=module', '-e', bundle], { cwd: folder });
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: database.url,
    ROWHOUSE_DATA: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'error',
  };
  server = spawn(process.execPath, ['server/dist/main.js', 'serve'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  return new Promise((done, fail) => {
    server?.once('close', (code) => fail(new Error(`the server with the recipes ended with ${code}: ${said}`)));
    for (const stream of [server?.stdout, server?.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const [, address] = /running at (http:\S+)/.exec(said) ?? [];
        if (address !== undefined) done(address);
      });
    }
  });
};

beforeAll(async () => {
  for (const name of ['contract', 'server'])
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: isSource });
  for (const name of ['package.json', 'tsconfig.json']) cpSync(join(root, name), join(folder, name));
  linkPackages();
  const steps = stepsIn(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));
  expect(steps.map(({ path }) => dirname(path))).toEqual(
    expect.arrayContaining(['server/domain/cell/type', 'contract', 'server/domain/table', 'server']),
  );
  for (const step of steps) follow(step);
  database = await createDatabase();
  const [, address] = await Promise.all([
    // One checker: four of them look at much of it four times.
    run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--checkers', '1'], {
      cwd: folder,
    }).catch((error: { stdout?: string }) => {
      throw new Error(`the recipes have errors of type: ${error.stdout}`);
    }),
    serve(),
  ]);
  origin = address;
  known = JSON.parse(readFileSync(join(folder, 'data/credentials.json'), 'utf8')) as typeof known;
  recordSecret('password of the first start', known.password);
  recordTokensIn(known.token);
});

afterAll(async () => {
  if (server !== undefined && server.exitCode === null) {
    const ended = once(server, 'close');
    server.kill('SIGTERM');
    await ended;
  }
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

test('the field type can be created, written, refused, cast, filtered and sorted', async () => {
  const table = await ask('POST', `/base/${known.baseId}/table`, {
    name: 'Paints',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Paint', type: 'hexColor' },
    ],
    records: [],
  });
  const place = `/table/${table.id}/record`;
  await ask('POST', place, {
    records: [
      { fields: { Name: 'sky', Paint: '#0000ff' } },
      { fields: { Name: 'black', Paint: '#000000' } },
      { fields: { Name: 'none' } },
    ],
  });
  await ask('POST', place, { typecast: true, records: [{ fields: { Name: 'cast', Paint: ' #FF0000 ' } }] });
  await expect(ask('POST', place, { records: [{ fields: { Paint: 'red' } }] })).rejects.toThrow('a color such as');
  const fieldId = table.fields[1].id;
  const list = async (query: Record<string, unknown>): Promise<string[]> => {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, JSON.stringify(value)]));
    return ((await ask('GET', `${place}?${search}`)).records as { fields: { Name: string } }[]).map(
      ({ fields }) => fields.Name,
    );
  };
  expect(
    await list({
      filter: { conjunction: 'and', filterSet: [{ fieldId, operator: 'contains', value: 'ff' }] },
      orderBy: [{ fieldId, order: 'desc' }],
    }),
  ).toEqual(['cast', 'sky']);
});

test('the endpoint answers', async () => {
  const [table] = await ask('GET', `/base/${known.baseId}/table`);
  const fields = await ask('GET', `/table/${table.id}/field`);
  expect(await ask('GET', `/base/${known.baseId}/table/${table.id}/size`)).toEqual({
    fields: fields.length,
    views: (await ask('GET', `/table/${table.id}/view`)).length,
  });
});

test('the job runs to its end, and its owner reads the result', async () => {
  const [table] = await ask('GET', `/base/${known.baseId}/table`);
  const db = openDb(database.url);
  const jobId = await addJob(db, {
    kind: 'measure-table',
    payload: { tableId: table.id },
    baseId: known.baseId,
    createdBy: known.userId,
  });
  await db.close();
  await expect
    .poll(() => ask('GET', `/job/${jobId}`), { timeout: 30_000 })
    .toMatchObject({ state: 'done', result: await ask('GET', `/base/${known.baseId}/table/${table.id}/size`) });
});
