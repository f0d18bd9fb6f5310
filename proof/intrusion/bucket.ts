// Files in a bucket that clients reach themselves: by addresses that were signed for one thing each.
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { disableShare, enableShare, listShareRecords, setShareMeta } from '@rowhouse/contract/share.ts';
import { caller } from '../../test/support/caller.ts';
import { type S3Server, startS3Server } from '../../test/support/s3-server.ts';
import { ground as newGround, tableWith, type TestTable } from '../../test/support/table.ts';
import type { Ground } from '../ground.ts';
import { type Attack, type Scene, unless } from './attack.ts';

interface Stage {
  ground: Ground;
  s3: S3Server;
}

const stages = new WeakMap<Scene, Promise<Stage>>();

const stageOf = (scene: Scene): Promise<Stage> => {
  const found =
    stages.get(scene) ??
    startS3Server().then(async (s3) => ({
      s3,
      ground: await scene.open({ ROWHOUSE_S3_URL: s3.url, ROWHOUSE_S3_PUBLIC_URL: new URL(s3.url).origin }),
    }));
  stages.set(scene, found);
  return found;
};

const newTable = async (ground: Ground): Promise<TestTable> =>
  tableWith(await newGround(ground), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Files', type: 'attachment' },
  ]);

const announce = async ({ call, baseId }: TestTable, contentType: string, contentLength: number) =>
  (await call(createFileSignature, { body: { contentType, contentLength, type: 1, baseId } })).body;

const put = async (url: string, body: string, contentType: string): Promise<number> => {
  const answer = await fetch(url, { method: 'PUT', body, headers: { 'content-type': contentType } });
  await answer.text();
  return answer.status;
};

/** Where the server leads to, and what is answered there. */
const follow = async (
  url: string,
): Promise<{ status: number; location: URL | undefined; text: string; headers: Headers }> => {
  const first = await fetch(url, { redirect: 'manual' });
  await first.text();
  const location = first.headers.get('location');
  if (location === null) return { status: first.status, location: undefined, text: '', headers: first.headers };
  const second = await fetch(location);
  return { status: first.status, location: new URL(location), text: await second.text(), headers: second.headers };
};

const addressOf = (cell: unknown): string => (cell as { presignedUrl: string }[])[0]?.presignedUrl ?? '';

const oddName = '../../..\\a"b\u202e;filename=x\u00e9%0d%0aset-cookie: a=b.html';

