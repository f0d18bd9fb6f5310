// Files in cells: how they get there, who can read them, what they count, and when they go.
import {
  type Attachment,
  createFileSignature,
  downloadAttachments,
  insertAttachments,
  notifyFile,
} from '@rowhouse/contract/attachment.ts';
import { removeBaseCollaborator } from '@rowhouse/contract/collaborator.ts';
import { duplicateBase, moveBase } from '@rowhouse/contract/base.ts';
import { exportCsv } from '@rowhouse/contract/export.ts';
import { convertField } from '@rowhouse/contract/field.ts';
import { listTableHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import { getAggregation } from '@rowhouse/contract/aggregation.ts';
import {
  createRecords,
  deleteRecord,
  duplicateRecord,
  getRecord,
  listRecords,
  updateRecord,
} from '@rowhouse/contract/record.ts';
import { createSpace } from '@rowhouse/contract/space.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { getBilling } from '@rowhouse/contract/billing.ts';
import { Transformer } from '@napi-rs/image';
import * as teable from '@teable/openapi';
import { createReadStream, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import yauzl from 'yauzl';
import { removeFiles, removeWaitingFiles } from '../../server/domain/file/remove-files.ts';
import { openBackup } from '../../server/domain/backup/open-backup.ts';
import { restoreBase } from '../../server/domain/backup/restore-base.ts';
import { writeBackup } from '../../server/domain/backup/write-backup.ts';
import { openSession } from '../../server/db/session.ts';
import { sql } from '../../server/db/sql.ts';
import { ageFiles, countDueRemovals, holdRemovals, forgetHistory, knownFiles } from '../support/files.sql.ts';
import { person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import type { Caller } from '../support/caller.ts';
import { onlyInProof } from '../support/cases.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { member } from '../support/workspace.ts';
import { countWaiting } from '../support/waiting.sql.ts';
import { caller, createDatabase, openWorld, useWorld, type World } from '../support/world.ts';

const world = useWorld({ fileLimit: 10_000_000 });
let table: TestTable;
const own = join(mkdtempSync(join(tmpdir(), 'attachment-')), 'x.rowhouse');
afterAll(() => rmSync(join(own, '..'), { recursive: true }));

beforeAll(async () => {
  png = await Transformer.fromRgbaPixels(new Uint8Array(2 * 3 * 4).fill(200), 2, 3).png();
  table = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Files', type: 'attachment' },
  ]);
});

let png: Buffer;
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="1000"><script>alert(1)</script></svg>',
);

const signature = async (bytes: Buffer, contentType: string, more: object = {}) =>
  table.call(createFileSignature, { body: { contentType, contentLength: bytes.length, type: 1, ...more } as never });

const put = (url: string, bytes: Buffer | string, type: string): Promise<Response> =>
  fetch(url, { method: 'PUT', body: bytes as never, headers: { 'content-type': type } });

const upload = async (bytes: Buffer, contentType: string, name: string, more: object = {}) => {
  const { body } = await signature(bytes, contentType, more);
  expect((await put(body.url, bytes, contentType)).status).toBe(200);
  return (await table.call(notifyFile, { params: { token: body.token }, query: { filename: name } })).body;
};

/** Name → content, in base64. */
const unpacked = (archive: Buffer): Promise<Record<string, string>> =>
  new Promise((done, fail) => {
    const found: Record<string, string> = {};
    yauzl.fromBuffer(archive, { lazyEntries: true }, (error, zip) => {
      if (error) return fail(error);
      zip.on('entry', (entry: yauzl.Entry) =>
        zip.openReadStream(entry, (broken, stream) => {
          if (broken) return fail(broken);
          buffer(stream).then((bytes) => {
            found[entry.fileName] = bytes.toString('base64');
            zip.readEntry();
          }, fail);
        }),
      );
      zip.once('end', () => done(found)).once('error', fail);
      zip.readEntry();
    });
  });

const cellOf = (record: { fields: Record<string, unknown> }): Attachment[] => record.fields['Files'] as Attachment[];

const create = async (files: object[] | null, on: TestTable = table) => {
  const made = await on.call(createRecords, {
    params: on,
    body: { records: [{ fields: { Name: 'a', Files: files } }] },
  });
  return {
    ...made,
    record:
      made.status === 201
        ? (made.body.records[0] as { id: string; fields: Record<string, unknown> })
        : (undefined as never),
  };
};

