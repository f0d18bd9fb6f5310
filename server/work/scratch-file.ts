// Files that a piece of work needs on this machine and by name: an Excel file, the file of a base. What a killed process left of them is
// removed by the next server that starts here, and once an hour. Those in use are touched meanwhile: their age says that somebody works
// with them, whichever container or machine that is.
import { lstat, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomText } from '@rowhouse/contract/id.ts';
import type { BackgroundErrors } from '../background-errors.ts';

/** Also the draft of one (`domain/backup/archive.ts`). */
const form = /^rowhouse-[0-9A-Za-z]{16}(\.\d+\.part)?$/;

/** Milliseconds. Several touches may be missed. */
const touchedEvery = 300_000;
const leftAfter = 3_600_000;

const inUse = new Set<string>();

/** The file is for `work` to make; nothing of it is left when that ends. */
export const withScratchFile = async <T>(work: (path: string) => Promise<T>): Promise<T> => {
  const { path, remove } = newScratchFile();
  try {
    return await work(path);
  } finally {
    await remove();
  }
};

export const newScratchFile = (): { path: string; remove: () => Promise<void> } => {
  const path = join(tmpdir(), `rowhouse-${randomText(16)}`);
  inUse.add(path);
  return {
    path,
    async remove() {
      inUse.delete(path);
      await rm(path, { force: true });
    },
  };
};

const touch = async (): Promise<void> => {
  const now = new Date();
  // One that is not made yet, or still a draft that is written to, needs no touch.
  for (const path of inUse) await utimes(path, now, now).catch(() => undefined);
};

/** Removes what nobody has touched for an hour, as far as it is ours. */
export const sweepScratchFiles = async (now: number): Promise<void> => {
  const folder = tmpdir();
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!form.test(name) || inUse.has(path)) continue;
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() === true && found.uid === process.getuid?.() && now - found.mtimeMs > leftAfter)
      await rm(path, { force: true });
  }
};

/** Answers what ends it. */
export const keepScratchFiles = (backgroundErrors: BackgroundErrors): (() => Promise<void>) => {
  const sweep = (): void =>
    void sweepScratchFiles(Date.now()).catch((error: unknown) =>
      backgroundErrors.note('removing temporary files', error),
    );
  sweep();
  const timers = [setInterval(sweep, leftAfter).unref(), setInterval(() => void touch(), touchedEvery).unref()];
  return async () => {
    for (const timer of timers) clearInterval(timer);
  };
};