export const attacks: Attack[] = [
  {
    name: 'a signed address writes, reads or lists something else than it was signed for',
    async run(scene) {
      const { ground, s3 } = await stageOf(scene);
      const [mine, theirs] = [await newTable(ground), await newTable(ground)];
      const victim = await announce(theirs, 'text/plain', 6);
      await put(victim.url, 'secret', 'text/plain');
      await theirs.call(notifyFile, { params: { token: victim.token }, query: {} });
      const signed = await announce(mine, 'text/plain', 6);
      const tried: [what: string, answer: Promise<number>][] = [
        ['a longer body', put(signed.url, 'longer than six', 'text/plain')],
        ['another type', put(signed.url, '<html>', 'text/html')],
        ['the key of another file', put(signed.url.replaceAll(signed.token, victim.token), 'broken', 'text/plain')],
        ['the final key', put(signed.url.replace('.incoming', ''), 'broken', 'text/plain')],
        ['a key above the bucket', put(signed.url.replace(signed.token, `../${victim.token}`), 'broken', 'text/plain')],
        ['reading with it', fetch(signed.url).then(({ status }) => status)],
        [
          'reading another file',
          fetch(signed.url.replaceAll(`${signed.token}.incoming`, victim.token)).then(({ status }) => status),
        ],
        ['deleting', fetch(signed.url, { method: 'DELETE' }).then(({ status }) => status)],
        ['a list of the bucket', fetch(signed.url.replace(/[^/]+\?/, '?list-type=2&')).then(({ status }) => status)],
        ['a longer life', put(signed.url.replace(/X-Amz-Expires=\d+/, 'X-Amz-Expires=604800'), 'broken', 'text/plain')],
      ];
      const found = (await Promise.all(tried.map(async ([what, answer]) => [what, await answer] as const))).flatMap(
        ([what, status]) => unless(status === 403, `${what} answered ${status}`),
      );
      const control = await put(signed.url, 'a file', 'text/plain');
      await mine.call(notifyFile, { params: { token: signed.token }, query: { filename: oddName } });
      // Once it was taken, what the address writes is not what is read.
      await put(signed.url, 'b file', 'text/plain');
      await mine.call(createRecords, {
        params: mine,
        body: { records: [{ fields: { Files: [{ token: signed.token, name: oddName }] } }] },
      });
      const cell = (await mine.call(listRecords, { params: mine })).body.records[0]?.fields['Files'];
      const read = await follow(addressOf(cell));
      const disposition = read.headers.get('content-disposition') ?? '';
      const borrowed = await follow(addressOf(cell).replace(signed.token, victim.token));
      return [
        ...found,
        ...unless(
          control === 200 && read.text === 'a file',
          `the control answered ${control}, and read "${read.text}"`,
        ),
        ...unless(s3.objects.get(victim.token)?.toString() === 'secret', 'the file of the other was changed'),
        ...unless(/^inline; filename\*=UTF-8''[\w.%~!-]+$/.test(disposition), `its name became ${disposition}`),
        ...unless(read.headers.get('set-cookie') === null, 'its name became a header'),
        ...unless(borrowed.status === 400, `with the signature of another file it answered ${borrowed.status}`),
        ...unless(
          [...s3.objects.keys()].every((key) => /^att[0-9A-Za-z]{21}(\.incoming)?$/.test(key)),
          `keys: ${[...s3.objects.keys()].join()}`,
        ),
      ];
    },
  },
  {
    name: 'a page or a drawing in the bucket acts in a browser',
    async run(scene) {
      const { ground } = await stageOf(scene);
      const table = await newTable(ground);
      const found: string[] = [];
      for (const type of ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/xml', 'text/html; charset=x']) {
        const { url, token } = await announce(table, type, 8);
        await put(url, '<script>', type);
        const told = await table.call(notifyFile, { params: { token }, query: { filename: 'a.html' } });
        for (const asked of ['', '&response-content-disposition=inline']) {
          const { headers } = await follow(told.body.presignedUrl + asked);
          found.push(
            ...unless(
              headers.get('content-disposition')?.startsWith('attachment;') === true,
              `${type} is shown: ${headers.get('content-disposition')}`,
            ),
          );
        }
      }
      return found;
    },
  },
  {
    name: 'the address of a file goes on after the share that gave it has ended, or has a password',
    async run(scene) {
      const { ground } = await stageOf(scene);
      const found: string[] = [];
      for (const end of ['ended', 'with a password'] as const) {
        const table = await newTable(ground);
        const { url, token } = await announce(table, 'text/plain', 6);
        await put(url, 'secret', 'text/plain');
        await table.call(notifyFile, { params: { token }, query: {} });
        await table.call(createRecords, {
          params: table,
          body: { records: [{ fields: { Files: [{ token, name: 'a' }] } }] },
        });
        const params = { tableId: table.tableId, viewId: table.viewId };
        const { shareId } = (await table.call(enableShare, { params })).body;
        const visitor = caller({ baseUrl: ground.baseUrl });
        const seen = await visitor(listShareRecords, { params: { shareId }, query: {} });
        const address = addressOf(seen.body.records[0]?.fields['Files']);
        const before = await follow(address);
        const lasts = Number(before.location?.searchParams.get('X-Amz-Expires'));
        if (end === 'ended') await table.call(disableShare, { params });
        else await table.call(setShareMeta, { params, body: { password: 'long and winding 7' } });
        const after = await follow(address);
        found.push(
          ...unless(before.text === 'secret', `the control answered ${before.status}, and read "${before.text}"`),
          ...unless(lasts > 0 && lasts <= 300, `the bucket would answer for ${lasts} seconds`),
          ...unless(after.status === 404, `${end}: the address answered ${after.status}`),
        );
      }
      return found;
    },
  },
];
