// Names are data, on every screen: HTML in them is shown as it was written, and nothing in them runs.
import type { Page } from '@playwright/test';
import { expect, follow, newPerson, test } from '../support/browser.ts';

const evil = `<img src=x onerror="window.injected=1"><script>window.injected=1</script>{{1+1}}`;

/** Links that would run something, as Markdown and as HTML. */
const links = [
  '[one](javascript:window.injected=1)',
  '[two](data:text/html,<script>window.injected=1</script>)',
  '[three]( JaVaScRiPt:window.injected=1)',
  '![four](javascript:window.injected=1)',
  '<svg onload="window.injected=1"></svg><iframe src="javascript:window.injected=1"></iframe>',
  '[good](https://example.com/)',
].join('\n\n');

const acting = ['javascript:', 'data:', 'vbscript:']
  .flatMap((scheme) => [`a[href^="${scheme}" i]`, `iframe[src^="${scheme}" i]`, `form[action^="${scheme}" i]`])
  .join();

const load = (page: Page, url: string): Promise<unknown> => page.goto(url);

/** Goes there, waits until the name is shown as text, and looks whether anything of it has come to life. */
const look = async (
  page: Page,
  url: string,
  go: (page: Page, url: string) => Promise<unknown> = follow,
): Promise<void> => {
  await go(page, url);
  await expect(
    page
      .getByText(evil)
      .or(page.locator(`input[value=${JSON.stringify(evil)}]`))
      .first(),
  ).toBeAttached();
  expect(await page.evaluate(() => (globalThis as { injected?: unknown }).injected), url).toBeUndefined();
  expect(await page.locator('img[src="x"]').count(), url).toBe(0);
  expect(await page.locator(acting).count(), url).toBe(0);
};

test('HTML in names is text on every screen, the consent page among them', async ({
  person: { page, api },
  browser,
  baseURL,
}) => {
  await api.patch('/user/name', { name: evil });
  const space = await api.post('/space', { name: evil });
  const base = await api.post('/base', { spaceId: space.id, name: evil });
  const choices = [{ name: evil }];
  const table = await api.post(`/base/${base.id}/table`, {
    name: evil,
    description: evil,
    fields: [
      { type: 'singleLineText', name: evil, description: evil },
      { type: 'singleSelect', name: 'Choice', options: { choices } },
      { type: 'longText', name: 'Notes' },
      { type: 'singleLineText', name: 'Page', options: { showAs: { type: 'url' } } },
    ],
    records: [
      { fields: { [evil]: evil, Choice: evil, Notes: `${evil}\n\n${links}`, Page: 'javascript:window.injected=1' } },
    ],
  });
  const choice = table.fields[1].id;
  const views: string[] = [];
  for (const [type, options] of [
    ['grid', {}],
    ['kanban', { stackFieldId: choice }],
    ['gallery', {}],
    ['form', { submitLabel: evil }],
  ] as const) {
    views.push(
      (await api.post(`/table/${table.id}/view`, { type, name: `${type} ${evil}`, description: evil, options })).id,
    );
  }
  const gone = await api.post(`/base/${base.id}/table`, { name: evil });
  await api.delete(`/base/${base.id}/table/${gone.id}`);
  const goneBase = await api.post('/base', { spaceId: space.id, name: evil });
  await api.delete(`/base/${goneBase.id}`);
  await api.post('/access-token', {
    name: evil,
    description: evil,
    scopes: ['record|read'],
    expiredTime: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const redirectUri = `${baseURL}/api/docs`;
  const client = await api.post('/oauth/client', {
    name: evil,
    description: evil,
    homepage: 'https://example.com/',
    redirectUris: [redirectUri],
    scopes: ['record|read'],
  });
  await api.post(`/oauth/client/${client.clientId}/secret`);

  await look(page, '/', load);
  for (const url of [
    `/space/${space.id}`,
    '/trash',
    '/account',
    '/account/tokens',
    '/account/apps',
    `/account/apps/${client.clientId}`,
    `/base/${base.id}/${table.id}`,
    `/base/${base.id}/${table.id}/api`,
  ]) {
    await look(page, url);
  }
  for (const view of views) await look(page, `/base/${base.id}/${table.id}?view=${view}`);
  // The record with its long text as it is read, and comments: links in them lead to pages only.
  const record = table.records[0].id;
  await api.post(`/comment/${table.id}/${record}/create`, {
    content: [{ type: 'p', children: [{ type: 'span', value: evil }] }],
  });
  await expect(
    api.post(`/comment/${table.id}/${record}/create`, {
      content: [
        {
          type: 'p',
          children: [{ type: 'a', url: 'javascript:window.injected=1', children: [{ type: 'span', value: 'x' }] }],
        },
      ],
    }),
  ).rejects.toThrow('answered 400');
  await look(page, `/base/${base.id}/${table.id}?record=${record}`);
  // On the whole screen it is Markdown: of its links only the good one is one.
  await page.getByRole('button', { name: 'Expand' }).click();
  const preview = page.getByRole('document', { name: 'Preview' });
  await expect(preview.getByRole('link')).toHaveText(['good']);
  expect(await page.locator(acting).count()).toBe(0);
  expect(await page.evaluate(() => (globalThis as { injected?: unknown }).injected)).toBeUndefined();
  // What visitors see: cards with all fields, and the form.
  for (const view of views.slice(2)) {
    const { shareId } = await api.post(`/table/${table.id}/view/${view}/enable-share`);
    await look(page, `/share/${shareId}/view`, load);
  }

  const authorize = `/api/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: client.clientId, redirect_uri: redirectUri, state: evil })}`;
  await look(page, authorize, load);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(/code=/);
  expect(new URL(page.url()).searchParams.get('state')).toBe(evil);
  await look(page, '/account/authorized', load);

  const invited = await newPerson(browser, 'ida');
  await api.post(`/space/${space.id}/invitation/email`, { emails: [invited.email], role: 'editor' });
  await look(invited.page, '/', load);
  await invited.page
    .getByRole('button', { name: /notification/i })
    .first()
    .click();
  expect(await invited.page.evaluate(() => (globalThis as { injected?: unknown }).injected)).toBeUndefined();
  await invited.leave();
});