describe('from signature to reading', () => {
  test('the official client of Teable signs, uploads, notifies and writes; anyone who has the address reads', async () => {
    teable.configApi({ endpoint: world().origin, token: table.owner.token });
    const { data: signed } = await teable.getSignature({
      contentType: 'image/png',
      contentLength: png.length,
      type: 1 as never,
      baseId: table.baseId,
    });
    expect(signed).toMatchObject({
      uploadMethod: 'PUT',
      requestHeaders: { 'Content-Type': 'image/png', 'Content-Length': png.length },
    });
    await teable.uploadFile(signed.token, png, { 'Content-Type': 'image/png', 'Content-Length': png.length });
    const { data: told } = await teable.notify(signed.token, undefined, 'Größe "1".png');
    expect(told).toMatchObject({ token: signed.token, size: png.length, mimetype: 'image/png', width: 2, height: 3 });
    const { data: made } = await teable.createRecords(table.tableId, {
      records: [
        {
          fields: {
            Name: 'a',
            Files: [
              {
                ...told,
                id: 'actAAAAAAAAAAAAAAAA',
                name: 'pixel.png',
                size: 1,
                mimetype: 'text/html',
                path: 'elsewhere',
              },
            ],
          },
        },
      ],
    } as never);
    const [cell] = cellOf(made.records[0] as never);
    expect(cell).toMatchObject({
      id: 'actAAAAAAAAAAAAAAAA',
      name: 'pixel.png',
      token: signed.token,
      size: png.length,
      mimetype: 'image/png',
      path: told.path,
      width: 2,
      height: 3,
      presignedUrl: told.presignedUrl,
    });
    // The same address wherever it is shown.
    const read = await table.call(getRecord, { params: { ...table, recordId: made.records[0]?.id as string } });
    expect(cellOf(read.body)).toEqual([cell]);

    const answer = await fetch(told.presignedUrl);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(png);
    expect(
      Object.fromEntries(
        ['content-type', 'content-length', 'x-content-type-options', 'content-disposition', 'accept-ranges'].map(
          (name) => [name, answer.headers.get(name)],
        ),
      ),
    ).toEqual({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'x-content-type-options': 'nosniff',
      'content-disposition': "inline; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.png",
      'accept-ranges': 'bytes',
    });
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox$/);
    const etag = answer.headers.get('etag') as string;
    expect((await fetch(told.presignedUrl, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const part = await fetch(told.presignedUrl, { headers: { range: 'bytes=1-3' } });
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      'PNG',
      `bytes 1-3/${png.length}`,
    ]);
    expect((await fetch(told.presignedUrl, { headers: { range: 'bytes=1-3', 'if-range': '"other"' } })).status).toBe(
      200,
    );
    expect((await fetch(told.presignedUrl, { headers: { range: 'bytes=9999-' } })).status).toBe(416);
    const saved = await fetch(
      `${told.presignedUrl}&response-content-disposition=${encodeURIComponent("attachment; filename*=UTF-8''a%0d%0ab.png")}`,
    );
    expect(saved.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''a%0D%0Ab.png");
  });

  test('what could act in a browser is shown in a sandbox or saved, and never as what it is not', async () => {
    const page = await upload(Buffer.from('<script>alert(1)</script>'), 'text/html', 'page.html');
    const shown = await fetch(page.presignedUrl, {});
    expect(shown.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(
      (await fetch(`${page.presignedUrl}&response-content-disposition=inline`)).headers.get('content-disposition'),
    ).toMatch(/^attachment/);
    const image = await upload(svg, 'image/svg+xml', 'a.svg');
    expect(image).toMatchObject({ width: 200, height: 1000 });
    expect((await fetch(image.presignedUrl)).headers.get('content-security-policy')).toMatch(/sandbox$/);
    // A PDF is for the viewer of the browser, which has no sandbox: in a frame of the app alone.
    const paper = await fetch((await upload(Buffer.from('%PDF-1.4'), 'application/pdf', 'a.pdf')).presignedUrl);
    expect([
      paper.headers.get('content-security-policy'),
      paper.headers.get('x-frame-options'),
      paper.headers.get('x-content-type-options'),
    ]).toEqual([expect.stringMatching(/^default-src 'none';.*frame-ancestors 'self'$/), 'SAMEORIGIN', 'nosniff']);
    // A drawing is its own thumbnail.
    const { record } = await create([{ token: image.token, name: 'a.svg' }]);
    expect(await (await fetch(cellOf(record)[0]?.smThumbnailUrl as string)).text()).toBe(svg.toString());
    // What only claims to be an image has neither size nor thumbnails.
    const fake = await upload(Buffer.from('not an image'), 'image/png', 'fake.png');
    expect(fake).not.toHaveProperty('width');
    expect(cellOf((await create([{ token: fake.token, name: 'fake.png' }])).record)[0]).not.toHaveProperty(
      'smThumbnailUrl',
    );
  });

  test('an upload is on the disk as far as it has come, and not in memory', async () => {
    const [half, size] = [Buffer.alloc(3_000_000, 'a'), 6_000_000];
    const { body } = await signature(Buffer.alloc(size), 'text/plain');
    const sent = request(body.url, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain', 'content-length': size },
    });
    const answered = new Promise<number | undefined>((done, fail) =>
      sent.once('response', (answer) => done(answer.resume().statusCode)).once('error', fail),
    );
    sent.write(half);
    const drafts = join(world().services.config.filesFolder, 'incoming');
    await vi.waitFor(() => {
      const [draft] = readdirSync(drafts).filter((name) => name.startsWith(body.token));
      expect(draft === undefined ? 0 : statSync(join(drafts, draft)).size).toBe(half.length);
    }, 50_000);
    sent.end(half);
    expect(await answered).toBe(200);
    expect((await table.call(notifyFile, { params: { token: body.token }, query: {} })).body.size).toBe(size);
  });

  test('who knows the token of a file that they do not see gets no address by mentioning it', async () => {
    const told = await upload(Buffer.from('secret'), 'text/plain', 's.txt');
    await create([{ token: told.token }]);
    const fields = [
      { name: 'Name', type: 'singleLineText' },
      { name: 'path', type: 'singleLineText' },
      { name: 'Files', type: 'attachment' },
    ];
    const stranger = await tableWith(await ground(world(), await person(world())), fields);
    const whole = { id: 'actA', name: 's.txt', size: 6, mimetype: 'text/plain', path: told.path, token: told.token };
    expect((await create([whole], stranger)).status).toBe(400);
    // Neither by the path alone, nor in a field that is called like it.
    expect((await create([{ ...whole, token: 'unknown' }], stranger)).status).toBe(400);
    const cast = await stranger.call(createRecords, {
      params: stranger,
      body: { records: [{ fields: { path: told.path, Files: `s.txt (${told.token})` } }], typecast: true },
    });
    expect([cast.status, cast.body.records[0]?.fields]).toEqual([201, { path: told.path }]);
    for (const path of [`table/${stranger.tableId}/record`, `export/${stranger.tableId}?format=jsonl`]) {
      const answer = await (
        await fetch(`${world().baseUrl}/${path}`, { headers: { authorization: `Bearer ${stranger.owner.token}` } })
      ).text();
      expect([answer.includes(told.path), answer.includes('presignedUrl')]).toEqual([true, false]);
    }
    // A token of theirs that reaches one base of two does not carry files from the other.
    const mine = await tableWith(await ground(world(), table.owner), fields);
    const narrow = await table.owner.withToken({ baseIds: [mine.baseId] });
    expect((await create([whole], { ...mine, call: narrow.call })).status).toBe(400);
    expect((await create([whole], mine)).status).toBe(201);
    expect((await create([whole], { ...mine, call: narrow.call })).status).toBe(201);
  });

  test('telling of a file again gives its address only to those who may have it now', async () => {
    const told = await upload(Buffer.from('secret'), 'text/plain', 's.txt');
    const again = async (call: Caller, token = told.token) => {
      const { status, body } = await call(notifyFile, { params: { token }, query: {} });
      return [status, 'presignedUrl' in (body ?? {})];
    };
    const [stranger, reader] = [await person(world()), await member(world(), table.owner, table.baseId, 'viewer')];
    const announced = (await signature(Buffer.from('later'), 'text/plain')).body;
    expect((await put(announced.url, 'later', 'text/plain')).status).toBe(200);
    // In no cell yet: for the one who uploaded it, whether it was told of or not.
    for (const token of [told.token, announced.token]) expect(await again(stranger.call, token)).toEqual([400, false]);
    expect(await again(reader.call)).toEqual([400, false]);
    expect(
      (
        await create(
          [{ token: told.token }],
          await tableWith(await ground(world(), stranger), [
            { name: 'Name', type: 'singleLineText' },
            { name: 'Files', type: 'attachment' },
          ]),
        )
      ).status,
    ).toBe(400);
    expect(await again(table.call)).toEqual([201, true]);
    await create([{ token: told.token }]);
    // In a cell: for those who may read records there.
    expect([await again(reader.call), await again(stranger.call)]).toEqual([
      [201, true],
      [400, false],
    ]);
    const tokens = [
      await reader.withToken({ hasFullAccess: true, scopes: ['space|read', 'base|read'] }),
      await reader.withToken({ scopes: ['record|read'], baseIds: ['bseELSEWHERE'] }),
    ];
    for (const { call } of tokens) expect(await again(call)).toEqual([400, false]);
    expect(await again((await reader.withToken({ scopes: ['record|read'], baseIds: [table.baseId] })).call)).toEqual([
      201,
      true,
    ]);
    expect(
      (
        await table.call(removeBaseCollaborator, {
          params: table,
          query: { principalId: reader.userId, principalType: 'user' },
        })
      ).status,
    ).toBe(200);
    expect(await again(reader.call)).toEqual([400, false]);
  });

  test('a type that no header can hold is refused, and one that was stored is read as bytes', async () => {
    for (const contentType of [
      'text/plain; a=\u0001',
      'text/plain; a=\u007f',
      'text/plain;\tü',
      'text/plain\n;',
      'text/plain;\u2028',
    ])
      expect([contentType, (await signature(png, contentType)).status]).toEqual([contentType, 400]);
    expect((await signature(png, 'text/plain; charset="utf-8"')).status).toBe(201);
    const told = await upload(Buffer.from('x'), 'text/plain', 'x.txt');
    await world().db.query(
      sql`update rowhouse.files set mimetype = ${'text/plain; a=\u0001'} where token = ${told.token}`,
    );
    const read = await fetch(told.presignedUrl);
    expect([read.status, read.headers.get('content-type'), await read.text()]).toEqual([
      200,
      'application/octet-stream',
      'x',
    ]);
  });

  test('large images get thumbnails, once', async () => {
    const large = await Transformer.fromRgbaPixels(new Uint8Array(600 * 900 * 4).fill(200), 600, 900).png();
    const told = await upload(large, 'image/png', 'large.png');
    const { record } = await create([{ token: told.token, name: 'large.png' }]);
    const [cell] = cellOf(record) as [Attachment];
    for (const [url, height] of [
      [cell.smThumbnailUrl, 56],
      [cell.lgThumbnailUrl, 525],
    ] as const) {
      for (let times = 0; times < 2; times += 1) {
        const answer = await fetch(url as string);
        expect(answer.headers.get('content-type')).toBe('image/webp');
        expect(await new Transformer(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({
          height,
          width: Math.round((600 * height) / 900),
        });
      }
    }
  });

  test('an image that would take too much memory has a size, and is shown as it is', async () => {
    const bytes = await Transformer.fromRgbaPixels(new Uint8Array(4), 1, 1).png();
    // Its header says 6300 by 6300 pixels of 16 bits.
    bytes.writeUInt32BE(6_300, 16);
    bytes.writeUInt32BE(6_300, 20);
    bytes[24] = 16;
    const told = await upload(bytes, 'image/png', 'large.png');
    expect(told).toMatchObject({ width: 6_300, height: 6_300 });
    const { record } = await create([{ token: told.token, name: 'large.png' }]);
    const answer = await fetch((cellOf(record) as [Attachment])[0].lgThumbnailUrl as string);
    expect([answer.headers.get('content-type'), Buffer.from(await answer.arrayBuffer()).equals(bytes)]).toEqual([
      'image/png',
      true,
    ]);
  });

  test('an address without its signature, with that of another file, or that has expired reads nothing', async () => {
    const [one, other] = [await upload(png, 'image/png', 'a'), await upload(png, 'image/png', 'b')];
    const [address, signed] = one.presignedUrl.split('?token=') as [string, string];
    expect((await fetch(address)).status).toBe(400);
    expect((await fetch(`${address}?token=${other.presignedUrl.split('?token=')[1]}`)).status).toBe(400);
    expect((await fetch(`${address}?token=${signed.slice(0, -1)}${signed.endsWith('0') ? '1' : '0'}`)).status).toBe(
      400,
    );
    expect((await fetch(address.replace('private', 'public') + `?token=${signed}`)).status).toBe(404);
    const { files, now } = world().services;
    expect(files.isSigned(one.token, signed)).toBe(true);
    world().services.now = () => new Date(now().getTime() + 6 * 86_400_000);
    expect(files.isSigned(one.token, signed)).toBe(false);
    world().services.now = now;
  });

  test('an upload has to be what was announced, whole, and once', async () => {
    const announced = await signature(png, 'image/png');
    const { url, token } = announced.body;
    expect((await put(url, 'short', 'image/png')).status).toBe(400);
    expect((await put(url, png, 'text/html')).status).toBe(400);
    expect((await put(url.replace(token, 'att000000000000000000000'), png, 'image/png')).status).toBe(400);
    async function* unknownLength() {
      yield Buffer.concat([png, png]);
    }
    const chunked = await fetch(url, {
      method: 'PUT',
      body: unknownLength() as never,
      headers: { 'content-type': 'image/png' },
      duplex: 'half',
    } as never);
    expect([chunked.status, ((await chunked.json()) as { message: string }).message]).toEqual([
      400,
      expect.stringContaining('Size mismatch'),
    ]);
    const early = await table.call(notifyFile, { params: { token }, query: {} });
    expect([early.status, early.error.message]).toEqual([400, expect.stringContaining('Invalid token')]);
    // A cell cannot mention what is not there.
    expect((await create([{ token, name: 'a' }])).status).toBe(400);
    expect((await put(url, png, 'image/png')).status).toBe(200);
    expect((await table.call(notifyFile, { params: { token }, query: {} })).status).toBe(201);
    expect((await table.call(notifyFile, { params: { token }, query: {} })).status).toBe(201);
    expect((await put(url, png, 'image/png')).status).toBe(400);
    const tooLarge = await table.call(createFileSignature, {
      body: { contentType: 'image/png', contentLength: 10_000_001, type: 1 },
    });
    expect([tooLarge.status, tooLarge.error.message]).toEqual([
      400,
      expect.stringContaining('File size exceeds the maximum limit of 9 MB'),
    ]);
    // An empty file is one, too.
    const empty = await upload(Buffer.alloc(0), 'text/plain', 'empty.txt');
    expect([empty.size, await (await fetch(empty.presignedUrl)).text()]).toEqual([0, '']);
  });
});

describe.each([
  ['a folder', null, false],
  ['S3 behind the server', 's3', false],
  ['S3 that clients reach', 's3', true],
] as const)('the storage: %s', (_name, kind, isDirect) => {
  let s3: S3Server;
  let place: World;
  beforeAll(async () => {
    s3 = await startS3Server();
    place = await openWorld(
      world().databaseUrl,
      kind === null ? {} : { s3Url: s3.url, ...(isDirect ? { s3PublicUrl: new URL(s3.url).origin } : {}) },
    );
  });
  afterAll(async () => {
    await place.close();
    s3.close();
  });

  test('takes exactly what was announced, once, and gives any part of it under the asked name', async () => {
    const call = caller({ baseUrl: place.baseUrl, token: table.owner.token });
    const announced = async (bytes: Buffer, type = 'text/plain;  charset=utf-8') =>
      (
        await call(createFileSignature, {
          body: { contentType: type, contentLength: bytes.length, type: 1, baseId: table.baseId } as never,
        })
      ).body;
    const [hello, other] = [Buffer.from('hello world'), Buffer.from('other words')];
    const { url, token, requestHeaders } = await announced(hello);
    expect(new URL(url).origin).toBe(isDirect ? new URL(s3.url).origin : place.origin);
    const type = String(requestHeaders['Content-Type']);
    const notify = (of: string) => call(notifyFile, { params: { token: of }, query: { filename: 'größe.txt' } });
    expect((await notify(token)).status).toBe(400);
    // Longer, shorter, of another type: none of it is kept.
    for (const [bytes, name] of [
      [`${hello}!`, type],
      ['hello', type],
      [hello.toString(), 'text/html'],
    ] as const)
      expect((await put(url, bytes, name)).status).toBeGreaterThanOrEqual(400);
    expect((await notify(token)).status).toBe(400);
    expect((await put(url, hello, type)).status).toBe(200);
    const told = (await notify(token)).body;
    expect(told).toMatchObject({ size: 11, token });
    // The address of the upload may still be good: the file stays as it is.
    await put(url, other, type);
    expect((await notify(token)).body).toEqual(told);
    expect(await (await fetch(told.presignedUrl)).text()).toBe('hello world');
    const part = await fetch(told.presignedUrl, { headers: { range: 'bytes=6-8' } });
    expect([part.status, await part.text()]).toEqual([206, 'wor']);
    const saved = await fetch(`${told.presignedUrl}&response-content-disposition=attachment`);
    expect([saved.headers.get('content-disposition'), saved.headers.get('content-type'), await saved.text()]).toEqual([
      "attachment; filename*=UTF-8''gr%C3%B6%C3%9Fe.txt",
      type,
      'hello world',
    ]);
    expect(new URL(saved.url).origin).toBe(isDirect ? new URL(s3.url).origin : place.origin);
    expect((await fetch(told.presignedUrl.replace('token=', 'token=x'))).status).toBe(400);
    // Clients that send to the server in any case, as Teable's does, are served.
    const second = await announced(other);
    expect((await put(`${place.baseUrl}/attachments/upload/${second.token}`, other, type)).status).toBe(200);
    expect(await (await fetch((await notify(second.token)).body.presignedUrl)).text()).toBe('other words');
    const image = await announced(png, 'image/png');
    await put(image.url, png, 'image/png');
    expect((await notify(image.token)).body).toMatchObject({ width: 2, height: 3 });
    // A bucket serves it without the sandbox of the server: there no drawing is a page.
    const drawing = await announced(svg, 'image/svg+xml; charset=utf-8');
    await put(drawing.url, svg, 'image/svg+xml; charset=utf-8');
    const { presignedUrl } = (await notify(drawing.token)).body;
    for (const way of ['', '&response-content-disposition=inline']) {
      const shown = await fetch(presignedUrl + way);
      await shown.text();
      expect([
        shown.headers.get('content-disposition')?.split(';')[0],
        shown.headers.get('content-security-policy'),
      ]).toEqual(isDirect ? ['attachment', null] : ['inline', expect.stringContaining('sandbox')]);
    }
    // What nobody put into a cell goes after a day, with whatever was sent to its address.
    await ageFiles(world().db);
    await removeFiles(place.services, new AbortController().signal);
    expect([...s3.objects.keys()]).toEqual([]);
    expect((await fetch(told.presignedUrl)).status).toBe(404);
  });
});

describe('cells', () => {
  test('are shown, searched, counted, exported, duplicated and converted; mentions of files that were never here stay as they are', async () => {
    const on = await tableWith(table, [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Files', type: 'attachment' },
    ]);
    const [one, two] = [await upload(png, 'image/png', 'one.png'), await upload(svg, 'image/svg+xml', 'two.svg')];
    const { record } = await create([{ token: one.token, name: '=one, "1".png' }, { token: two.token }], on);
    const foreign = {
      id: 'actId',
      name: 'example',
      token: 'tokenExample',
      path: 'table/example',
      size: 5,
      mimetype: 'image/png',
    };
    expect(cellOf((await create([{ ...foreign, bucket: 'x' }], on)).record)).toEqual([foreign]);
    expect((await create([{ token: one.token }, { name: 'no token' }], on)).status).toBe(400);
    expect((await create([], on)).record.fields).not.toHaveProperty('Files');
    const found = await on.call(listRecords, {
      params: on,
      query: {
        search: ['two.svg', on.fieldIds['Files'] as string, 'true'],
        filter: JSON.stringify({
          conjunction: 'and',
          filterSet: [{ fieldId: on.fieldIds['Files'], operator: 'isNotEmpty', value: null }],
        }),
      } as never,
    });
    expect(found.body.records.map(({ id }) => id)).toEqual([record.id]);
    const total = await on.call(getAggregation, {
      params: on,
      query: { 'field[totalAttachmentSize]': [on.fieldIds['Files']] } as never,
    });
    expect(total.body.aggregations?.[0]?.total?.value).toBe(png.length + svg.length + 5);
    const csv = (await on.call(exportCsv, { params: on, query: {} })).body as unknown as string;
    expect(csv.split('\r\n')[1]).toBe(`a,"'=one, ""1"".png ${one.presignedUrl},two.svg ${two.presignedUrl}"`);
    const copy = (await on.call(duplicateRecord, { params: { ...on, recordId: record.id } })).body.records[0];
    expect((copy?.fields[on.fieldIds['Files'] as string] as Attachment[]).map(({ token }) => token)).toEqual([
      one.token,
      two.token,
    ]);
    // As text and back: by their tokens.
    const text = await on.call(getRecord, { params: { ...on, recordId: record.id }, query: { cellFormat: 'text' } });
    expect(text.body.fields['Files']).toBe(`=one, "1".png (${one.token}),two.svg (${two.token})`);
    const pasted = await on.call(createRecords, {
      params: on,
      body: { typecast: true, records: [{ fields: { Files: text.body.fields['Files'] } }] },
    });
    expect(cellOf(pasted.body.records[0] as never).map(({ name, token }) => [name, token])).toEqual([
      ['=one, "1".png', one.token],
      ['two.svg', two.token],
    ]);
    expect(
      (
        await on.call(createView, {
          params: on,
          body: { type: 'gallery', name: 'G', options: { coverFieldId: on.fieldIds['Files'] } } as never,
        })
      ).status,
    ).toBe(201);
    await on.call(convertField, {
      params: { ...on, fieldId: on.fieldIds['Files'] as string },
      body: { type: 'singleLineText' },
    });
    expect((await on.call(getRecord, { params: { ...on, recordId: record.id } })).body.fields['Files']).toBe(
      text.body.fields['Files'],
    );
  });

  test('all files of a cell come as one archive', async () => {
    const files = [
      await upload(png, 'image/png', 'x'),
      await upload(Buffer.from('hello'), 'text/plain', 'x'),
      await upload(Buffer.alloc(0), 'text/plain', 'x'),
    ];
    const { record } = await create([
      ...files.map(({ token }, at) => ({ token, name: ['a/b.png', 'note.txt', 'NOTE.txt'][at] })),
      { id: 'actId', name: 'example', token: 'tokenExample', path: 'table/example', size: 5, mimetype: 'image/png' },
    ]);
    const answer = await fetch(
      `${world().baseUrl}/table/${table.tableId}/record/${record.id}/${table.fieldIds['Files']}/downloadAttachments`,
      { headers: { authorization: `Bearer ${table.owner.token}` } },
    );
    expect([answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      'application/zip',
      "attachment; filename*=UTF-8''Files.zip",
    ]);
    expect(await unpacked(Buffer.from(await answer.arrayBuffer()))).toEqual({
      'a_b.png': png.toString('base64'),
      'note.txt': Buffer.from('hello').toString('base64'),
      'NOTE (2).txt': '',
    });
    const wrong = await table.call(downloadAttachments, {
      params: { ...table, recordId: record.id, fieldId: table.fieldIds['Name'] as string },
    });
    expect([wrong.status, wrong.error.message]).toEqual([
      400,
      expect.stringContaining('"Name" is of type singleLineText'),
    ]);
    const missing = await table.call(downloadAttachments, {
      params: { ...table, recordId: 'recNope', fieldId: table.fieldIds['Files'] as string },
    });
    expect(missing.status).toBe(404);
  });

  test('history shows files with addresses, and brings them back', async () => {
    const told = await upload(png, 'image/png', 'a.png');
    const { record } = await create([{ token: told.token, name: 'a.png' }]);
    const params = { ...table, recordId: record.id };
    await table.call(updateRecord, { params, body: { record: { fields: { Files: null } } } });
    const history = await table.call(listTableHistory, { params: table, query: {} });
    const entry = history.body.historyList.find(({ recordId }) => recordId === record.id);
    expect(entry?.before.data).toEqual(cellOf(record));
    await table.call(restoreHistory, { params: table, body: { historyIds: [entry?.id as string] } });
    expect(cellOf((await table.call(getRecord, { params })).body)).toEqual(cellOf(record));
    const deleted = await table.call(deleteRecord, { params });
    expect(deleted.body.fields[table.fieldIds['Files'] as string]).toEqual(cellOf(record));
    await table.call(restoreHistory, {
      params: table,
      body: { operationId: deleted.headers.get('x-operation-id') as string },
    });
    expect(cellOf((await table.call(getRecord, { params })).body)).toEqual(cellOf(record));
  });
});

describe('insertAttachment', () => {
  const uploaded = async (name: string) => {
    const { token } = await upload(Buffer.from(name), 'text/plain', name);
    return { token, name };
  };
  const insert = (recordId: string, body: object, fieldId = table.fieldIds['Files'] as string) =>
    table.call(insertAttachments, { params: { tableId: table.tableId, recordId, fieldId }, body: body as never });

  test('puts files behind one of the cell, or behind all, also when many do at once', async () => {
    const { record } = await create([await uploaded('a'), await uploaded('z')]);
    const [first] = cellOf(record);
    const added = await insert(record.id, {
      attachments: [await uploaded('b'), await uploaded('c')],
      anchorId: first?.id,
    });
    expect(added.status).toBe(201);
    const files = await Promise.all(['1', '2', '3', '4'].map(uploaded));
    expect(
      (await Promise.all(files.map((file) => insert(record.id, { attachments: [file] })))).map(({ status }) => status),
    ).toEqual(Array(4).fill(201));
    const names = cellOf((await table.call(getRecord, { params: { ...table, recordId: record.id } })).body).map(
      ({ name }) => name,
    );
    expect([names.slice(0, 4), names.slice(4).toSorted()]).toEqual([
      ['a', 'b', 'c', 'z'],
      ['1', '2', '3', '4'],
    ]);
  });

  test('refuses what is not there, and changes nothing', async () => {
    const { record } = await create([await uploaded('a')]);
    const refused = await insert(record.id, { attachments: [await uploaded('b')], anchorId: 'act1' });
    expect([refused.status, refused.error.message]).toEqual([400, expect.stringContaining('anchorId')]);
    expect((await insert(record.id, { attachments: [{ token: 'att000000000000000000000', name: 'x' }] })).status).toBe(
      400,
    );
    expect((await insert(record.id, { attachments: [] })).status).toBe(400);
    expect((await insert('rec0000000000000000', { attachments: [await uploaded('c')] })).status).toBe(404);
    expect((await insert(record.id, { attachments: [await uploaded('d')] }, table.fieldIds['Name'])).status).toBe(400);
    expect(cellOf((await table.call(getRecord, { params: { ...table, recordId: record.id } })).body)).toHaveLength(1);
  });
});

describe('uploadAttachment', () => {
  let source: Server;
  let address: string;
  let open: World;
  beforeAll(async () => {
    source = createServer((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: '/files/n%C3%A4me.svg?x=1' }).end();
      else if (request.url === '/round') response.writeHead(302, { location: '/round' }).end();
      else if (request.url === '/protocol')
        request.socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n');
      else if (request.url?.startsWith('/files/') === true)
        response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg);
      else response.writeHead(404).end();
    });
    await new Promise<void>((done) => source.listen(0, '127.0.0.1', done));
    address = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
    open = await openWorld(world().databaseUrl, { fetchPrivate: true, fileLimit: 10_000_000 });
  });
  afterAll(async () => {
    await open.close();
    source.close();
  });

  const send = (
    form: FormData,
    recordId: string,
    { on = world() as World, fieldId = table.fieldIds['Files'] as string } = {},
  ): Promise<Response> =>
    fetch(`${on.baseUrl}/table/${table.tableId}/record/${recordId}/${fieldId}/uploadAttachment`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${table.owner.token}` },
    });
  const formWith = (name: string, value: string | Blob, file?: string): FormData => {
    const form = new FormData();
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, file);
    return form;
  };

  test('adds a file to a cell, also when many do at once', async () => {
    const { record } = await create(null);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => send(formWith('file', new Blob([`file ${at}`]), `n${at}.txt`), record.id)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(6).fill(201));
    const cell = cellOf((await table.call(getRecord, { params: { ...table, recordId: record.id } })).body);
    expect(cell.map(({ name }) => name).toSorted()).toEqual([
      'n0.txt',
      'n1.txt',
      'n2.txt',
      'n3.txt',
      'n4.txt',
      'n5.txt',
    ]);
    for (const { name, mimetype, presignedUrl } of cell) {
      expect(mimetype).toBe('text/plain');
      expect(await (await fetch(presignedUrl as string)).text()).toBe(`file ${name[1]}`);
    }
  });

  test('the official client of Teable sends bytes, a file of its machine, or an address', async () => {
    const { record } = await create(null);
    const path = join(own, '..', 'näme.txt');
    writeFileSync(path, 'from a file');
    const add = (file: Parameters<typeof teable.uploadAttachment>[3]) =>
      teable.uploadAttachment(table.tableId, record.id, table.fieldIds['Files'] as string, file);
    teable.configApi({ endpoint: open.origin, token: table.owner.token });
    await add(png);
    await add(createReadStream(path));
    const { status, data } = await add(`${address}/files/a.svg`);
    expect(status).toBe(201);
    const cell = (data.fields as Record<string, Attachment[]>)[table.fieldIds['Files'] as string] ?? [];
    expect(cell.map(({ name, size }) => [name, size])).toEqual([
      [expect.any(String), png.length],
      ['näme.txt', 11],
      ['a.svg', svg.length],
    ]);
    expect(await (await fetch(cell[1]?.presignedUrl as string)).text()).toBe('from a file');
  });

  test('fetches from an address, and only from public ones', async () => {
    const { record } = await create(null);
    for (const url of [
      address + '/files/a.svg',
      'http://localhost:1/',
      'http://[::1]/',
      'http://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
      'nonsense',
    ]) {
      const answer = await send(formWith('fileUrl', url), record.id);
      expect([url, answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
        url,
        400,
        expect.stringContaining('Url reject'),
      ]);
    }
    expect((await send(formWith('fileUrl', `${address}/away`), record.id, { on: open })).status).toBe(201);
    expect((await send(formWith('fileUrl', `${address}/round`), record.id, { on: open })).status).toBe(400);
    expect((await send(formWith('fileUrl', `${address}/nothing`), record.id, { on: open })).status).toBe(400);
    // Node tells nothing at all of such an answer: the request waited for ever.
    expect((await send(formWith('fileUrl', `${address}/protocol`), record.id, { on: open })).status).toBe(400);
    const cell = cellOf((await table.call(getRecord, { params: { ...table, recordId: record.id } })).body);
    expect(cell).toMatchObject([{ name: 'näme.svg', mimetype: 'image/svg+xml', size: svg.length, width: 200 }]);
  });

  test('refuses what it cannot add to', async () => {
    const { record } = await create(null);
    const file = (): FormData => formWith('file', new Blob(['x']), 'x.txt');
    expect((await send(formWith('other', 'x'), record.id)).status).toBe(400);
    expect((await send(file(), 'rec0000000000000000')).status).toBe(404);
    expect((await send(file(), record.id, { fieldId: 'fld0000000000000000' })).status).toBe(404);
    expect((await send(file(), record.id, { fieldId: table.fieldIds['Name'] as string })).status).toBe(400);
    expect((await send(formWith('file', new Blob([Buffer.alloc(10_000_001)]), 'large'), record.id)).status).toBe(400);
  });
});

describe('what files count', () => {
  /** Of the tests before. */
  const removeWaiting = async (): Promise<void> => {
    await ageFiles(world().db);
    await removeWaitingFiles(world().services, new AbortController().signal);
  };
  const limit = 10_000;
  let limited: World;
  beforeAll(async () => {
    limited = await openWorld(world().databaseUrl, {}, { plans: plansWith({ free: { maxSizeAttachments: limit } }) });
  });
  afterAll(() => limited.close());

  const usage = async (on: TestTable): Promise<number> =>
    (await on.call(getBilling, { params: { spaceId: on.spaceId } })).body.plan.usage.attachmentSize;

  const filed = async (place: World): Promise<TestTable> =>
    tableWith(await ground(place), [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Files', type: 'attachment' },
    ]);
  const announce = (on: TestTable, bytes: number) =>
    on.call(createFileSignature, {
      body: { contentType: 'text/plain', contentLength: bytes, type: 1, baseId: on.baseId },
    });
  const arriving = (): Promise<unknown[]> => world().db.query(sql`select bytes from rowhouse.file_arrivals`);

  test('each once per space, copies too; announcements take nothing, and of many that come at once in two processes exactly those that fit get in', async () => {
    const on = await filed(limited);
    expect((await announce(on, limit + 1)).status).toBe(402);
    const asked = await Promise.all(Array.from({ length: 12 }, () => announce(on, 2_000)));
    expect(asked.map(({ status }) => status)).toEqual(Array<number>(12).fill(201));
    const second = await openWorld(world().databaseUrl, {}, { plans: limited.services.plans });
    const sent = await Promise.all(
      asked.map(async ({ body }, index) => {
        const { baseUrl } = index % 2 === 0 ? limited : second;
        const url = `${baseUrl}/attachments/upload/${body.token}`;
        return { token: body.token, status: (await put(url, Buffer.alloc(2_000, 'x'), 'text/plain')).status };
      }),
    ).finally(() => second.close());
    expect(sent.map(({ status }) => status).toSorted()).toEqual([
      ...Array<number>(5).fill(200),
      ...Array<number>(7).fill(402),
    ]);
    expect(await arriving()).toEqual([]);
    const stored = await Promise.all(sent.map(({ token: of }) => limited.services.files.storage.size(of)));
    expect(stored.filter((size) => size !== undefined)).toHaveLength(5);
    expect((await announce(on, 1)).status).toBe(402);
    const { token } = sent.find(({ status }) => status === 200) as { token: string };
    await on.call(notifyFile, { params: { token }, query: {} });
    // Room that is kept is not used yet.
    expect(await usage(on)).toBe(0);
    for (let times = 0; times < 2; times += 1) expect((await create([{ token }, { token }], on)).status).toBe(201);
    expect(await usage(on)).toBe(2_000);
    const copy = await on.call(duplicateBase, {
      body: { fromBaseId: on.baseId, spaceId: on.spaceId, withRecords: true },
    });
    expect([copy.status, await usage(on)]).toEqual([201, 2_000]);

    // A file that came without room being kept for it is refused when a cell takes it.
    const unkept = await on.call(createFileSignature, {
      body: { contentType: 'text/plain', contentLength: 9_000, type: 1 },
    });
    await put(unkept.body.url, Buffer.alloc(9_000, 'x'), 'text/plain');
    await on.call(notifyFile, { params: { token: unkept.body.token }, query: {} });
    expect((await create([{ token: unkept.body.token }], on)).status).toBe(402);
    expect(await usage(on)).toBe(2_000);
    const elsewhere = await on.call(createSpace, { body: { name: 'Elsewhere' } });
    expect((await on.call(moveBase, { params: on, body: { spaceId: elsewhere.body.id } })).status).toBe(200);
    expect(await usage({ ...on, spaceId: elsewhere.body.id })).toBe(2_000);
    // The copy still mentions it.
    expect(await usage(on)).toBe(2_000);
  });

  test('an upload that finds no more room on its way is refused there, and nothing of it stays', async () => {
    const million = 1_000_000;
    const place = await openWorld(
      world().databaseUrl,
      {},
      { plans: plansWith({ free: { maxSizeAttachments: 13 * million } }) },
    );
    try {
      const on = await filed(place);
      const [long, short] = [(await announce(on, 10 * million)).body, (await announce(on, 4 * million)).body];
      const sent = request(long.url, {
        method: 'PUT',
        headers: { 'content-type': 'text/plain', 'content-length': 10 * million },
      });
      const answered = new Promise<number | undefined>((done, fail) =>
        sent.once('response', (answer) => done(answer.resume().statusCode)).once('error', fail),
      );
      sent.write(Buffer.alloc(million));
      await expect.poll(arriving).toEqual([{ bytes: 8 * 1_048_576 }]);
      // The same file once more is more bytes on the disk.
      expect((await put(long.url, Buffer.alloc(10 * million), 'text/plain')).status).toBe(402);
      expect((await put(short.url, Buffer.alloc(4 * million), 'text/plain')).status).toBe(200);
      sent.end(Buffer.alloc(9 * million));
      expect(await answered).toBe(402);
      expect(await arriving()).toEqual([]);
      const folder = join(place.services.config.filesFolder, 'incoming');
      expect(readdirSync(folder).filter((name) => name.startsWith(long.token))).toEqual([]);
      expect(
        (await put((await announce(on, 9 * million)).body.url, Buffer.alloc(9 * million), 'text/plain')).status,
      ).toBe(200);
    } finally {
      await place.close();
    }
  });

  // Each limit alone is in the next test.
  onlyInProof(test)('five accounts that upload all they can leave room for a sixth', async () => {
    await removeWaiting();
    const place = await openWorld(world().databaseUrl, { waitingFileMegabytes: 5, accountFileMegabytes: 1 });
    try {
      const piece = Buffer.alloc(262_144);
      for (let account = 0; account < 5; account += 1) {
        const on = await filed(place);
        for (let status = 200; status === 200; ) {
          const { body, status: announced } = await announce(on, piece.length);
          status = announced === 201 ? (await put(body.url, piece, 'text/plain')).status : announced;
          expect([200, 429]).toContain(status);
        }
      }
      const sixth = await filed(place);
      expect((await put((await announce(sixth, piece.length)).body.url, piece, 'text/plain')).status).toBe(200);
    } finally {
      await place.close();
      await removeWaiting();
    }
  });

  test('what is in no record is limited for an account, a space and the instance, whatever was announced', async () => {
    const megabyte = Buffer.alloc(1_048_576);
    const openWith = (settings: object): Promise<World> => openWorld(world().databaseUrl, settings);
    const refusedWith = async (settings: object, what: string): Promise<void> => {
      const place = await openWith(settings);
      try {
        const on = await filed(place);
        const [one, two] = [(await announce(on, megabyte.length)).body, (await announce(on, 1)).body];
        const before = (await put(one.url, megabyte, 'text/plain')).status;
        const answer = await put(two.url, 'x', 'text/plain');
        expect([before, answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
          200,
          429,
          expect.stringContaining(what),
        ]);
        // In a record it does not wait any more.
        await on.call(notifyFile, { params: { token: one.token }, query: {} });
        expect((await create([{ token: one.token }], on)).status).toBe(201);
        expect((await put(two.url, 'x', 'text/plain')).status).toBe(200);
      } finally {
        await place.close();
      }
    };
    await removeWaiting();
    // A fifth of the instance: a quarter of what it leaves to others.
    await refusedWith({ waitingFileMegabytes: 5 }, 'This server takes at most 5 MB');
    await refusedWith({ spaceFileMegabytes: 1 }, 'A space has at most 1 MB');
    // An announcement counts for the account that makes it, with a base or without.
    const some = await openWith({ accountFileMegabytes: 1 });
    try {
      const on = await filed(some);
      const { url } = (await announce(on, megabyte.length)).body;
      const more = await on.call(createFileSignature, {
        body: { contentType: 'text/plain', contentLength: 1, type: 1 },
      });
      expect([more.status, (await announce(on, 1)).status]).toEqual([429, 429]);
      expect((await put(url, megabyte, 'text/plain')).status).toBe(200);
      const another = await filed(some);
      expect((await announce(another, 1)).status).toBe(201);
    } finally {
      await some.close();
    }
  });

  test('what was sent to the bucket counts when it is told of, or found, and goes when there is no room', async () => {
    const s3 = await startS3Server();
    const place = await openWorld(
      world().databaseUrl,
      { s3Url: s3.url, s3PublicUrl: new URL(s3.url).origin },
      { plans: limited.services.plans },
    );
    try {
      // A server that starts looks for what was left behind.
      await expect.poll(() => countDueRemovals(world().db)).toBe(0);
      await holdRemovals(world().db);
      const on = await filed(place);
      const send = async (bytes: number) => {
        const { url, token } = (await announce(on, bytes)).body;
        expect((await put(url, Buffer.alloc(bytes), 'text/plain')).status).toBe(200);
        return { url, token, notify: () => on.call(notifyFile, { params: { token }, query: {} }) };
      };
      const held = async (): Promise<number[]> => [...s3.objects.values()].map(({ length }) => length).toSorted();
      const [one, two] = await Promise.all([send(6_000), send(6_001)]);
      expect([(await one.notify()).status, (await two.notify()).status]).toEqual([201, 402]);
      expect(await held()).toEqual([6_000]);
      // Nobody tells of these.
      await send(3_000);
      await removeWaitingFiles(place.services, new AbortController().signal);
      expect((await announce(on, 1_001)).status).toBe(402);
      await put(two.url, Buffer.alloc(6_001), 'text/plain');
      await put(one.url, Buffer.alloc(6_000), 'text/plain');
      expect(await held()).toEqual([3_000, 6_000, 6_000, 6_001]);
      await removeWaitingFiles(place.services, new AbortController().signal);
      expect(await held()).toEqual([3_000, 6_000, 6_000]);
      // In a record for good; what was sent to its address since goes with the address.
      expect((await create([{ token: one.token }], on)).status).toBe(201);
      await ageFiles(world().db);
      await removeWaitingFiles(place.services, new AbortController().signal);
      expect(await held()).toEqual([6_000]);
      // Told of several times at once, and found as well, a file counts once: counted twice there would be no room for it.
      const another = await filed(place);
      const { url, token } = (await announce(another, 6_002)).body;
      await put(url, Buffer.alloc(6_002), 'text/plain');
      const told = await Promise.all([
        ...Array.from({ length: 4 }, () => another.call(notifyFile, { params: { token }, query: {} })),
        removeWaitingFiles(place.services, new AbortController().signal),
      ]);
      expect(told.map((answer) => answer?.status)).toEqual([201, 201, 201, 201, undefined]);
      expect(await held()).toEqual([6_000, 6_002]);
    } finally {
      await place.close();
      s3.close();
    }
  });
});

describe('what nobody can bring back is removed', () => {
  const collect = (): Promise<void> => removeFiles(world().services, new AbortController().signal);
  const isThere = async (token: string): Promise<boolean> =>
    (await world().services.files.storage.size(token)) !== undefined;

  test('uploads that no cell took, and files that have left cells, history and trash', async () => {
    const on = await tableWith(await ground(world(), table.owner), [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Files', type: 'attachment' },
    ]);
    const [unclaimed, kept, replaced, deleted] = await Promise.all(
      ['u', 'k', 'r', 'd'].map((name) => upload(Buffer.from(name), 'text/plain', name)),
    );
    const of = (told: { token: string } | undefined): string => told?.token as string;
    await create([{ token: of(kept) }], on);
    const change = (await create([{ token: of(replaced) }], on)).record.id;
    await on.call(updateRecord, { params: { ...on, recordId: change }, body: { record: { fields: { Files: null } } } });
    await on.call(deleteRecord, {
      params: { ...on, recordId: (await create([{ token: of(deleted) }], on)).record.id },
    });
    const tokens = [unclaimed, kept, replaced, deleted].map(of);
    await collect();
    expect(await Promise.all(tokens.map(isThere))).toEqual([true, true, true, true]);
    await ageFiles(world().db);
    await collect();
    expect(await Promise.all(tokens.map(isThere))).toEqual([false, true, true, true]);
    await forgetHistory(world().db, on.baseId, on.tableId);
    await collect();
    expect(await Promise.all(tokens.map(isThere))).toEqual([false, true, false, false]);
    expect((await knownFiles(world().db)).filter((token) => tokens.includes(token))).toEqual([of(kept)]);
    // What is gone cannot be mentioned again.
    expect((await create([{ token: of(deleted) }], on)).status).toBe(400);
  });

  test('a file that a cell takes up while it is looked for stays, and the others are removed all the same', async () => {
    const on = await tableWith(await ground(world(), table.owner), [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Files', type: 'attachment' },
    ]);
    const unclaimed = await upload(Buffer.from('u'), 'text/plain', 'u');
    const taken = await upload(Buffer.from('t'), 'text/plain', 't');
    const change = (await create([{ token: taken.token }], on)).record.id;
    await on.call(updateRecord, { params: { ...on, recordId: change }, body: { record: { fields: { Files: null } } } });
    await forgetHistory(world().db, on.baseId, on.tableId);
    await ageFiles(world().db);
    const cell = await world().db.dedicated();
    await cell.query('begin');
    await cell.query('update rowhouse.file_uses set used_time = now() where token = $1', [taken.token]);
    const collecting = collect();
    await expect.poll(() => countWaiting(world().db)).toBe(1);
    await cell.query('commit');
    await cell.end();
    await collecting;
    expect([await isThere(unclaimed.token), await isThere(taken.token)]).toEqual([false, true]);
  });

  test('a backup of a base has its files with it', async () => {
    const on = await tableWith(await ground(world(), table.owner), [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Files', type: 'attachment' },
    ]);
    const told = await upload(Buffer.alloc(5_000_000, 'y'), 'text/plain', 'y.txt');
    const { record } = await create([{ token: told.token }], on);
    const { storage } = world().services.files;
    const { manifest } = await writeBackup(world().databaseUrl, own, { baseId: on.baseId, storage });
    expect(manifest.files).toEqual([{ token: told.token, size: 5_000_000, parts: 2 }]);
    const elsewhere = await createDatabase();
    const there = await openWorld(elsewhere.url);
    try {
      const target = await ground(there);
      const session = await openSession(elsewhere.url);
      await restoreBase(session, own, await openBackup(own), target.spaceId, there.services).finally(() =>
        session.client.end(),
      );
      const read = await target.call(getRecord, { params: { ...on, recordId: record.id } });
      const answer = await fetch(cellOf(read.body)[0]?.presignedUrl as string);
      expect((await answer.arrayBuffer()).byteLength).toBe(5_000_000);
    } finally {
      await there.close();
      await elsewhere.drop();
    }
  });
});
