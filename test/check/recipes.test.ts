// The recipes of CONTRIBUTING have no errors of type. Part of `npm run check` and not of `npm test`: it takes as long as checking the
// whole server.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { followRecipes } from '../support/recipes.ts';

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'rowhouse-recipe-types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }), 120_000);

test('followed to the letter, the recipes of CONTRIBUTING have no errors of type', { timeout: 300_000 }, async () => {
  followRecipes(folder, true);
  const errors: string[] = [];
  for (const project of [folder, join(folder, 'web')]) {
    // One checker: four of them look at much of it four times.
    await promisify(execFile)(process.execPath, [compiler, '-p', project, '--checkers', '1'], { cwd: folder }).catch(
      ({ stdout }: { stdout: string }) => errors.push(stdout),
    );
  }
  expect(errors).toEqual([]);
});
