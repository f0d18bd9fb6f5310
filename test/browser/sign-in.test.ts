import { escape, expect, newEmail, password, test } from '../support/browser.ts';
import { cell, newTable } from '../support/browser-table.ts';

test('a visitor creates an account, makes a first table with one sentence, signs out and signs in again', async ({
  page,
}) => {
  const email = newEmail('ada');
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Welcome to Rowhouse' })).toBeVisible();
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Your name').fill('Ada Stone');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'What do you want to keep track of?' })).toBeVisible();
  await page.keyboard.type('Repairs');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/base\/bse\w+\/tbl\w+/);
  await cell(page, 0, 0).waitFor({ state: 'attached' });
  const [, status] = (
    await (await page.request.get(`/api/table/${/tbl\w+/.exec(page.url())?.[0]}/field`)).json()
  ).slice(1);
  expect(status.options.choices.map(({ name }: { name: string }) => name)).toEqual(['To do', 'In progress', 'Done']);
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('link', { name: 'Repairs' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What do you want to keep track of?' })).toBeHidden();

  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill('wrong-password-1');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByLabel('E-mail')).toHaveValue(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
});

test('what appears late on the first page does not close a menu that is open', async ({ page }) => {
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/base/access/all', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/signup');
  await page.getByLabel('Your name').fill('Ada Stone');
  await page.getByLabel('E-mail').fill(newEmail('ada'));
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Your account' }).click();
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  answer();
  await expect(page.getByRole('heading', { name: 'What do you want to keep track of?' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByLabel('E-mail')).toBeFocused();
});

test('a visitor follows an invitation link, signs up on the way, and is in', async ({ page, person }) => {
  const [space] = await person.api.get('/space');
  const { inviteUrl } = await person.api.post(`/space/${space.id}/invitation/link`, { role: 'editor' });
  const invited = `${person.name} invited you to the space ${space.name} as editor.`;
  await page.goto(inviteUrl);
  await expect(page.getByText(`${invited} Sign in to accept.`)).toBeVisible();
  await page.getByRole('link', { name: 'Create an account' }).click();
  await expect(page.getByText(invited)).toBeVisible();
  await page.getByLabel('Your name').fill('Ada Stone');
  await page.getByLabel('E-mail').fill(newEmail('kim'));
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('main')).toContainText(
    / invited you to the space .* as editor\.You are signed in as Ada Stone/,
  );
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await expect(page).toHaveURL(new RegExp(`/space/${space.id}`));
  await expect(page.getByText('You are an editor of this space.')).toBeVisible();
});

test('the keyboard alone leads from the sign-in page into a base and out again', async ({ page, person }) => {
  const table = await newTable(person.api, [{ name: 'Name', type: 'singleLineText' }]);
  await page.goto('/');
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await page.keyboard.type(person.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(person.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle('Home · Rowhouse');
  const tabTo = async (name: string): Promise<void> => {
    const target = page.getByRole('button', { name, exact: true }).or(page.getByRole('link', { name, exact: true }));
    await expect(target).toBeVisible();
    for (let count = 0; count < 20 && (await target.and(page.locator(':focus')).count()) === 0; count += 1)
      await page.keyboard.press('Tab');
    await expect(target).toBeFocused();
  };
  await tabTo('More for Projects');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Add to favourites' })).toBeFocused();
  await escape(page);
  await expect(page.getByRole('button', { name: 'More for Projects' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(table.tableId));
  await expect(page).toHaveTitle('Tasks · Rowhouse');
  // A new page is gone through from its beginning, wherever the link to it was.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Skip to the records' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Home', exact: true })).toBeFocused();
  await tabTo('Your account');
  await page.keyboard.press('Enter');
  for (const name of ['Account', 'Access tokens', 'Trash']) {
    await expect(page.getByRole('menuitem', { name })).toBeFocused();
    if (name !== 'Trash') await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle('Trash · Rowhouse');
});

test('signing in leads on to the page that was wanted, and never to another site', async ({ page, person }) => {
  await page.goto('/trash');
  await expect(page).toHaveURL(/\/login\?redirect=%2Ftrash/);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Trash', exact: true })).toBeVisible();

  await page.goto('/login?redirect=%2F%2Fexample.com');
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
});

test('a session that ended elsewhere leads to the sign-in page, and back', async ({ person }) => {
  const { page } = person;
  await page.goto('/trash');
  await expect(page.getByRole('heading', { name: 'Trash', exact: true })).toBeVisible();
  await person.api.post('/auth/signout');
  await page.reload();
  await expect(page).toHaveURL(/\/login/);
});
