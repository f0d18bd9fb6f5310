import { expect, test } from '../support/browser.ts';
import { cell, newTable } from '../support/browser-table.ts';

test('a deleted table comes back from the trash with its records', async ({ person: { page, api } }) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Alpha' }]);
  await page.goto(table.url);
  await page.getByRole('button', { name: 'More for Tasks' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByText('Table Tasks moved to the trash.')).toBeVisible();
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Trash' }).click();
  await expect(page.getByRole('list', { name: 'Deleted' })).toContainText('Table of Projects, deleted');
  await page.getByRole('button', { name: 'Restore Tasks' }).click();
  await expect(page.getByText('Tasks restored.')).toBeVisible();
  await expect(page.getByText('The trash is empty')).toBeVisible();
  await page.goto(table.url);
  await expect(cell(page, 0, 0)).toHaveText('Alpha');
});

test('the trash of one base is shown by itself, and emptied', async ({ person: { page, api } }) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }]);
  const other = await newTable(api, [{ name: 'Name', type: 'singleLineText' }]);
  await api.patch(`/base/${table.baseId}`, { name: 'Garden' });
  for (const { baseId, tableId } of [table, other]) await api.delete(`/base/${baseId}/table/${tableId}`);
  await page.goto('/');
  await page.getByRole('button', { name: 'More for Garden' }).click();
  await page.getByRole('menuitem', { name: 'Deleted tables' }).click();
  await expect(page.getByRole('heading', { name: 'Trash of Garden' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Deleted' }).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Delete all permanently' }).click();
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByText('The trash is empty')).toBeVisible();
  await page.getByRole('link', { name: 'Show everything in the trash' }).click();
  await expect(page.getByRole('list', { name: 'Deleted' }).getByRole('listitem')).toHaveCount(1);
});
