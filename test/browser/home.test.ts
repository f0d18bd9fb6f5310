import { expect, newPerson, test } from '../support/browser.ts';

test('spaces and bases are created, renamed, deleted and restored', async ({ person: { page } }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'New space' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Studio');
  await page.getByRole('button', { name: 'Create space' }).click();
  await expect(page.getByRole('link', { name: 'Studio', exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'More for Studio' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Atelier');
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('link', { name: 'Atelier', exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'New base in Atelier' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Projects');
  await page.getByRole('button', { name: 'Create base' }).click();
  await expect(page).toHaveURL(/\/base\/bse/);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Projects' })).toBeVisible();

  await page.getByRole('button', { name: 'More for Projects' }).click();
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete base' }).click();
  await expect(page.getByRole('link', { name: 'Projects' })).toBeHidden();

  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Trash' }).click();
  await page.getByRole('button', { name: 'Restore Projects' }).click();
  await expect(page.getByText('The trash is empty')).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('link', { name: 'Projects' })).toBeVisible();
});

test('an invitation link lets another person in, after signing up', async ({ person, browser }) => {
  const [space] = await person.api.get('/space');
  const link = await person.api.post(`/space/${space.id}/invitation/link`, { role: 'editor' });
  const guest = await newPerson(browser, 'guest');
  const url = new URL(link.inviteUrl);
  await guest.page.goto(url.pathname + url.search);
  await guest.page.getByRole('button', { name: 'Accept the invitation' }).click();
  await expect(guest.page).toHaveURL(new RegExp(`/space/${space.id}`));
  await guest.page.context().close();
});
