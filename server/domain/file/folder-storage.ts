// Files in a folder of this machine. Each is written aside, and linked to its place once it is whole and on disk: a process
// that is killed leaves nothing that looks like a file.
import { createReadStream } from 'node:fs';
import { link, mkdir, open, rm, stat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { randomText } from '@rowhouse/contract/id.ts';
import { SizeMismatch, type Storage } from '../../stored-files.ts';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const pieceSize = 262_144;

/** What an upload left that was cut off by the end of its process. */
const removeOldDrafts = async (folder: string, seconds: number): Promise<void> => {
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > seconds * 1_000)
      await rm(join(folder, name), { force: true });
  }
};

const writeWhole = async (path: string, body: AsyncIterable<Uint8Array>, size: number): Promise<void> => {
  const file = await open(path, 'wx', 0o600);
  try {
    let written = 0;
    for await (const piece of body) {
      written += piece.length;
      if (written > size) throw new SizeMismatch(written, size);
      await file.writeFile(piece);
    }
    if (written !== size) throw new SizeMismatch(written, size);
    await file.sync();
  } finally {
    await file.close();
  }
};

export const createFolderStorage = (folder: string): Storage => {
  const drafts = join(folder, 'incoming');
  // Folders of some hundred files each: the first characters of a token are all the same.
  const placeOf = (key: string): string => join(folder, key.slice(3, 5), key);
  return {
    async write(key, body, size) {
      await mkdir(drafts, { recursive: true });
      const draft = join(drafts, `${key}.${randomText(8)}`);
      const place = placeOf(key);
      try {
        await writeWhole(draft, body, size);
        await mkdir(join(place, '..'), { recursive: true });
        await link(draft, place).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
        });
      } finally {
        await rm(draft, { force: true });
      }
    },
    async *read(key, first, last) {
      if (last < first) return;
      for await (const piece of createReadStream(placeOf(key), { start: first, end: last, highWaterMark: pieceSize }))
        yield piece as Buffer;
    },
    async size(key) {
      try {
        return (await stat(placeOf(key))).size;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async remove(key) {
      await rm(placeOf(key), { force: true });
    },
    removeDrafts: (seconds) => removeOldDrafts(drafts, seconds),
  };
};
