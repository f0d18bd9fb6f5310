// The file of a base one of whose parts is unpacked to a lot. Its seal is right: nothing else is wrong with it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { createArchive, ofOperator, readArchive } from '../../server/domain/backup/archive.ts';

const packed = async (megabytes: number, hasLongRows: boolean): Promise<Buffer> => {
  const gzip = createGzip();
  const pieces: Buffer[] = [];
  const reading = (async () => {
    for await (const piece of gzip as AsyncIterable<Buffer>) pieces.push(piece);
  })();
  const megabyte = Buffer.alloc(1_048_576, hasLongRows ? 'x' : 'x\n');
  megabyte.write('\n', megabyte.length - 1);
  for (let left = megabytes; left > 0; left -= 1)
    if (!gzip.write(megabyte)) await new Promise((done) => gzip.once('drain', done));
  gzip.end();
  await reading;
  return Buffer.concat(pieces);
};

/** The same file, with other members, and `more` before them; sealed again. */
const changedFile = async (
  file: Buffer,
  change: (name: string, body: Buffer) => Buffer | Promise<Buffer>,
  more: readonly (readonly [name: string, body: Buffer])[] = [],
): Promise<Buffer> => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-bomb-'));
  try {
    const [whole, changed] = [join(folder, 'whole'), join(folder, 'changed')];
    writeFileSync(whole, file);
    const archive = await createArchive(changed, new Date(0));
    for (const [name, body] of more) await archive.add(name, body);
    for await (const { name, body } of readArchive(whole, ofOperator))
      await archive.add(name, await change(name, body));
    await archive.finish();
    return readFileSync(changed);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const withBytes = (manifest: Buffer, name: string, bytes: number): Buffer => {
  const read = JSON.parse(manifest.toString()) as { tables: { bytes: number }[] };
  const place = Number(/^data\/(\d+)\//.exec(name)?.[1]);
  return Buffer.from(
    JSON.stringify({ ...read, tables: read.tables.map((table, at) => (at === place ? { ...table, bytes } : table)) }),
  );
};

/** Instead of its first rows. The manifest says how many bytes they are unpacked to, unless it `lies`. */
export const bombOf = async (
  file: Buffer,
  megabytes: number,
  { lies = false, hasLongRows = false } = {},
): Promise<Buffer> => {
  const bomb = await packed(megabytes, hasLongRows);
  let replaced: string | undefined;
  const made = await changedFile(file, (name, body) => {
    if (replaced !== undefined || !name.endsWith('.copy.gz')) return body;
    replaced = name;
    return bomb;
  });
  return lies
    ? made
    : changedFile(made, (name, body) =>
        name === 'manifest.json' ? withBytes(body, replaced as string, megabytes * 1_048_576) : body,
      );
};

/** With another manifest. */
export const withManifest = (file: Buffer, change: (manifest: Record<string, unknown>) => string): Promise<Buffer> =>
  changedFile(file, (name, body) =>
    name === 'manifest.json' ? Buffer.from(change(JSON.parse(body.toString()) as Record<string, unknown>)) : body,
  );

/** With members that do not belong there, before all others. */
export const withMembers = (file: Buffer, more: readonly (readonly [name: string, body: Buffer])[]): Promise<Buffer> =>
  changedFile(file, (_name, body) => body, more);
