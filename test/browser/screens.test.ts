// Every screen outside the table, with its menus and dialogs: nothing serious for axe in light and dark, nothing that
// does not fit on 360 px, and names are data on all of them: HTML in them is shown as it was written. `ROWHOUSE_SCREENS=<folder> npx playwright test` also takes pictures of all of them; other files look at the pages that they are about (`inspect`).
import type { Page } from '@playwright/test';
import { escape, expect, follow, newPerson, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { newTable } from '../support/browser-table.ts';

const long =
  'A very long name that somebody gave to something because nobody stopped them, and it has to fit somewhere';

test('signing in and up', async ({ page }) => {
  const found: string[] = [];
  await page.goto('/login');
  await page.getByLabel('E-mail').fill('nobody@example.com');
  await page.getByLabel('Password').fill('wrong-password-1');
  found.push(...(await inspect(page, 'sign-in')));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  found.push(...(await inspect(page, 'sign-in-refused')));
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  found.push(...(await inspect(page, 'sign-up')));
  expect(found).toEqual([]);
});

test('home, trash and the pages of a space', async ({ person: { page, api }, browser }) => {
  const found: string[] = [];
  await page.goto('/');
  await page.getByRole('heading', { name: 'What do you want to keep track of?' }).waitFor();
  found.push(...(await inspect(page, 'first-visit')));
  await follow(page, '/trash');
  await page.getByText('The trash is empty').waitFor();
  found.push(...(await inspect(page, 'trash-empty')));

  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Alpha' }]);
  const [space] = await api.get('/space');
  await api.post('/base', { spaceId: space.id, name: long });
  const guest = await newPerson(browser, 'kim');
  await api.post(`/space/${space.id}/invitation/email`, { emails: [guest.email], role: 'editor' });
  await api.post(`/space/${space.id}/invitation/link`, { role: 'viewer' });
  // All of this came about behind the back of the page.
  await page.goto('/');
  await page.getByRole('link', { name: 'Projects' }).waitFor();
  found.push(...(await inspect(page, 'home')));
  await page.getByRole('button', { name: 'More for Projects' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
  found.push(...(await inspect(page, 'base-menu')));
  await page.getByRole('menuitem', { name: 'SQL access' }).click();
  // The embedded database has no port for it here, and that is said.
  await page.getByRole('button', { name: 'Open SQL access' }).click();
  await expect(page.getByRole('alert')).toContainText('ROWHOUSE_SQL_PORT');
  found.push(...(await inspect(page, 'sql-access')));
  await escape(page);
  await page.getByRole('button', { name: 'More for Projects' }).click();
  await page.getByRole('menuitem', { name: 'Delete base' }).click();
  await page.getByRole('button', { name: 'Delete base' }).waitFor();
  found.push(...(await inspect(page, 'base-delete')));
  await escape(page);
  await page.getByRole('button', { name: 'New space' }).click();
  await page.getByRole('button', { name: 'Create space' }).waitFor();
  found.push(...(await inspect(page, 'new-space')));
  await escape(page);

  await follow(page, `/space/${space.id}`);
  await page.getByRole('button', { name: 'Copy link' }).waitFor();
  found.push(...(await inspect(page, 'space')));
  await follow(page, `/space/${space.id}/plan`);
  await page.getByText('Everything is unlimited on this server.').waitFor();
  await page.locator('.uplot canvas').waitFor();
  found.push(...(await inspect(page, 'plan')));

  await api.delete(`/base/${table.baseId}/table/${table.tableId}`);
  await page.goto('/trash');
  await page.getByRole('button', { name: 'Restore Tasks' }).waitFor();
  found.push(...(await inspect(page, 'trash')));
  await guest.leave();
  expect(found).toEqual([]);
});

test('an invitation, the bell, the menu of the account, and what is not there', async ({
  person: { page, api },
  browser,
}) => {
  const found: string[] = [];
  const host = await newPerson(browser, 'kim');
  const [space] = await host.api.get('/space');
  const link = await host.api.post(`/space/${space.id}/invitation/link`, { role: 'editor' });
  const url = new URL(link.inviteUrl);
  await page.goto(url.pathname + url.search);
  await page.getByRole('button', { name: 'Accept invitation' }).waitFor();
  found.push(...(await inspect(page, 'invitation')));
  await follow(page, '/invite');
  await page.getByText('This link is incomplete').waitFor();
  found.push(...(await inspect(page, 'invitation-broken')));

  await host.api.post(`/space/${space.id}/invitation/email`, {
    emails: [(await api.get('/auth/user/me')).email],
    role: 'editor',
  });
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  await page.getByRole('button', { name: 'Mark as read' }).waitFor();
  found.push(...(await inspect(page, 'bell')));
  await escape(page);
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  found.push(...(await inspect(page, 'account-menu')));
  await escape(page);
  await follow(page, '/nowhere');
  await page.getByRole('heading').first().waitFor();
  found.push(...(await inspect(page, 'not-found')));
  await follow(page, '/space/spc0000000000000000');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  found.push(...(await inspect(page, 'error')));
  await host.leave();
  expect(found).toEqual([]);
});

test('the account, its tokens and applications, consent, and the page for developers', async ({
  person: { page, api },
  baseURL,
}) => {
  const found: string[] = [];
  const table = await newTable(api, [
    { name: 'Name', type: 'singleLineText' },
    { name: long, type: 'longText' },
  ]);
  await page.goto('/account');
  await page.getByLabel('Current password').waitFor();
  found.push(...(await inspect(page, 'account')));
  await follow(page, '/account/tokens');
  await page.getByText('No access tokens yet').waitFor();
  found.push(...(await inspect(page, 'tokens-empty')));
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('Valid for').waitFor();
  found.push(...(await inspect(page, 'token-new')));
  await page.getByLabel('Name').fill(long);
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByTestId('token').waitFor();
  found.push(...(await inspect(page, 'token-made')));
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText(long).waitFor();
  found.push(...(await inspect(page, 'tokens')));

  const redirectUri = `${baseURL}/api/docs`;
  const client = await api.post('/oauth/client', {
    name: 'Report maker',
    description: 'Makes a report every Monday.',
    homepage: 'https://example.com/',
    redirectUris: [redirectUri],
    scopes: ['table|read', 'record|read', 'record|update'],
  });
  await follow(page, '/account/apps');
  await page.getByRole('link', { name: 'Report maker' }).waitFor();
  found.push(...(await inspect(page, 'apps')));
  await page.goto(
    `/api/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: client.clientId, redirect_uri: redirectUri, state: 'abc', code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' })}`,
  );
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  found.push(...(await inspect(page, 'consent')));
  await follow(page, `${table.url}/api`);
  await page.getByLabel('List records as curl').waitFor();
  found.push(...(await inspect(page, 'developers')));
  expect(found).toEqual([]);
});

test('a page of a base fits on a phone before any script has noticed that it is one', async ({ browser }) => {
  // In a window that is not used again: the script stays in it.
  const { page, api, leave } = await newPerson(browser, 'sam', {}, true);
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }]);
  await page.addInitScript('MediaQueryList.prototype.addEventListener = () => undefined;');
  await page.goto(`${table.url}/api`);
  await page.getByRole('heading', { name: 'API of this table' }).waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(
    await page.evaluate("document.querySelector('main').scrollWidth <= document.querySelector('main').clientWidth + 1"),
  ).toBe(true);
  await leave();
});

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
