import { choose, expect, newPerson, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { cell, newTable } from '../support/browser-table.ts';

test('an access token is made, shown once, works, and is revoked', async ({
  person: { page },
  playwright,
  baseURL,
}) => {
  await page.goto('/account/tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('Name').fill('Nightly import');
  await page.getByRole('button', { name: 'Create token' }).click();
  const token = await page.getByTestId('token').textContent();
  await page.getByRole('button', { name: 'Copy token' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Nightly import')).toBeVisible();
  expect(await page.locator('body').innerText()).not.toContain(token as string);

  const program = await playwright.request.newContext({
    baseURL: baseURL as string,
    extraHTTPHeaders: { authorization: `Bearer ${token}` },
  });
  expect((await program.get('/api/space')).status()).toBe(200);
  await page.getByRole('button', { name: 'Revoke Nightly import' }).click();
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await expect(page.getByText('No access tokens yet')).toBeVisible();
  expect((await program.get('/api/space')).status()).toBe(401);
  await program.dispose();
});

test('someone is invited by e-mail, gets another role, and is removed', async ({ person, browser }) => {
  const { page, api } = person;
  const guest = await newPerson(browser, 'kim');
  const [space] = await api.get('/space');
  await page.goto(`/space/${space.id}`);
  await page.getByLabel('E-mail addresses').fill(guest.email);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await choose(page, `Role of ${guest.name}`, 'Viewer');
  await expect.poll(async () => (await guest.api.get(`/space/${space.id}`)).role).toBe('viewer');
  await page.getByRole('button', { name: `Remove ${guest.name}` }).click();
  await page.getByRole('button', { name: 'Remove from space' }).click();
  await expect(page.getByText(guest.email)).toBeHidden();
  await guest.leave();
});

test('someone is let into a single base, gets another role there and by a group, and is removed', async ({
  person,
  browser,
}) => {
  const { page, api } = person;
  const guest = await newPerson(browser, 'kim');
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Alpha' }]);
  await page.goto('/');
  await page.getByRole('button', { name: 'More for Projects' }).click();
  await page.getByRole('menuitem', { name: 'People' }).click();
  await expect(page.getByText('Owner of the space')).toBeVisible();
  await page.getByLabel('E-mail addresses').fill(guest.email);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await choose(page, `Role of ${guest.name}`, 'Viewer');
  await expect.poll(async () => (await guest.api.get(`/base/${table.baseId}`)).role).toBe('viewer');
  expect(await inspect(page, 'people of a base')).toEqual([]);

  await guest.page.goto(table.url);
  await expect(cell(guest.page, 0, 0)).toHaveText('Alpha');
  await guest.page.getByRole('link', { name: 'People' }).click();
  await expect(guest.page.getByLabel(`Role of ${guest.name}`)).toBeDisabled();

  const people = page.url();
  const roleOf = async (): Promise<string> => (await guest.api.get(`/base/${table.baseId}`)).role;
  await page.goto(`/space/${(await api.get(`/base/${table.baseId}`)).spaceId}`);
  await page.getByRole('button', { name: 'New group' }).click();
  await page.getByLabel('Name').fill('Crew');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'People', exact: true }).click();
  await page.getByRole('combobox', { name: 'People to add' }).click();
  await page.getByRole('option', { name: guest.name }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('dialog').getByText(guest.email)).toBeVisible();
  expect(await inspect(page, 'people in a group')).toEqual([]);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('1 person', { exact: true })).toBeVisible();
  await choose(page, 'Role of Crew', 'Commenter');
  await expect.poll(roleOf).toBe('commenter');
  await page.goto(people);
  await expect(page.getByText('1 person · Commenter of the space')).toBeVisible();
  await choose(page, 'Role of Crew', 'Editor');
  await expect.poll(roleOf).toBe('editor');
  await page.goto(`/space/${(await api.get(`/base/${table.baseId}`)).spaceId}`);
  await page.getByRole('button', { name: 'More for Crew' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete group' }).click();
  await expect.poll(roleOf).toBe('viewer');
  await page.goto(people);

  await page.getByRole('button', { name: `Remove ${guest.name}` }).click();
  await page.getByRole('button', { name: 'Remove from base' }).click();
  await expect(page.getByText(guest.email)).toBeHidden();
  await guest.page.goto(table.url);
  await expect(guest.page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await guest.leave();
});

test('name and picture change everywhere, a new password replaces the old one, and the account is deleted', async ({
  person: { page, api, email },
}) => {
  await page.goto('/account');
  await page.getByLabel('Name').fill('Sam Rivers');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Your name was changed.')).toBeVisible();
  await page.getByLabel('Your picture').setInputFiles({
    name: 'me.gif',
    mimeType: 'image/gif',
    buffer: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  });
  const picture = page.getByRole('button', { name: 'Your account' }).locator('img');
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Remove picture' }).click();
  await expect(picture).toHaveCount(0);
  await page.getByLabel('Current password').fill('correct-horse-1');
  await page.getByLabel('New password').fill('better-horse-2');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill('better-horse-2');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Sam Rivers');

  // Spaces that nobody else owns stand in the way, and are named; also in the trash.
  const [space] = await api.get('/space');
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  const spaces = dialog.getByRole('list', { name: 'Spaces that only you own' });
  const remove = dialog.getByRole('button', { name: 'Delete my account' });
  const open = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
  };
  await open();
  await expect(spaces.getByRole('link', { name: space.name })).toBeVisible();
  await expect(remove).toBeDisabled();
  await api.delete(`/space/${space.id}`);
  await page.reload();
  await open();
  await dialog.getByLabel('Your password').fill('wrong-horse-3');
  await remove.click();
  await expect(dialog.getByText('The password is wrong.')).toBeVisible();
  await dialog.getByLabel('Your password').fill('better-horse-2');
  await remove.click();
  await expect(spaces).toContainText(`${space.name}, in the trash`);
  await api.delete(`/space/${space.id}/permanent`);
  await remove.click();
  await expect(page.getByText('Your account was deleted.')).toBeVisible();
  await expect(page.getByLabel('E-mail')).toBeVisible();
});

test('the API page shows requests with the real ids and names of the table', async ({ person: { page, api } }) => {
  const table = await newTable(api, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Owner’s "note"', type: 'longText' },
    { name: 'Files', type: 'attachment' },
  ]);
  await page.goto(`${table.url}/api`);
  const create = page.getByLabel('Create records as curl');
  await expect(create).toContainText(table.tableId);
  // It is taken as it is shown, also where cells cannot be written so, such as files.
  const body = /-d '(.*)'/s.exec((await create.textContent()) ?? '')?.[1]?.replaceAll("'\\''", "'") ?? '';
  await api.post(`/table/${table.tableId}/record`, JSON.parse(body));
  expect((await table.records()).length).toBe(1);
  await page.getByRole('radio', { name: 'Python' }).click();
  await expect(page.getByLabel('Create records as python')).toContainText('Owner’s \\"note\\"');
});
