// Shares in the app: the owner's dialog and list, and the public pages, in a window without an account.
import type { Browser, Page } from '@playwright/test';
import { expect, test } from '../support/browser.ts';
import { newTable } from '../support/browser-table.ts';

/** Somebody without an account. */
const visit = async (browser: Browser, url: string): Promise<Page> => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  return page;
};

test('an owner shares a view with a password; a visitor opens it, sees what changes, and nothing hidden', async ({ person: { page, api }, browser }) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }, { name: 'Secret', type: 'singleLineText' }], [{ Name: 'Roof', Secret: 'hush' }]);
  const [view] = await api.get(`/table/${table.tableId}/view`);
  await api.put(`/table/${table.tableId}/view/${view.id}/column-meta`, [{ fieldId: table.fieldId('Secret'), columnMeta: { hidden: true } }]);
  await page.goto(table.url);
  await page.getByRole('button', { name: `More for ${view.name}` }).first().click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: `Share ${view.name}` });
  await dialog.getByRole('button', { name: 'Create a link' }).click();
  const link = dialog.getByLabel('Link', { exact: true });
  await expect(link).toHaveValue(/\/share\/shr\w+\/view$/);
  await dialog.getByLabel('Password').fill('open sesame');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Saved.')).toBeVisible();

  const visitor = await visit(browser, await link.inputValue());
  await visitor.getByLabel('Password').fill('wrong');
  await visitor.getByRole('button', { name: 'Open' }).click();
  await expect(visitor.getByText('The password is wrong.')).toBeVisible();
  await visitor.getByLabel('Password').fill('open sesame');
  await visitor.getByRole('button', { name: 'Open' }).click();
  await expect(visitor.getByRole('cell', { name: 'Roof' })).toBeVisible();
  await expect(visitor.getByRole('columnheader')).toHaveText(['Name']);
  await api.post(`/table/${table.tableId}/record`, { records: [{ fields: { Name: 'Fence' } }] });
  await expect(visitor.getByRole('cell', { name: 'Fence' })).toBeVisible();

  const [space] = await api.get('/space');
  await page.goto(`/space/${space.id}/shares`);
  await page.getByRole('button', { name: `End the link of ${view.name}` }).click();
  await expect(page.getByText('Nothing is shared.')).toBeVisible();
  await expect(visitor.getByRole('heading', { name: 'This link shows nothing' })).toBeVisible();
  await visitor.context().close();
});

test('a visitor fills in a form, with errors beside the fields and what the address says', async ({ person: { api }, browser }) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }, { name: 'Count', type: 'number' }, { name: 'Source', type: 'singleLineText' }]);
  const form = await api.post(`/table/${table.tableId}/view`, { type: 'form', name: 'Order', columnMeta: { [table.fieldId('Name')]: { required: true } } });
  const { shareId } = await api.post(`/table/${table.tableId}/view/${form.id}/enable-share`);
  await api.put(`/table/${table.tableId}/view/${form.id}/share-meta`, { submit: { allow: true }, frameAncestors: ['https://example.com'] });
  const visitor = await visit(browser, '/share/shrNONEnoneNONEnone/view');
  await expect(visitor.getByRole('heading', { name: 'This link shows nothing' })).toBeVisible();
  const answer = await visitor.goto(`/share/${shareId}/view?prefill_Source=newsletter&hide_Source=true`);
  expect(answer?.headers()['content-security-policy']).toContain('frame-ancestors https://example.com');
  expect(answer?.headers()['x-frame-options']).toBeUndefined();
  await expect(visitor.getByRole('heading', { name: 'Order' })).toBeVisible();
  await expect(visitor.getByLabel('Source')).toHaveCount(0);
  await visitor.getByLabel('Count').fill('many');
  await visitor.getByRole('button', { name: 'Submit' }).click();
  await expect(visitor.locator(`[data-field="${table.fieldId('Name')}"]`).getByRole('alert')).toHaveText('This field is required.');
  await expect(visitor.locator(`[data-field="${table.fieldId('Count')}"]`).getByRole('alert')).toBeVisible();
  await visitor.locator(`[data-field="${table.fieldId('Name')}"] input`).fill('Anna');
  await visitor.getByLabel('Count').fill('3');
  await visitor.getByRole('button', { name: 'Submit' }).click();
  await expect(visitor.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  expect(await table.records()).toEqual([{ Name: 'Anna', Count: 3, Source: 'newsletter' }]);
  await visitor.context().close();
});
