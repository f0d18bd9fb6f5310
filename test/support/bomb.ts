// The file of a base one of whose parts is unpacked to a lot. Its seal is right: nothing else is wrong with it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { createArchive, ofOperator, readArchive } from '../../server/domain/backup/archive.ts';

const packed = async (megabytes: number): Promise<Buffer> => {
  const gzip = createGzip();
  const pieces: Buffer[] = [];
  const reading = (async () => {
    for await (const piece of gzip as AsyncIterable<Buffer>) pieces.push(piece);
  })();
  const megabyte = Buffer.alloc(1_048_576, 'x\n');
  for (let left = megabytes; left > 0; left -= 1)
    if (!gzip.write(megabyte)) await new Promise((done) => gzip.once('drain', done));
  gzip.end();
  await reading;
  return Buffer.concat(pieces);
};

/** The same file, with other members; sealed again. */
const changedFile = async (
  file: Buffer,
  change: (name: string, body: Buffer) => Buffer | Promise<Buffer>,
): Promise<Buffer> => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-bomb-'));
  try {
    const [whole, changed] = [join(folder, 'whole'), join(folder, 'changed')];
    writeFileSync(whole, file);
    const archive = await createArchive(changed, new Date(0));
    for await (const { name, body } of readArchive(whole, ofOperator))
      await archive.add(name, await change(name, body));
    await archive.finish();
    return readFileSync(changed);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Instead of its first rows. */
export const bombOf = (file: Buffer, megabytes: number): Promise<Buffer> => {
  let isDone = false;
  return changedFile(file, (name, body) => {
    if (isDone || !name.endsWith('.copy.gz')) return body;
    isDone = true;
    return packed(megabytes);
  });
};

/** With another manifest. */
export const withManifest = (file: Buffer, change: (manifest: Record<string, unknown>) => string): Promise<Buffer> =>
  changedFile(file, (name, body) =>
    name === 'manifest.json' ? Buffer.from(change(JSON.parse(body.toString()) as Record<string, unknown>)) : body,
  );
