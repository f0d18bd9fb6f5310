// Every screen outside the table, with its menus and dialogs: nothing serious for axe in light and dark, nothing that
// does not fit on 360 px. `ROWHOUSE_SCREENS=<folder> npx playwright test` also takes pictures of all of them; other files look at the pages that they are about (`inspect`).
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
