// Starts, and what is left after a kill -9. That no acknowledged write is lost under load is the proof of kills, in short within
// `npm test`.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmbedded } from '../../server/db/embedded.ts';
import { onlyInProof } from '../support/cases.ts';
import {
  addRecord,
  credentialsIn,
  isRunning,
  type Known,
  newDataFolder,
  postgresPid,
  recordNames,
  request,
  runProgram,
  serve,
  until,
  usedDataFolder,
} from '../support/program.ts';

test('the first start makes an instance to sign in to, with a file that only its owner can read', async () => {
  const data = newDataFolder();
  const server = await serve({ ROWHOUSE_DATA: data });
  const known = credentialsIn(data);
  expect(statSync(join(data, 'credentials.json')).mode & 0o777).toBe(0o600);
  expect(Object.keys(known)).toEqual(['url', 'email', 'password', 'token', 'userId', 'spaceId', 'baseId', 'tableId']);
  expect(known.url).toBe(server.origin);
  expect(await recordNames(server.origin, known)).toHaveLength(3);
  const signIn = await fetch(`${server.origin}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: known.email, password: known.password }),
  });
  expect(signIn.status).toBe(200);
  // What a service prints is kept in a journal: it is told where the secrets are, not what they are.
  expect(server.output()).toContain(join(data, 'credentials.json'));
  for (const secret of [known.token, known.password]) expect(server.output()).not.toContain(secret);
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  const again = await serve({ ROWHOUSE_DATA: data });
  expect(again.said()).toBe(`Rowhouse is running at ${again.origin}\n`);
  expect(credentialsIn(data)).toEqual({ ...known, url: again.origin });
});

test('ROWHOUSE_DEMO: the first start makes a base to look at, the next ones no other', async () => {
  const data = newDataFolder();
  const first = await serve({ ROWHOUSE_DATA: data, ROWHOUSE_DEMO: 'yes' });
  const known = credentialsIn(data);
  await until('it is made', () => first.said().includes('a base to look at'));
  expect(first.said()).not.toContain('not whole');
  const [, baseId = ''] = /\/base\/(bse\w{16})/.exec(first.said()) ?? [];
  const get = async <T>(origin: string, path: string): Promise<T> =>
    (await (await request(origin, known, 'GET', path)).json()) as T;
  const tables = await get<{ id: string; name: string }[]>(first.origin, `/base/${baseId}/table`);
  expect(tables.map(({ name }) => name)).toEqual(['Clients', 'People', 'Projects', 'Tasks', 'Invoices']);
  const idOf = (name: string): string => tables.find((table) => table.name === name)?.id as string;
  const types = (await Promise.all(tables.map(({ id }) => get<{ type: string }[]>(first.origin, `/table/${id}/field`))))
    .flat()
    .map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['link', 'formula', 'rollup']));
  const views = [
    ...(await get<{ type: string }[]>(first.origin, `/table/${idOf('Projects')}/view`)),
    ...(await get<{ type: string }[]>(first.origin, `/table/${idOf('Tasks')}/view`)),
  ];
  expect(views.map(({ type }) => type)).toEqual(expect.arrayContaining(['kanban', 'form']));
  const { records } = await get<{ records: { id: string }[] }>(
    first.origin,
    `/table/${idOf('Projects')}/record?take=1`,
  );
  const { historyList } = await get<{ historyList: unknown[] }>(
    first.origin,
    `/table/${idOf('Projects')}/record/${records[0]?.id}/history`,
  );
  expect(historyList.length).toBeGreaterThan(3);
  first.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const second = await serve({ ROWHOUSE_DATA: data, ROWHOUSE_DEMO: 'yes' });
  expect(await get<unknown[]>(second.origin, '/base/access/all')).toHaveLength(2);
});

interface Signed {
  url: string;
  token: string;
  uploadMethod: string;
  requestHeaders: Record<string, string>;
}

/** Up to where the bytes are taken and nobody has said whose they are. */
const uploadFile = async (origin: string, known: Known, text: string): Promise<string> => {
  const signed = await request(origin, known, 'POST', '/attachments/signature', {
    contentType: 'text/plain',
    contentLength: text.length,
    type: 1,
  });
  const { url, token, uploadMethod, requestHeaders } = (await signed.json()) as Signed;
  const { 'Content-Length': _length, ...headers } = requestHeaders;
  expect((await fetch(new URL(url, origin), { method: uploadMethod, headers, body: text })).ok).toBe(true);
  return token;
};

/** What follows an upload: it is told, put into a cell, and read again. */
const claimFile = async (origin: string, known: Known, token: string): Promise<string> => {
  const told = await request(origin, known, 'POST', `/attachments/notify/${token}?filename=kept.txt`);
  expect(told.status).toBe(201);
  const { path, size, mimetype } = (await told.json()) as Record<string, unknown>;
  const field = await request(origin, known, 'POST', `/table/${known.tableId}/field`, {
    name: 'Files',
    type: 'attachment',
  });
  expect(field.status).toBe(201);
  const made = await request(origin, known, 'POST', `/table/${known.tableId}/record`, {
    records: [{ fields: { Files: [{ token, path, size, mimetype, name: 'kept.txt' }] } }],
  });
  expect(made.status).toBe(201);
  const [record] = ((await made.json()) as { records: { fields: { Files: { presignedUrl: string }[] } }[] }).records;
  return (await fetch(new URL(record?.fields.Files[0]?.presignedUrl as string, origin))).text();
};

// Kills of both under load are in the short proof of kills.
onlyInProof(test)(
  'after kill -9 of the server the next one takes over its PostgreSQL and what was uploaded, and starts it again when it dies',
  async () => {
    const data = usedDataFolder();
    const first = await serve({ ROWHOUSE_DATA: data });
    const known = credentialsIn(data);
    const token = await uploadFile(first.origin, known, 'uploaded before the kill');
    expect(await addRecord(first.origin, known, 'acknowledged')).toBe(201);
    first.kill('SIGKILL');
    expect(await first.ended).toBe('SIGKILL');
    const pid = postgresPid(data) as number;
    expect(isRunning(pid)).toBe(true);
    const second = await serve({ ROWHOUSE_DATA: data });
    expect(postgresPid(data)).toBe(pid);
    expect(await recordNames(second.origin, known)).toContain('acknowledged');
    expect(await claimFile(second.origin, known, token)).toBe('uploaded before the kill');

    process.kill(pid, 'SIGKILL');
    await until('requests are answered again', async () => {
      const status = await addRecord(second.origin, known, 'after');
      expect([201, 503]).toContain(status);
      // A connection may outlive the postmaster by one request.
      return status === 201 && ![undefined, pid].includes(postgresPid(data));
    });
    second.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(postgresPid(data)).toBeUndefined();
  },
);

test('a first start that is stopped and then killed on the way leaves nothing running, and is made up for by the next one', async () => {
  const data = newDataFolder();
  const begun = async () => {
    const program = runProgram(['serve'], { ROWHOUSE_DATA: data, PORT: '0' });
    await until('PostgreSQL runs', () => postgresPid(data) !== undefined);
    return program;
  };
  const stopped = await begun();
  stopped.kill('SIGTERM');
  expect(await stopped.ended).toBe(0);
  expect(postgresPid(data)).toBeUndefined();
  const killed = await begun();
  killed.kill('SIGKILL');
  await killed.ended;
  const server = await serve({ ROWHOUSE_DATA: data });
  expect(await recordNames(server.origin, credentialsIn(data))).toHaveLength(3);
});

test('a process id in postmaster.pid that another process has by now does not stop the start', async () => {
  const data = usedDataFolder();
  const first = await startEmbedded(data);
  const pid = postgresPid(data) as number;
  process.kill(pid, 'SIGKILL');
  await until('PostgreSQL has ended', () => !isRunning(pid));
  const file = join(data, 'postgres/postmaster.pid');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(process.pid)));
  const second = await startEmbedded(data);
  expect(second.url).toBe(first.url);
  expect(postgresPid(data)).not.toBe(process.pid);
  await second.stop();
  expect(postgresPid(data)).toBeUndefined();
});
