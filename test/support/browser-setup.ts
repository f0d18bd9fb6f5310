// Before the browser tests: the app is built when its sources are newer, Chromium is unpacked, the server is started.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findChromium, unpackChromium } from './browser-chromium.ts';

const root = join(import.meta.dirname, '../..');

const newest = (folder: string): number =>
  Math.max(
    0,
    ...readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !['node_modules', 'dist'].includes(entry.name))
      .map((entry) => (entry.isDirectory() ? newest(join(folder, entry.name)) : statSync(join(folder, entry.name)).mtimeMs)),
  );

const isStale = (): boolean => {
  const page = join(root, 'web/dist/index.html');
  return !existsSync(page) || statSync(page).mtimeMs < Math.max(newest(join(root, 'web')), newest(join(root, 'contract')));
};

const run = (command: string, args: string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${args.join(' ')} ended with ${code}`))));
  });

const startServer = async (): Promise<{ said: string; child: ChildProcess }> => {
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'test/support/browser-server.ts')], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<never>((_resolve, reject) => child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it listened`))));
  const listening = new Promise<string>((resolve) => createInterface({ input: child.stdout }).on('line', (line) => line.startsWith('http') && resolve(line)));
  return { said: await Promise.race([listening, ended]), child };
};

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const chromium = findChromium();
  if (chromium === undefined) {
    console.log('Browser tests skipped: no Chromium for this machine. Install one, or set ROWHOUSE_CHROMIUM to its path.');
    return undefined;
  }
  if (isStale()) await run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'web', '--logLevel', 'error', '--config', 'web/vite.config.ts']);
  if (chromium.packed) await unpackChromium();
  const { said, child } = await startServer();
  const [origin, database] = said.split(' ');
  process.env['ROWHOUSE_BROWSER_ORIGIN'] = origin;
  process.env['ROWHOUSE_BROWSER_DATABASE'] = database;
  return async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end();
    if ((await ended) !== 0) throw new Error('The server of the browser tests did not end well; what it said stands above');
  };
}
