// The server starts with what V8 compiled of it when it was built, and without that it starts as well. Tests run the same bundle.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { cases } from '../support/cases.ts';
import { inSources } from '../support/stack-frames.ts';

const dist = join(import.meta.dirname, '../../server/dist');
const names = readdirSync(dist).filter((name) => /^server-.*\.cjs$/.test(name));
const [bundle = ''] = names;

/** Beside the other one: what it loads of node_modules is found from there. */
const folder = mkdtempSync(join(dist, 'copy-'));
afterAll(() => rmSync(folder, { recursive: true }));

const help = (path: string, ...options: string[]): string =>
  execFileSync(process.execPath, [...options, path, '--help'], { encoding: 'utf8' });

test('there is one bundle, and this Node.js takes what was compiled of it', () => {
  expect(names).toHaveLength(1);
  expect(readFileSync(join(dist, 'load.js'), 'utf8')).toContain(bundle);
  const source = readFileSync(join(dist, bundle), 'utf8');
  const cachedData = readFileSync(join(dist, `${bundle}.compiled`));
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: join(dist, bundle),
    cachedData,
  });
  expect(script.cachedDataRejected).toBe(false);
  expect(new Script(`(function () {${source}\n})`, { cachedData }).cachedDataRejected).toBe(true);
});

// V8 forgets how to import when it takes compiled code from a file. What is written as `import()` becomes `require` (scripts/build.mjs).
test('nothing in it calls import()', () => {
  const lines = readFileSync(join(dist, bundle), 'utf8').split('\n');
  expect(lines.filter((line) => /\bimport\s*\(/.test(line) && !/^\s*(\*|\/\*|\/\/)/.test(line))).toEqual([]);
});

test('tests run what is in it, and a failure is shown where its source is', async () => {
  const { loadModules } = (await import(/* @vite-ignore */ pathToFileURL(join(dist, 'load.js')).href)) as {
    loadModules: () => Record<string, Record<string, unknown>>;
  };
  expect(loadModules()['server/config']?.['readConfig']).toBe(readConfig);
  const thrown = ((): Error => {
    try {
      return new Error(`no port ${readConfig({ PORT: 'x' }).port}`);
    } catch (error) {
      return error as Error;
    }
  })();
  const [, file = '', line, column] = /\(([^()]*\.cjs):(\d+):(\d+)\)/.exec(thrown.stack ?? '') ?? [];
  expect(file).toBe(join(dist, bundle));
  const frame = { file, line: Number(line), column: Number(column) };
  inSources(thrown, frame);
  expect(frame.file).toMatch(/\/server\/config-value\.ts$/);
  expect(readFileSync(frame.file, 'utf8').split('\n')[frame.line - 1]).toContain('SettingError(');
});

test('it runs without it, with a part of it, and with source maps', () => {
  const shown = help(join(dist, 'main.js'));
  expect(shown).toContain('serve');
  for (const name of ['main.js', 'load.js', bundle]) copyFileSync(join(dist, name), join(folder, name));
  const copy = join(folder, 'main.js');
  expect(help(copy)).toBe(shown);
  const compiled = readFileSync(join(dist, `${bundle}.compiled`));
  const damaged = [compiled.subarray(0, compiled.length / 2), Buffer.alloc(0), Buffer.from('not compiled')];
  for (const broken of cases(damaged, damaged.slice(0, 1))) {
    writeFileSync(join(folder, `${bundle}.compiled`), broken);
    expect(help(copy)).toBe(shown);
  }
  expect(help(join(dist, 'main.js'), '--enable-source-maps')).toBe(shown);
});
