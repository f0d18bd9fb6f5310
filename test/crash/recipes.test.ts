// `npm start` on a fresh checkout with the recipes of CONTRIBUTING in it: it builds itself, and what was added works. That they have
// no errors of type is seen by `npm run check`.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDb } from '../../server/db/db.ts';
import { startEmbedded } from '../../server/db/embedded.ts';
import { serverRole } from '../../server/db/embedded-cluster.ts';
import { addJob } from '../../server/work/job.sql.ts';
import { followRecipes } from '../support/recipes.ts';
import { newScratchFolder } from '../support/scratch.ts';
import { recordSecret, recordTokensIn } from '../support/secret-record.ts';

/** For all tests of the file: they use one server. */
const folder = newScratchFolder('recipes');
const [checkout, data] = [join(folder, 'checkout'), join(folder, 'data')];
let server: ChildProcess;
let output = '';
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

const start = async (): Promise<string> => {
  server = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: checkout,
    env: { PATH: process.env['PATH'], ROWHOUSE_DATA: data, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((done, fail) => {
    server.once('close', (code) => fail(new Error(`the server with the recipes ended with ${code}: ${output}`)));
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const [, address] = /running at (http:\S+)/.exec(output) ?? [];
        if (address !== undefined) done(address);
      });
  });
};

beforeAll(async () => {
  mkdirSync(checkout);
  expect(followRecipes(checkout).map(dirname)).toEqual(
    expect.arrayContaining([
      'server/domain/cell/type',
      'contract',
      'server/domain/table',
      'server',
      'web/field-type',
      'web/view-type/list',
    ]),
  );
  origin = await start();
  known = JSON.parse(readFileSync(join(data, 'credentials.json'), 'utf8')) as typeof known;
  recordSecret('password of the first start', known.password);
  recordTokensIn(known.token);
}, 180_000);

afterAll(async () => {
  if (server.exitCode === null) {
    const ended = once(server, 'close');
    server.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  }
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(process.platform !== 'linux')('what builds the program does not stay in the memory of the server', () => {
  expect(output).toContain('Building the server');
  const libraries = readFileSync(`/proc/${server.pid}/maps`, 'utf8').match(/[^/\s]+\.node$/gm) ?? [];
  // What hashes passwords and what reads pictures, and nothing else.
  expect([...new Set(libraries)].toSorted()).toEqual([
    expect.stringMatching(/^argon2/),
    expect.stringMatching(/^image/),
  ]);
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

test('the view type can be created, and is refused options that it does not have', async () => {
  const [table] = await ask('GET', `/base/${known.baseId}/table`);
  const place = `/table/${table.id}/view`;
  expect(await ask('POST', place, { type: 'list' })).toMatchObject({ type: 'list', name: 'List view', options: {} });
  await expect(ask('POST', place, { type: 'list', options: { rowHeight: 'tall' } })).rejects.toThrow('rowHeight');
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
  // The one that runs.
  const postgres = await startEmbedded(data);
  const db = openDb(postgres.urlOf('rowhouse', serverRole));
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
