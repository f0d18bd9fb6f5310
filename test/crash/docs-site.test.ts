// The documents at /docs: every page, image and part that one of them links to is there, the same in the package, and nothing comes from elsewhere.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { serve, usedDataFolder } from '../support/program.ts';

const root = join(import.meta.dirname, '../..');
beforeAll(() => {
  const script =
    "const { buildWhatIsStale } = await import('./scripts/build.mjs'); await buildWhatIsStale({ only: 'documents' });";
  execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
});

interface Page {
  ids: Set<string>;
  links: string[];
  foreign: string[];
}

const attributes = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`<[^>]* ${name}="([^"]*)"`, 'g'))].map(([, value]) =>
    (value as string).replaceAll('&amp;', '&'),
  );

const pageOf = (html: string): Page => {
  const loaded = [
    ...attributes(html, 'src'),
    ...[...html.matchAll(/<link[^>]* href="([^"]*)"/g)].map(([, href]) => href as string),
  ];
  return {
    ids: new Set(attributes(html, 'id')),
    links: [...attributes(html, 'href'), ...attributes(html, 'src')],
    foreign: loaded.filter((address) => !address.startsWith('/') || address.startsWith('//')),
  };
};

test('every link of every page leads to a page, a part, an image or a file that is there', async () => {
  const server = await serve({ ROWHOUSE_DATA: usedDataFolder(), ROWHOUSE_ANONYMOUS_REQUESTS: '100000' });
  const ask = (path: string): Promise<Response> =>
    fetch(`${server.origin}${path}`, { headers: { accept: 'text/html,*/*' } });
  const pages = new Map<string, Page>();
  const faults: string[] = [];
  // The app itself has tests of its own.
  const seen = new Set(['/docs', '/']);
  const waiting = [{ path: '/docs', from: 'the start' }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const answer = await ask(next.path);
    const text = await answer.text();
    if (answer.status !== 200) faults.push(`${next.from} → ${next.path}: ${answer.status}`);
    if (!next.path.startsWith('/docs') || !answer.headers.get('content-type')?.startsWith('text/html')) continue;
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    const page = pageOf(text);
    pages.set(next.path, page);
    for (const path of page.links.filter((link) => link.startsWith('/')).map((link) => link.split('#')[0] as string)) {
      if (seen.has(path)) continue;
      seen.add(path);
      waiting.push({ path, from: next.path });
    }
  }
  for (const [path, { links, foreign, ids }] of pages) {
    faults.push(...foreign.map((address) => `${path} loads ${address}`));
    for (const link of links.filter((one) => one.includes('#') && !/^https?:/.test(one))) {
      const [to = '', part = ''] = link.split('#');
      const target = to === '' ? ids : pages.get(to)?.ids;
      if (target !== undefined && part !== '' && !target.has(decodeURIComponent(part)))
        faults.push(`${path} → ${link}: no such part`);
    }
  }
  expect(faults).toEqual([]);

  // What is in the repository for people is on the site, and the search knows it.
  const expected = ['guide', 'adr'].flatMap((folder) =>
    readdirSync(join(root, 'docs', folder)).map((name) =>
      `/docs/${folder}/${name.replace(/\.md$/, '')}`.replace('/README', ''),
    ),
  );
  expect(expected.filter((path) => !pages.has(path))).toEqual([]);
  for (const path of [
    '/docs/errors',
    '/docs/glossary',
    '/docs/architecture',
    '/docs/contributing',
    '/docs/changelog',
    '/docs/file/deploy/compose.yaml',
  ])
    expect(pages.has(path), path).toBe(true);
  const script = await (await ask([...seen].find((path) => /assets\/site-.*\.js$/.test(path)) as string)).text();
  const [index = ''] = /\/docs\/assets\/search-[^'"]+/.exec(script) ?? [];
  const entries = (await (await ask(index)).json()) as { a: string; t: string }[];
  expect(entries.length).toBeGreaterThan(500);
  expect(entries.filter(({ a }) => !pages.has(a.split('#')[0] as string)).map(({ a }) => a)).toEqual([]);
  expect(
    entries.some(({ a, t }) => a.startsWith('/docs/guide/operate') && t.includes('ROWHOUSE_UPGRADE_BACKUPS')),
  ).toBe(true);

  const packed = await fetch(`${server.origin}/docs/guide/tables`, { headers: { 'accept-encoding': 'br' } });
  expect(packed.headers.get('content-encoding')).toBe('br');
  expect(await packed.text()).toContain('<h1');
  const etag = packed.headers.get('etag') as string;
  expect((await fetch(`${server.origin}/docs/guide/tables`, { headers: { 'if-none-match': etag } })).status).toBe(304);
  for (const path of ['/docs/nothing', '/docs/%2e%2e/README.md', '/docs/index.html.br']) {
    const answer = await ask(path);
    expect([path, answer.status]).toEqual([path, 404]);
  }
  expect(await (await ask('/docs/nothing')).text()).toContain('No such page');
  expect((await ask('/api/docs')).headers.get('content-security-policy')).toContain('sha256-');
});
