// `npm start` on a fresh checkout: what builds the program does not stay in the memory of the server.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { newDataFolder, until } from '../support/program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The server without what was built of it. The web app is left out: building it takes as long as all else. */
const freshCheckout = (folder: string): void => {
  mkdirSync(folder, { recursive: true });
  for (const name of ['contract', 'scripts', 'server', 'package.json', 'package-lock.json']) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !/\/(node_modules|dist)$/.test(path),
    });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
};

test('the server that builds itself first runs without the tools that built it', {
  skip: process.platform !== 'linux',
}, async () => {
  const data = newDataFolder();
  const folder = join(dirname(data), 'checkout');
  freshCheckout(folder);
  const program = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ROWHOUSE_DATA: data, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((done) => program.once('close', done));
  try {
    await until('the server runs', () => {
      if (program.exitCode !== null) throw new Error(output);
      return output.includes('running at http');
    });
    expect(output).toContain('Building the server');
    const libraries = readFileSync(`/proc/${program.pid}/maps`, 'utf8').match(/[^/\s]+\.node$/gm) ?? [];
    // What hashes passwords and what reads pictures, and nothing else.
    expect([...new Set(libraries)].toSorted()).toEqual([
      expect.stringMatching(/^argon2/),
      expect.stringMatching(/^image/),
    ]);
  } finally {
    program.kill('SIGTERM');
  }
  expect(await ended).toBe(0);
});
