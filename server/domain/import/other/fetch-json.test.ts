import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiError } from '@rowhouse/contract/error.ts';
import { GiveUp } from '../../../work/job.ts';
import { fetchJson } from './fetch-json.ts';

let server: Server;
let url: string;
const asked: string[] = [];
/** As long as it may nearly be, of small things. */
const large = `[${'{"a":1},'.repeat(1_000_000)}1]`;
/** Since all of the large answer was sent. */
let turns = 0;

beforeAll(async () => {
  server = createServer(({ url: path = '' }, answer) => {
    asked.push(path);
    if (path === '/cut')
      return void answer.writeHead(200, { 'content-length': 100 }).write('{', () => answer.destroy());
    if (path === '/large') return void answer.end(large, () => (turns = 0));
    if (path === '/text') return void answer.end('not JSON');
    const status = Number(path.slice(1));
    // The second time it answers.
    if (path === '/503' && asked.filter((other) => other === path).length > 1) return void answer.end('{"ok":true}');
    answer.writeHead(status).end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const ask = (path: string, tries = 1, at = url): Promise<unknown> =>
  fetchJson({ url: at, token: 'key', anywhere: true, signal: new AbortController().signal, tries }, path);

test('what passes is told as that, also an answer that breaks off; anything else ends it', async () => {
  const outcome = (path: string, at = url): Promise<string> =>
    ask(path, 1, at).then(
      () => 'answered',
      (error: unknown) => (error instanceof GiveUp ? 'ends' : error instanceof ApiError ? error.passes : String(error)),
    );
  const outcomes = await Promise.all(
    ['/429', '/502', '/504', '/cut', '/401', '/404', '/500', '/text'].map((path) => outcome(path)),
  );
  expect(outcomes).toEqual(['yes', 'yes', 'yes', 'yes', 'ends', 'ends', 'ends', 'ends']);
  expect(await outcome('/', 'http://127.0.0.1:1')).toBe('yes');
  expect(await outcome('/', 'http://no-such-host.invalid')).toBe('ends');
});

test('it is asked again', async () => {
  expect(await ask('/503', 2)).toEqual({ ok: true });
});

test('while a long answer is read others are served: the other server is anybody', async () => {
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  turn();
  expect(await ask('/large')).toHaveLength(1_000_001);
  isDone = true;
  expect(turns).toBeGreaterThan(5);
});
