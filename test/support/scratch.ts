// Where tests keep databases that nobody keeps: in memory where there is plenty, since making and deleting the many files
// of PostgreSQL took a tenth of their time. TMPDIR overrules it.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';
const plenty = 8 * 1_073_741_824;

const parentFolder = (): string => {
  if (
    process.env['TMPDIR'] !== undefined ||
    ((process.constrainedMemory?.() ?? 0) > 0 && process.constrainedMemory() < 2 * plenty)
  )
    return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize > plenty && freemem() > plenty ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
};

/** A new folder, in which PostgreSQL can make one although it may run as another user. */
export const newScratchFolder = (name: string): string => {
  const folder = mkdtempSync(join(parentFolder(), `rowhouse-${name}-`));
  chmodSync(folder, 0o755);
  return folder;
};

/** With owners and modes, which PostgreSQL insists on. */
export const copyFolder = (from: string, to: string): void => {
  execFileSync('cp', ['-a', from, to]);
};
