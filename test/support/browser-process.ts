// A server for browser tests, in a process of its own that ends with this one.
import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Config } from '../../server/config.ts';

const root = join(import.meta.dirname, '../..');

export interface BrowserServer {
  origin: string;
  databaseUrl: string;
  /** Throws when it did not end well. */
  stop(): Promise<void>;
}

/** Before the first one is started: as a bundle it is there in a fifth of the time. */
export const buildBrowserServer = (): void => {
  for (const part of ['server', 'test programs', 'documents'])
    execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--stale', part], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
};

export const startBrowserServer = async (config: Partial<Config> = {}): Promise<BrowserServer> => {
  const child = spawn(process.execPath, [join(root, 'server/dist/programs/browser-server.js')], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ROWHOUSE_BROWSER_CONFIG: JSON.stringify(config) },
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const failed = ended.then((code) => Promise.reject(new Error(`The server ended with ${code} before it listened`)));
  failed.catch(() => undefined);
  const listening = new Promise<string>((resolve) =>
    createInterface({ input: child.stdout }).on('line', (line) => line.startsWith('http') && resolve(line)),
  );
  const [origin, databaseUrl] = (await Promise.race([listening, failed])).split(' ') as [string, string];
  return {
    origin,
    databaseUrl,
    stop: async () => {
      child.stdin.end();
      if ((await ended) !== 0)
        throw new Error('The server of the browser tests did not end well; what it said stands above');
    },
  };
};
