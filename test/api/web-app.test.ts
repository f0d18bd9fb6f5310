// How the files of the web app are served; that the app works with them is for the browser tests.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appPlaces } from '../../server/http/web-app.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
const built = join(import.meta.dirname, '../../web/dist');
const assets = existsSync(built) ? readdirSync(join(built, 'assets')) : [];
/** One that is large enough to be kept compressed as well. */
const script = `/assets/${assets.find((name) => name.endsWith('.js') && assets.includes(`${name}.br`))}`;

/** As it is written: `fetch` would resolve dots. */
const ask = async (
  path: string,
  method = 'GET',
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; headers: IncomingMessage['headers']; text: string }> => {
  const sent = request(world().origin, { path, method, headers });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks = (await answer.toArray()) as Buffer[];
  return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString() };
};

test.skipIf(assets.length === 0)(
  'files come as they are, compressed for clients that take it, and are kept for ever; pages are asked for again',
  async () => {
    const plain = await ask(script);
    expect(plain).toMatchObject({
      status: 200,
      headers: {
        'content-type': expect.stringContaining('javascript'),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      },
    });
    const compressed = await ask(script, 'GET', { 'accept-encoding': 'br' });
    expect([compressed.status, compressed.headers['content-encoding'], compressed.headers['content-type']]).toEqual([
      200,
      'br',
      plain.headers['content-type'],
    ]);
    expect(Number(compressed.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']));
    const head = await ask(script, 'HEAD');
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      plain.headers['content-length'],
    ]);
    expect((await ask(script, 'GET', { 'if-none-match': plain.headers.etag as string })).status).toBe(304);
    for (const page of ['/', '/space/anything', '/share/shrNothing']) {
      expect(await ask(page)).toMatchObject({
        status: 200,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-cache',
          'content-security-policy': expect.stringContaining("default-src 'self'"),
        },
      });
    }
  },
);

test.skipIf(assets.length === 0)(
  'a file that is not there is none, and nothing outside of the folder is one',
  async () => {
    for (const path of ['/assets/nothing.js', '/assets/', '/api/nothing'])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    for (const path of [
      '/../package.json',
      '/assets/../../package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/%2e%2e%2fpackage.json',
      '/..%5cpackage.json',
    ]) {
      expect((await ask(path)).text).not.toContain('"workspaces"');
    }
  },
);

test.skipIf(assets.length === 0)(
  'a program is told that there is nothing at an address, and a person sees the app say so',
  async () => {
    const [html, json, anything] = ['text/html,application/xhtml+xml', 'application/json, text/plain, */*', '*/*'];
    const told = async (path: string, accept: string) => {
      const { status, headers } = await ask(path, 'GET', { accept });
      return [status, headers['content-type']?.split(';')[0]];
    };
    expect(await told('/space/spcNone', html)).toEqual([200, 'text/html']);
    expect(await told('/space/spcNone', anything)).toEqual([200, 'text/html']);
    expect(await told('/space/spcNone', json)).toEqual([404, 'application/json']);
    expect(await told('/nowhere', html)).toEqual([404, 'text/html']);
    expect(await told('/nowhere', anything)).toEqual([404, 'application/json']);
    for (const accept of [html, json, anything])
      expect(await told('/.well-known/openid-configuration', accept)).toEqual([404, 'application/json']);
  },
);

// The theme has the colours of the app alone: another name draws nothing, in silence.
test.skipIf(assets.length === 0)('every class of the app that names a colour is in its styles', () => {
  const root = join(import.meta.dirname, '../../web');
  const styles = assets
    .filter((name) => name.endsWith('.css'))
    .map((name) => readFileSync(join(built, 'assets', name), 'utf8').replaceAll('\\', ''))
    .join('\n');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.tsx') && !/^(dist|node_modules)/.test(path),
  );
  const named = sources.flatMap((path) =>
    [
      ...readFileSync(join(root, path), 'utf8').matchAll(
        /(?<=[\s"'`:!])(?:bg|text|border|fill|stroke|ring|outline|divide|accent|decoration|placeholder|caret)-[a-z][a-z-]*(?:\/\d+)?(?=[\s"'`])/g,
      ),
    ].map(([name]) => `${path}: ${name}`),
  );
  expect(named.length).toBeGreaterThan(500);
  const drawn = (name: string): boolean => new RegExp(`${name.replace('/', '\\/')}(?![\\w/-])`).test(styles);
  expect(named.filter((each) => !drawn(each.split(': ')[1] as string))).toEqual([]);
});

test('the server knows the first step of every address of the app', () => {
  const router = readFileSync(join(import.meta.dirname, '../../web/shell/router.tsx'), 'utf8');
  const paths = [...router.matchAll(/path: '\/([^/'$]*)/g)].map(([, first]) => first as string);
  expect(paths.length).toBeGreaterThan(10);
  // Pages of a base stand behind its address.
  const ofBases = ['people', 'map', 'rights', 'automations', 'webhooks', 'dashboard'];
  expect(paths.filter((first) => !appPlaces.has(first) && !ofBases.includes(first))).toEqual([]);
});
