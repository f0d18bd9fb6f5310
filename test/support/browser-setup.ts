// Before the browser tests: the app is built when its sources are newer, Chromium is unpacked, the server is started.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium, unpackChromium } from './browser-chromium.ts';
import { buildBrowserServer, startBrowserServer } from './browser-process.ts';

const root = join(import.meta.dirname, '../..');

const newest = (folder: string): number =>
  Math.max(
    0,
    ...readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !['node_modules', 'dist'].includes(entry.name))
      .map((entry) =>
        entry.isDirectory() ? newest(join(folder, entry.name)) : statSync(join(folder, entry.name)).mtimeMs,
      ),
  );

const isStale = (): boolean => {
  const page = join(root, 'web/dist/index.html');
  return (
    !existsSync(page) || statSync(page).mtimeMs < Math.max(newest(join(root, 'web')), newest(join(root, 'contract')))
  );
};

const run = (command: string, args: string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${args.join(' ')} ended with ${code}`))));
  });

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const chromium = findChromium();
  if (chromium === undefined) {
    console.log(
      'Browser tests skipped: no Chromium for this machine. Install one, or set ROWHOUSE_CHROMIUM to its path.',
    );
    return undefined;
  }
  if (isStale())
    await run(process.execPath, [
      join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      'web',
      '--logLevel',
      'error',
      '--config',
      'web/vite.config.ts',
    ]);
  if (chromium.packed) await unpackChromium();
  buildBrowserServer();
  const server = await startBrowserServer();
  process.env['ROWHOUSE_BROWSER_ORIGIN'] = server.origin;
  process.env['ROWHOUSE_BROWSER_DATABASE'] = server.databaseUrl;
  return server.stop;
}
