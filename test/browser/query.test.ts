import { expect, test } from '../support/browser.ts';
import { cell, newTable, press, selectFirstCell } from '../support/browser-table.ts';

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

test('a search leads from place to place, and the end of a long table is a key away', async ({ person: { page, api } }) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }]);
  await api.post(`/table/${table.tableId}/record`, { records: Array.from({ length: 5_000 }, (_item, index) => ({ fields: { Name: `Row ${index + 1}${index % 2_000 === 1_500 ? ' needle' : ''}` } })) });
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'Control+End');
  await expect(cell(page, 4_999, 0)).toHaveText('Row 5000');

  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByLabel('Search in this view').fill('needle');
  await expect(page.getByText('1 of 2')).toBeVisible();
  await expect(cell(page, 1_500, 0)).toHaveText('Row 1501 needle');
  await page.keyboard.press('Enter');
  await expect(cell(page, 3_500, 0)).toHaveText('Row 3501 needle');
});

test('conditions are put into groups, which can be changed again', async ({ person: { page, api } }) => {
  const table = await newTable(
    api,
    [{ name: 'Name', type: 'singleLineText' }, { name: 'Count', type: 'number' }],
    [{ Name: 'Pear', Count: 2 }, { Name: 'Apple', Count: 3 }, { Name: 'Plum', Count: 1 }],
  );
  const [view] = await api.get(`/table/${table.tableId}/view`);
  await page.goto(table.url);
  await selectFirstCell(page);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByLabel('Field of condition 1').selectOption({ label: 'Count' });
  await page.getByLabel('Operator of condition 1').selectOption('isGreater');
  await page.getByLabel('Value', { exact: true }).fill('1');
  await page.getByRole('button', { name: 'Add a group' }).click();
  const group = page.getByRole('group', { name: 'Group 2' });
  await group.getByLabel('Operator of condition 2.1').selectOption('contains');
  await group.getByLabel('Value', { exact: true }).fill('Apple');
  await expect(cell(page, 0, 0)).toHaveText('Apple');
  await group.getByRole('button', { name: 'Add to the group' }).click();
  await group.getByLabel('Operator of condition 2.2').selectOption('contains');
  await group.getByLabel('Value', { exact: true }).last().fill('Pear');
  await expect(cell(page, 0, 0)).toHaveText('Pear');
  await expect(cell(page, 1, 0)).toHaveText('Apple');
  expect((await api.get(`/table/${table.tableId}/view/${view.id}`)).filter).toEqual({
    conjunction: 'and',
    filterSet: [
      { fieldId: table.fieldId('Count'), operator: 'isGreater', value: 1 },
      { conjunction: 'or', filterSet: [{ fieldId: table.fieldId('Name'), operator: 'contains', value: 'Apple' }, { fieldId: table.fieldId('Name'), operator: 'contains', value: 'Pear' }] },
    ],
  });
  await page.getByRole('button', { name: 'Remove group 2' }).click();
  await page.getByLabel('Value', { exact: true }).fill('0');
  await expect(cell(page, 2, 0)).toHaveText('Plum');
});
