// How the app is served: by the server itself, compressed and cached, under a strict policy, and with no need of another host.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '../support/browser.ts';
import { seriousFaults } from '../support/browser-faults.ts';
import { cell, newTable } from '../support/browser-table.ts';

test.use({ isFirstVisit: true });

test('the app comes from this server alone, compressed, cached, and under a policy that lets nothing else in', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Alpha' }]);
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text());
  });
  const answers: { url: URL; headers: Record<string, string> }[] = [];
  page.on('response', (response) => answers.push({ url: new URL(response.url()), headers: response.headers() }));
  await page.goto(table.url);
  await expect(cell(page, 0, 0)).toHaveText('Alpha');
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible();

  const { host } = new URL(page.url());
  expect(
    answers.filter(({ url }) => /^https?:$/.test(url.protocol) && url.host !== host).map(({ url }) => url.href),
  ).toEqual([]);
  expect(violations).toEqual([]);

  const policy = answers.find(({ url }) => url.pathname === '/account')?.headers['content-security-policy'] ?? '';
  const rules = new Map(policy.split(';').map((rule) => [rule.trim().split(' ')[0], rule.trim().split(' ').slice(1)]));
  expect(rules.get('default-src')).toEqual(["'self'"]);
  expect(rules.get('script-src') ?? rules.get('default-src')).toEqual(["'self'"]);
  expect(rules.get('frame-ancestors')).toEqual(["'none'"]);

  expect(answers.find(({ url }) => url.pathname === '/account')?.headers['cache-control']).toBe('no-cache');
  const scripts = answers.filter(({ url }) => url.pathname.endsWith('.js') && !url.pathname.startsWith('/api/'));
  expect(scripts.length).toBeGreaterThan(3);
  for (const { url, headers } of scripts) {
    // A few hundred bytes are not worth it.
    if (Number(headers['content-length'] ?? Infinity) > 1_500)
      expect([url.pathname, headers['content-encoding']]).toEqual([
        url.pathname,
        expect.stringMatching(/^(br|gzip|zstd)$/),
      ]);
    expect([url.pathname, headers['cache-control']]).toEqual([url.pathname, expect.stringContaining('immutable')]);
  }
});

test('a page of another origin reads, writes and listens with an access token, and cannot use the cookie of its visitor', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Before' }]);
  const { token } = await api.post('/access-token', {
    name: 'Page',
    scopes: ['record|read', 'record|update'],
    baseIds: [table.baseId],
    expiredTime: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await page.goto('/account');
  const { origin } = new URL(page.url());
  const elsewhere = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Elsewhere</title>');
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  const tab = await page.context().newPage();
  await tab.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
  const outcome = await tab.evaluate(
    async ({ origin: at, token: bearer, tableId }) => {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
      const read = await (await fetch(`${at}/api/table/${tableId}/record`, { headers })).json();
      const stream = await fetch(`${at}/api/table/${tableId}/events?values=true`, { headers });
      const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
      const body = JSON.stringify({ record: { fields: { Name: 'After' } } });
      const address = `${at}/api/table/${tableId}/record/${read.records[0].id}`;
      const written = await fetch(address, { method: 'PATCH', headers, body });
      let heard = '';
      while (!heard.includes('records.updated')) heard += new TextDecoder().decode((await reader.read()).value);
      await reader.cancel();
      // The visitor is signed in at the other origin. Cookies do not tell ports apart, so the browser sends theirs.
      const withCookie = await fetch(`${at}/api/auth/user/me`, { credentials: 'include' }).then(
        () => 'answered',
        () => 'refused',
      );
      const socket = await new Promise((resolve) => {
        const opened = new WebSocket(`${at.replace('http', 'ws')}/socket`);
        opened.onopen = () => resolve('open');
        opened.onerror = () => resolve('refused');
      });
      const tag = written.headers.get('x-operation-id');
      return { before: read.records[0].fields.Name, status: written.status, tag, heard, withCookie, socket };
    },
    { origin, token, tableId: table.tableId },
  );
  expect(outcome).toMatchObject({
    before: 'Before',
    status: 200,
    tag: expect.stringMatching(/^opr/),
    heard: expect.stringContaining(`"operationId":"${outcome.tag}"`),
    withCookie: 'refused',
    socket: 'refused',
  });
  await tab.close();
  elsewhere.close();
});

test('the API reference is searched, fits on a phone and is read by everybody', async ({ browser }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme });
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
    await page.goto('/api/docs');
    // Nothing of it is on another host, and nothing is wider than the page.
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.locator('#search').fill('several records create');
    await expect(page.locator('article:visible h3')).toContainText(['Create several records']);
    await expect(page.locator('#listSpaces')).toBeHidden();
    await page.locator('#search').fill('nothingofthiskind');
    await expect(page.locator('#none')).toHaveText('Nothing here has all of these words.');
    await page.locator('#search').fill('');
    await expect(page.locator('#listSpaces')).toBeVisible();
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.locator('nav summary', { hasText: /^Record \d/ }).click();
    await page.locator('nav a[href="#createRecords"]').click();
    await expect(page.locator('#createRecords pre')).toBeInViewport();
    await page.locator('#createRecords .copy').click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      'curl -X POST "$ORIGIN/api/table/<tableId>/record"',
    );
    expect(await seriousFaults(page, '#createRecords, header, #introduction')).toEqual([]);
    expect(refused).toEqual([]);
    await context.close();
  }
});
