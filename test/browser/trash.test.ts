import { expect, test } from '../support/browser.ts';
import { cell, newTable, press, selectFirstCell } from '../support/browser-table.ts';

test('deleting a table asks first; Ctrl+Z brings it back, also after a reload, and so does the trash', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Alpha' }]);
  await page.goto(table.url);
  await expect(cell(page, 0, 0)).toHaveText('Alpha');
  const remove = async (): Promise<void> => {
    await page.getByRole('button', { name: 'More for Tasks' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(page.getByRole('dialog', { name: 'Delete table Tasks?' })).toBeVisible();
  };
  const moved = page.getByText('Table Tasks moved to the trash.');

  await remove();
  // Cancel has the focus: Enter out of habit deletes nothing.
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(cell(page, 0, 0)).toHaveText('Alpha');

  await remove();
  await page.getByRole('button', { name: 'Delete table' }).click();
  await expect(moved).toBeVisible();
  // The base has no other table. In the dialog, while it is still there, the keys would be those of a text.
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Create the first table' })).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(cell(page, 0, 0)).toHaveText('Alpha');
  await expect(moved).toBeHidden();

  // Something was changed since, elsewhere: that is undone first, then the deletion; also after a reload.
  const other = await api.post(`/base/${table.baseId}/table`, {
    name: 'Other',
    fields: [{ name: 'Name', type: 'singleLineText' }],
    records: [{ fields: { Name: 'Beta' } }],
  });
  await page.reload();
  await remove();
  await page.getByRole('button', { name: 'Delete table' }).click();
  await expect(cell(page, 0, 0)).toHaveText('Beta');
  await selectFirstCell(page);
  await press(page, 'Delete');
  await expect(cell(page, 0, 0)).toHaveText('');
  // A reload asks first while a change is on its way; a page that is driven by a program does not wait for the answer.
  await expect.poll(async () => (await api.get(`/table/${other.id}/record`)).records[0].fields).toEqual({});
  await page.reload();
  await expect(cell(page, 0, 0)).toHaveText('');
  await page.keyboard.press('Control+z');
  await expect(cell(page, 0, 0)).toHaveText('Beta');
  await page.keyboard.press('Control+z');
  await expect(cell(page, 0, 0)).toHaveText('Alpha');

  await remove();
  await page.getByRole('button', { name: 'Delete table' }).click();
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Trash' }).click();
  await expect(page.getByRole('list', { name: 'Deleted' })).toContainText('Table of Projects, deleted');
  await api.delete(`/base/${table.baseId}/table/${other.id}`);
  await page.getByRole('button', { name: 'Restore Tasks' }).click();
  await expect(page.getByText('Tasks restored.')).toBeVisible();
  await page.getByRole('button', { name: 'Delete Other permanently' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click();
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
