import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { oldParts, proves } from '../scripts/proof-age.mjs';
import { parts } from './parts.ts';
import { pageOf } from './report.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

test('every part says what it proves, and that is there', () => {
  expect(Object.keys(proves).toSorted()).toEqual(parts.map(({ name }) => name).toSorted());
  const gone = Object.values(proves)
    .flat()
    .filter((path) => !existsSync(join(root, path)));
  expect(gone).toEqual([]);
});

test('docs/proof.md is what the runs that are kept say', () => {
  expect(readFileSync(join(root, 'docs/proof.md'), 'utf8')).toBe(pageOf(parts));
});

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-age-'));
  folders.push(folder);
  return folder;
};

test('a part is too old when what it proves, or the part itself, has changed since its last full run', () => {
  const folder = newFolder();
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const write = (path: string, text: string): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const commit = (path: string, text: string, message: string): string => {
    write(path, text);
    git('add', '-A');
    git('commit', '-q', '-m', message);
    return git('rev-parse', 'HEAD');
  };
  const ran = (name: string, at: string, failures: string[] = []): void =>
    write(
      `proof/results/${name}.json`,
      JSON.stringify({ date: '2026-01-01', commit: `${at.slice(0, 10)}+`, failures }),
    );
  const table = { one: ['server/one'], two: ['server/two'] };
  git('init', '-q');
  const first = commit('server/one/a.ts', '1', 'feat: one');
  expect(oldParts(folder, table)).toEqual(['one: no full run yet', 'two: no full run yet']);
  ran('one', first);
  ran('two', first);
  expect(oldParts(folder, table)).toEqual([]);
  // Neither a test beside the code nor what another part proves.
  commit('server/one/a.test.ts', '1', 'test: one');
  expect(oldParts(folder, table)).toEqual([]);
  const second = commit('server/two/b.ts', '2', 'fix: two');
  expect(oldParts(folder, table)).toEqual([
    `two: the last full run was on 2026-01-01 at ${first.slice(0, 10)}; since then ${second.slice(0, 10)} ${new Date().toISOString().slice(0, 10)} fix: two`,
  ]);
  // A commit that only formats does not count.
  write('.git-blame-ignore-revs', `${second}\n`);
  expect(oldParts(folder, table)).toEqual([]);
  commit('proof/one/one.ts', '1', 'test: more');
  expect(oldParts(folder, table)).toEqual([expect.stringContaining('test: more')]);
  ran('one', 'ffffffffff');
  ran('two', second, ['it broke']);
  expect(oldParts(folder, table)).toEqual([
    'one: the last full run was on 2026-01-01 at ffffffffff, which is not in the history of this commit',
    'two: the last full run, on 2026-01-01, failed',
  ]);
  // Where the history does not reach back, nothing is said.
  const shallow = newFolder();
  execFileSync('git', ['clone', '-q', '--depth=1', `file://${folder}`, shallow], { stdio: 'ignore' });
  expect(oldParts(shallow, table)).toBeUndefined();
  expect(oldParts(newFolder(), table)).toBeUndefined();
});
