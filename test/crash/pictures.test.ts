// Files on the program as it is shipped: pictures, where the library that reads them cannot be loaded, and uploads whose server is killed.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attachment } from '@rowhouse/contract/attachment.ts';
import { Transformer } from '@napi-rs/image';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { startEmbedded } from '../../server/db/embedded.ts';
import { onlyInProof, withAllCases } from '../support/cases.ts';
import {
  credentialsIn,
  freePort,
  type Known,
  request,
  runProgram,
  serve,
  type Served,
  usedDataFolder,
} from '../support/program.ts';

const scratch = mkdtempSync(join(tmpdir(), 'pictures-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** As on a machine where its binary is missing. */
const withoutLibrary = (): Record<string, string> => {
  const file = join(scratch, 'without.cjs');
  writeFileSync(
    file,
    "const Module = require('node:module'); const load = Module._load; Module._load = (name, ...rest) => { if (name === '@napi-rs/image') throw new Error('no binary for this machine'); return load(name, ...rest); };",
  );
  return { NODE_OPTIONS: `--require=${file}` };
};

const json = async <T>(answer: Promise<Response>): Promise<T> => (await answer).json() as Promise<T>;

const upload = async ({ origin }: Served, known: Known, bytes: Buffer): Promise<Attachment> => {
  const signed = await json<{ token: string; url: string }>(
    request(origin, known, 'POST', '/attachments/signature', {
      contentType: 'image/png',
      contentLength: bytes.length,
      type: 1,
      baseId: known.baseId,
    }),
  );
  expect(
    (
      await fetch(`${origin}${new URL(signed.url).pathname}`, {
        method: 'PUT',
        body: new Uint8Array(bytes),
        headers: { 'content-type': 'image/png' },
      })
    ).status,
  ).toBe(200);
  return json(request(origin, known, 'POST', `/attachments/notify/${signed.token}?filename=a.png`));
};

interface Row {
  id: string;
  fields: { Pictures: Attachment[] };
}

/** A record with a picture, in a field that is made for it. */
const recordWith = async ({ origin }: Served, known: Known, file: Attachment): Promise<Row> => {
  await request(origin, known, 'POST', `/table/${known.tableId}/field`, { type: 'attachment', name: 'Pictures' });
  return (
    await json<{ records: [Row] }>(
      request(origin, known, 'POST', `/table/${known.tableId}/record`, {
        records: [{ fields: { Pictures: [{ token: file.token, name: 'a.png' }] } }],
      }),
    )
  ).records[0];
};

const picture = (): Promise<Buffer> => Transformer.fromRgbaPixels(new Uint8Array(4 * 600 * 4).fill(200), 4, 600).png();

const thumbnail = async (cell: Attachment | undefined): Promise<string> => {
  const answer = await fetch(cell?.lgThumbnailUrl ?? 'data:,');
  return `${answer.status} ${answer.headers.get('content-type')}`;
};

// The test after it ends with the same, on a server that has its library.
onlyInProof(test)('an uploaded picture has its size and a thumbnail', async () => {
  const data = usedDataFolder();
  const server = await serve({ ROWHOUSE_DATA: data });
  const known = credentialsIn(data);
  const file = await upload(server, known, await picture());
  expect(file).toMatchObject({ width: 4, height: 600 });
  const record = await recordWith(server, known, file);
  expect(await thumbnail(record.fields.Pictures[0])).toBe('200 image/webp');
  expect(await json(fetch(`${server.origin}/health`))).toEqual({
    status: 'ok',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    commit: expect.toBeOneOf([null, expect.stringMatching(/^[0-9a-f]{40}$/)]),
  });
});

test('a server without the library says so everywhere, and the next one measures what came meanwhile', async () => {
  const data = usedDataFolder();
  const without = await serve({ ROWHOUSE_DATA: data, ...withoutLibrary() });
  const known = credentialsIn(data);
  expect(await json(fetch(`${without.origin}/health`))).toMatchObject({ status: 'degraded', missing: ['pictures'] });
  expect(without.logged()).toContain('no binary for this machine');
  const file = await upload(without, known, await picture());
  expect(file).not.toHaveProperty('width');
  const fake = await upload(without, known, Buffer.from('not a picture'));
  const { id, fields } = await recordWith(without, known, file);
  expect(fields.Pictures[0]).not.toHaveProperty('width');
  const gone = await recordWith(without, known, file);
  await request(without.origin, known, 'DELETE', `/table/${known.tableId}/record/${gone.id}`);
  if (withAllCases) {
    const doctor = runProgram(['doctor'], { ROWHOUSE_DATA: data, ...withoutLibrary() });
    expect(await doctor.ended).toBe(1);
    expect(doctor.output()).toMatch(/^WRONG +pictures: cannot be loaded.*no binary for this machine$/m);
  }
  without.kill('SIGTERM');
  await without.ended;

  const server = await serve({ ROWHOUSE_DATA: data });
  expect(await json(fetch(`${server.origin}/health`))).toMatchObject({ status: 'ok' });
  const pictureOf = async (recordId: string): Promise<Attachment | undefined> =>
    (await json<Row>(request(server.origin, known, 'GET', `/table/${known.tableId}/record/${recordId}`))).fields
      .Pictures[0];
  await expect.poll(() => pictureOf(id)).toMatchObject({ token: file.token, name: 'a.png', width: 4, height: 600 });
  expect(await thumbnail(await pictureOf(id))).toBe('200 image/webp');
  const { trashItems } = await json<{ trashItems: { id: string }[] }>(
    request(server.origin, known, 'GET', `/trash/items?resourceType=table&resourceId=${known.tableId}`),
  );
  expect((await request(server.origin, known, 'POST', `/trash/restore/${trashItems[0]?.id}`)).status).toBe(201);
  expect(await pictureOf(gone.id)).toMatchObject({ width: 4, height: 600 });
  expect(await json(request(server.origin, known, 'POST', `/attachments/notify/${fake.token}`))).not.toHaveProperty(
    'width',
  );
});

test('an upload whose server is killed counts until it is certainly over; then nothing of it is left', async () => {
  const data = usedDataFolder();
  const postgres = await startEmbedded(data, { port: await freePort() });
  const url = postgres.urlOf('rowhouse');
  // As the import of an Excel file leaves it behind when its server is killed.
  const temporary = join(data, 'temporary');
  const [old, young] = [join(temporary, 'rowhouse-0123456789abcdef'), join(temporary, 'rowhouse-fedcba9876543210')];
  mkdirSync(temporary);
  for (const path of [old, young]) writeFileSync(path, 'left');
  utimesSync(old, new Date(0), new Date(0));
  const env = {
    DATABASE_URL: url,
    ROWHOUSE_DATA: data,
    ROWHOUSE_WAITING_FILE_MEGABYTES: '45',
    TMPDIR: temporary,
  };
  const [first, second] = [await serve(env), await serve(env)];
  await expect.poll(() => [existsSync(old), existsSync(young)]).toEqual([false, true]);
  const known = credentialsIn(data);
  const announce = (bytes: number): Promise<{ token: string }> =>
    json(
      request(second.origin, known, 'POST', '/attachments/signature', {
        contentType: 'text/plain',
        contentLength: bytes,
        type: 1,
        baseId: known.baseId,
      }),
    );
  const [long, short] = [await announce(9_000_000), await announce(2_000_000)];
  const headers = { 'content-type': 'text/plain' };
  const cut = send(`${first.origin}/api/attachments/upload/${long.token}`, {
    method: 'PUT',
    headers: { ...headers, 'content-length': 9_000_000 },
  }).on('error', () => undefined);
  cut.write(Buffer.alloc(1_000_000));
  const folder = join(data, 'files', 'incoming');
  const drafts = (): string[] => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const arriving = async (): Promise<number> =>
    (await client.query('select from rowhouse.file_arrivals')).rowCount as number;
  await expect.poll(async () => [drafts().length, await arriving()]).toEqual([1, 1]);
  first.kill('SIGKILL');
  await first.ended;

  const put = async (): Promise<number> =>
    (
      await fetch(`${second.origin}/api/attachments/upload/${short.token}`, {
        method: 'PUT',
        body: new Uint8Array(2_000_000),
        headers,
      })
    ).status;
  expect([await put(), drafts()]).toEqual([429, [expect.stringContaining(long.token)]]);
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(join(folder, drafts()[0] as string), longAgo, longAgo);
  await client.query('update rowhouse.file_arrivals set ends_time = now()');
  await client.query("update rowhouse.jobs set due_time = now() where kind = 'remove-waiting-files'");
  await expect.poll(async () => [drafts().length, await arriving()]).toEqual([0, 0]);
  await client.end();
  expect(await put()).toBe(200);
});
