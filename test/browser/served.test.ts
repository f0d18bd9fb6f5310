// How the app is served: by the server itself, compressed and cached, under a strict policy, and with no need of another host.
import { expect, test } from '../support/browser.ts';
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
