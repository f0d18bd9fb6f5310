// The server is gone, or the network: said plainly, and gone on with by itself.
import { expect, test } from '../support/browser.ts';

const gone = 'The server cannot be reached.';

test('a page outside the table says that the server is gone, keeps what it shows, and goes on', async ({
  person: { page, api },
}) => {
  const [space] = await api.get('/space');
  await page.goto(`/space/${space.id}`);
  await expect(page.getByRole('heading', { name: 'People', exact: true })).toBeVisible();
  await page.context().setOffline(true);
  await page.getByLabel('E-mail addresses').fill('kim@example.com');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: gone })).toHaveCount(2);
  await expect(page.getByLabel('E-mail addresses')).toHaveValue('kim@example.com');
  await expect(page.getByRole('heading', { name: 'People', exact: true })).toBeVisible();

  await page.context().setOffline(false);
  await expect(page.getByText('it is tried again by itself')).toBeHidden();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(page.getByText('1 invited.')).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
});

test('signing in while the server is gone is said plainly and works when it is back', async ({ page, person }) => {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  // Parts of the app that are loaded behind the first screen are there: what happens without them is not the question here.
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert').filter({ hasText: gone }).first()).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText('it is tried again by itself')).toBeHidden();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
});

test('a page that could not be loaded at all is loaded when the server is back', async ({ person: { page } }) => {
  await page.route('**/api/**', (route) => route.abort('connectionrefused'));
  await page.route('**/health', (route) => route.abort('connectionrefused'));
  await page.goto('/');
  await expect(page.getByRole('heading', { name: gone })).toBeVisible();
  await page.unroute('**/api/**');
  await page.unroute('**/health');
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
});
