// Pictures on the program as it is shipped.
import type { Attachment } from '@rowhouse/contract/attachment.ts';
import { Transformer } from '@napi-rs/image';
import { expect, test } from 'vitest';
import { credentialsIn, type Known, request, serve, type Served, usedDataFolder } from '../support/program.ts';

const json = async <T>(answer: Promise<Response>): Promise<T> => (await answer).json() as Promise<T>;

const upload = async ({ origin }: Served, known: Known, bytes: Buffer): Promise<Attachment> => {
  const signed = await json<{ token: string; url: string }>(request(origin, known, 'POST', '/attachments/signature', { contentType: 'image/png', contentLength: bytes.length, type: 1, baseId: known.baseId }));
  expect((await fetch(`${origin}${new URL(signed.url).pathname}`, { method: 'PUT', body: new Uint8Array(bytes), headers: { 'content-type': 'image/png' } })).status).toBe(200);
  return json(request(origin, known, 'POST', `/attachments/notify/${signed.token}?filename=a.png`));
};

const fieldOfFiles = async ({ origin }: Served, known: Known): Promise<string> => (await json<{ name: string }>(request(origin, known, 'POST', `/table/${known.tableId}/field`, { type: 'attachment', name: 'Pictures' }))).name;

const picture = (): Promise<Buffer> => Transformer.fromRgbaPixels(new Uint8Array(4 * 600 * 4).fill(200), 4, 600).png();

const thumbnail = async (cell: Attachment | undefined): Promise<string> => {
  const answer = await fetch(cell?.lgThumbnailUrl ?? 'data:,');
  return `${answer.status} ${answer.headers.get('content-type')}`;
};

test('an uploaded picture has its size and a thumbnail', async () => {
  const data = usedDataFolder();
  const server = await serve({ ROWHOUSE_DATA: data });
  const known = credentialsIn(data);
  const file = await upload(server, known, await picture());
  expect(file).toMatchObject({ width: 4, height: 600 });
  const field = await fieldOfFiles(server, known);
  const { records } = await json<{ records: { fields: Record<string, Attachment[]> }[] }>(request(server.origin, known, 'POST', `/table/${known.tableId}/record`, { records: [{ fields: { [field]: [{ token: file.token, name: 'a.png' }] } }] }));
  expect(await thumbnail(records[0]?.fields[field]?.[0])).toBe('200 image/webp');
});
