// What is done with the mouse, and with keys that are not letters.
import { expect, test } from '../support/browser.ts';
import { cell, clickGrid, dragGrid, newTable, press, selectFirstCell } from '../support/browser-table.ts';

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Count', type: 'number' },
  { name: 'Notes', type: 'singleLineText' },
];

test('the fill handle and Ctrl-D write a cell into the ones below', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, [{ Name: 'Alpha', Count: 7 }, { Name: 'Beta' }, { Name: 'Gamma' }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'ArrowRight');
  // The handle is the lower right corner of the cell: 52 + 220 + 130 across.
  await dragGrid(page, [400, 68], [380, 120]);
  await expect.poll(async () => (await table.records()).map((record) => record['Count'])).toEqual([7, 7, 7]);
  await press(page, 'Control+z');
  await expect.poll(async () => (await table.records()).map((record) => record['Count'])).toEqual([7, undefined, undefined]);
  await clickGrid(page, 120, 52);
  await press(page, 'Shift+ArrowDown', 'Control+d');
  await expect.poll(async () => (await table.records()).map((record) => record['Name'])).toEqual(['Alpha', 'Alpha', 'Gamma']);
});

test('cells are cut and pasted elsewhere, and copied as text', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, [{ Name: 'Alpha', Count: 1.5, Notes: 'a "quoted" word' }, {}]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'Shift+ArrowRight', 'Shift+ArrowRight', 'Control+x');
  await expect.poll(async () => (await table.records())[0]).toEqual({});
  await press(page, 'ArrowDown', 'Control+v');
  await expect.poll(table.records).toEqual([{}, { Name: 'Alpha', Count: 1.5, Notes: 'a "quoted" word' }]);
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('Alpha\t1.50');
});

test('rows are dragged to another place, and stay there', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, [{ Name: 'Alpha' }, { Name: 'Beta' }, { Name: 'Gamma' }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await dragGrid(page, [12, 52], [12, 125]);
  await expect(cell(page, 2, 0)).toHaveText('Alpha');
  await page.reload();
  await expect(cell(page, 0, 0)).toHaveText('Beta');
  await expect(cell(page, 2, 0)).toHaveText('Alpha');
});

test('columns are dragged, resized and frozen, and stay so', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, [{ Name: 'Alpha' }]);
  const [view] = await api.get(`/table/${table.tableId}/view`);
  const shown = async () => api.get(`/table/${table.tableId}/view/${view.id}`);
  const headers = () => page.locator('thead th').allTextContents();
  await page.goto(table.url);
  await selectFirstCell(page);
  // Notes to the left of Count.
  await dragGrid(page, [480, 18], [310, 18]);
  await expect.poll(async () => (await headers()).join(' ')).toMatch(/Name.*Notes.*Count/);
  // The right edge of Name.
  await dragGrid(page, [271, 18], [351, 18]);
  await expect.poll(async () => (await shown()).columnMeta[table.fieldId('Name')].width).toBeGreaterThan(290);
  await clickGrid(page, 420, 18, 'right');
  await page.getByRole('menuitem', { name: 'Freeze up to here' }).click();
  await expect.poll(async () => (await shown()).options.frozenColumnCount).toBe(2);
  await page.reload();
  await cell(page, 0, 0).waitFor({ state: 'attached' });
  expect((await headers()).join(' ')).toMatch(/Name.*Notes.*Count/);
});

test('a field becomes another type, and what does not fit is said before', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, [{ Name: 'Alpha', Notes: '12' }, { Name: 'Beta', Notes: 'many' }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await clickGrid(page, 450, 18, 'right');
  await page.getByRole('menuitem', { name: 'Edit field' }).click();
  await page.getByLabel('Type', { exact: true }).click();
  await page.getByRole('button', { name: /^Number / }).click();
  await expect(page.getByText('1 of 2 cells would be lost.')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(cell(page, 0, 2)).toHaveText('12.00');
  await expect(cell(page, 1, 2)).toHaveText('');
  await expect.poll(table.records).toEqual([{ Name: 'Alpha', Notes: 12 }, { Name: 'Beta' }]);
});
