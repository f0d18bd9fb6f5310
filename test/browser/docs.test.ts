// The documents at /docs in a browser: on every width, in both themes, by search and by keys.
import { expect, test } from '../support/browser.ts';

test('the documents can be read on a phone and a desk, light and dark, and are searched', async ({
  person: { page },
}) => {
  const elsewhere: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => elsewhere.push(new URL(request.url()).host));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => (message.type() === 'error' ? errors.push(message.text()) : undefined));
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of [
      '/docs',
      '/docs/guide/settings',
      '/docs/guide/formulas',
      '/docs/adr/0250-a-backup-before-an-upgrade',
    ]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      // Tables and code scroll by themselves, the page does not.
      expect([
        path,
        width,
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ]).toEqual([path, width, 0]);
    }
  }
  await expect(page.getByRole('navigation', { name: 'Pages', exact: true })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/docs');
  await expect(page.getByRole('navigation', { name: 'Pages', exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Pages', exact: true }).click();
  await page
    .getByRole('navigation', { name: 'Pages', exact: true })
    .getByRole('link', { name: 'Running it for real' })
    .click();
  await expect(page).toHaveURL(/\/docs\/guide\/operate$/);

  const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await ground();
  await page.getByRole('button', { name: 'Light or dark' }).click();
  expect(await ground()).not.toBe(dark);
  await page.reload();
  expect(await ground()).not.toBe(dark);

  await page.locator('main').focus();
  await page.keyboard.press('/');
  await page.keyboard.type('upgrade backup');
  const first = page.getByRole('option').first();
  await expect(first).toContainText('Upgrades');
  await page.keyboard.press('ArrowDown');
  await expect(first).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs\/guide\/operate#upgrades$/);
  await page.getByRole('combobox').fill('no-such-word-anywhere');
  await expect(page.getByText('Nothing was found')).toBeVisible();
  expect(new Set(elsewhere)).toEqual(new Set([new URL(page.url()).host]));
  expect(errors).toEqual([]);
});
