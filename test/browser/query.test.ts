import { expect, test } from '../support/browser.ts';
import { cell, newTable, selectFirstCell } from '../support/browser-table.ts';

test('a view is filtered and sorted, and stays so', async ({ person: { page, api } }) => {
  const table = await newTable(
    api,
    [{ name: 'Name', type: 'singleLineText' }, { name: 'Count', type: 'number' }],
    [{ Name: 'Pear', Count: 2 }, { Name: 'Apple', Count: 3 }, { Name: 'Plum', Count: 1 }],
  );
  await page.goto(table.url);
  await selectFirstCell(page);

  await page.getByRole('button', { name: 'Sort', exact: true }).click();
  await page.getByRole('button', { name: 'Add a field' }).last().click();
  await expect(cell(page, 0, 0)).toHaveText('Apple');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByLabel('Field of condition 1').selectOption({ label: 'Count' });
  await page.getByLabel('Operator of condition 1').selectOption('isLess');
  await page.getByLabel('Value', { exact: true }).fill('3');
  await expect(cell(page, 0, 0)).toHaveText('Pear');
  await expect(cell(page, 1, 0)).toHaveText('Plum');

  await page.reload();
  await expect(cell(page, 0, 0)).toHaveText('Pear');
  await expect(page.getByRole('button', { name: '1 filter' })).toBeVisible();
});
