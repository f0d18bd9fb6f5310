// Tries the npm package as somebody does who has nothing but Node.js: packed, installed into an empty folder by an npm that knows nothing yet, started
// with its one command. It needs the registry of npm, so it is no part of `npm test`.
import { strictEqual, ok } from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makePackage } from './package.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rowhouse-package-'));
const place = (name) => {
  mkdirSync(join(folder, name));
  return join(folder, name);
};

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
};

/** Of this process only what finds programs and the registry. */
const environment = (own) => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(PATH|TMPDIR|npm_config_registry|https?_proxy)$/i.test(name)),
  ),
  ...own,
});

/** npx, and what it has started. @type {(child: import('node:child_process').ChildProcess, signal: NodeJS.Signals) => void} */
const endAll = ({ pid }, signal) => {
  if (pid !== undefined) process.kill(-pid, signal);
};

const archive = await makePackage(place('archive'));
const size = statSync(archive).size / 1_048_576;
ok(size < 7, `the archive has ${size} MB`);
const port = await freePort();
const env = environment({ HOME: place('home'), npm_config_cache: place('cache'), PORT: String(port) });
const work = place('work');
const command = ['--yes', `--package=${archive}`, 'rowhouse'];
const began = Date.now();
const say = (...words) => execFileSync('npx', [...command, ...words], { cwd: work, env, encoding: 'utf8' });
let server;
try {
  const version = say('--version').trim();
  const installed = Date.now();
  server = spawn('npx', command, { cwd: work, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const ended = once(server, 'close');
  const ask = async (path, options) => fetch(`http://127.0.0.1:${port}${path}`, options);
  const healthy = async (tries = 600) => {
    const answer = await ask('/health').catch(() => undefined);
    if (answer?.status === 200) return answer.json();
    if (tries === 0 || server.exitCode !== null) throw new Error('the server of the package does not start');
    await pause(100);
    return healthy(tries - 1);
  };
  const health = await healthy();
  strictEqual(health.status, 'ok');
  ok(version.startsWith(health.version), `${version} is another version than that of /health`);
  const { token, tableId } = JSON.parse(readFileSync(join(work, 'rowhouse-data/credentials.json'), 'utf8'));
  const made = await ask(`/api/table/${tableId}/record`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ records: [{ fields: { Name: 'First' } }] }),
  });
  strictEqual(made.status, 201);
  const first = Date.now();
  const page = await ask('/', { headers: { accept: 'text/html' } });
  strictEqual(page.status, 200);
  const [script] = /\/assets\/[^"]+\.js/.exec(await page.text());
  strictEqual((await ask(script)).status, 200);
  const documents = await ask('/docs', { headers: { accept: 'text/html' } });
  strictEqual(documents.status, 200);
  const style = /\/docs\/assets\/[^"]+\.css/.exec(await documents.text());
  strictEqual((await ask(style?.[0] ?? '/docs/none')).status, 200);
  ok(say('doctor').length > 0);
  ok(!existsSync(join(work, 'node_modules')), 'something was installed where it was called');
  endAll(server, 'SIGTERM');
  await ended;
  console.log(
    `The package has ${size.toFixed(1)} MB; installed in ${((installed - began) / 1_000).toFixed(1)} s with an empty cache, first record ${((first - installed) / 1_000).toFixed(1)} s after the command.`,
  );
} finally {
  if (server?.exitCode === null && server.signalCode === null) endAll(server, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
