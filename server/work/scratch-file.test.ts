import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newScratchFile, sweepScratchFiles } from './scratch-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scratch-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const hour = 3_600_000;
const make = (name: string, age: number): string => {
  const path = join(folder, name);
  writeFileSync(path, 'x');
  const time = new Date(Date.now() - age);
  utimesSync(path, time, time);
  return path;
};

test('what a killed process left is removed after an hour, and nothing else', async () => {
  const gone = [make('rowhouse-0123456789abcdef', 2 * hour), make('rowhouse-0123456789abcdeF.12.part', 2 * hour)];
  const inUse = newScratchFile();
  writeFileSync(inUse.path, 'x');
  utimesSync(inUse.path, new Date(0), new Date(0));
  const stay = [
    inUse.path,
    make('rowhouse-0123456789abcdeE', hour / 2),
    make('rowhouse-0123456789abcde', 2 * hour),
    make('mine-0123456789abcdef', 2 * hour),
    join(folder, 'rowhouse-aaaaaaaaaaaaaaaa'),
    join(folder, 'rowhouse-bbbbbbbbbbbbbbbb'),
  ];
  mkdirSync(stay[4] as string);
  symlinkSync('/etc/hostname', stay[5] as string);
  await sweepScratchFiles(Date.now() + hour / 4);
  expect(gone.map((path) => existsSync(path))).toEqual([false, false]);
  expect(stay.map((path) => existsSync(path))).toEqual(stay.map(() => true));
  await inUse.remove();
  expect(existsSync(inUse.path)).toBe(false);
});
