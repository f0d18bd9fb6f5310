import { expect, test } from '../support/browser.ts';
import { cell, newTable, selectFirstCell } from '../support/browser-table.ts';

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Status', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
  { name: 'Count', type: 'number' },
];

test('a card moves between the columns of a board', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, [{ Name: 'Alpha', Status: 'open' }, { Name: 'Beta' }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await page.getByRole('button', { name: 'Add a view' }).click();
  await page.getByRole('menuitem', { name: 'Kanban' }).click();
  await expect(page.getByRole('region', { name: 'open', exact: true }).getByRole('button', { name: 'Alpha', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Move Alpha' }).click();
  await page.getByRole('menuitem', { name: 'done' }).click();
  await expect(page.getByRole('region', { name: 'done', exact: true }).getByRole('button', { name: 'Alpha', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Beta', exact: true }).dragTo(page.getByRole('region', { name: 'open', exact: true }));
  await expect.poll(table.records).toEqual([{ Name: 'Alpha', Status: 'done' }, { Name: 'Beta', Status: 'open' }]);
});

test('a form makes a record, and says what is wrong without losing the rest', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields);
  await page.goto(table.url);
  await page.getByRole('button', { name: 'Add a view' }).click();
  await page.getByRole('menuitem', { name: 'Form' }).click();
  await page.getByLabel('Name', { exact: true }).fill('From the form');
  await page.getByLabel('Count', { exact: true }).fill('several');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('“several” is not a number')).toBeVisible();
  await page.getByLabel('Count', { exact: true }).fill('7');
  await page.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'done' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('The record was added.')).toBeVisible();
  expect(await table.records()).toEqual([{ Name: 'From the form', Status: 'done', Count: 7 }]);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('');
});

test('a second grid view keeps its own fields and height', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, [{ Name: 'Alpha', Count: 1 }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await page.getByRole('button', { name: 'Add a view' }).click();
  await page.getByRole('menuitem', { name: 'Grid' }).click();
  await expect(page).toHaveURL(/view=viw/);
  await page.getByRole('button', { name: 'Height' }).click();
  await page.getByRole('menuitem', { name: 'Tall', exact: true }).click();
  await page.getByRole('button', { name: 'Fields' }).click();
  await page.getByLabel('Count', { exact: true }).uncheck();
  await expect(page.locator('th', { hasText: 'Count' })).toBeHidden();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Grid view' }).click();
  await expect(page.locator('th', { hasText: 'Count' })).toBeAttached();
  await expect(cell(page, 0, 2)).toHaveText('1.00');
});
