// Buttons in the app: made in the dialog of a field, pressed in the grid, in an open record, on a card and on a phone.
import { choose, expect, newPerson, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { cell, newTable, press, selectFirstCell } from '../support/browser-table.ts';

test('a button is made, asks, opens a page once, counts, and is set back', async ({
  person: { page, api },
  browser,
}) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Alpha & Beta' }]);
  await page.goto(table.url);
  await expect(cell(page, 0, 0)).toHaveText('Alpha & Beta');
  await page.getByRole('button', { name: 'Add a field' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Look');
  await dialog.getByLabel('Search field types').fill('Button');
  await press(page, 'Enter');
  await dialog.getByLabel('Text on the button').fill('Look up');
  await dialog.getByRole('radio', { name: 'Open a page' }).click();
  await dialog.getByLabel('Address').fill(`${new URL(page.url()).origin}/login?q=`);
  await choose(dialog, 'Insert the value of a field', 'Name');
  await expect(dialog.getByLabel('Address')).toHaveValue(/\?q=\{Name\}$/);
  await dialog.getByRole('checkbox', { name: 'Ask before it does anything' }).check();
  await dialog.getByLabel('Question').fill('Look it up?');
  await dialog.getByRole('checkbox', { name: 'Limit how often' }).check();
  expect(await inspect(page, 'button-field')).toEqual([]);
  await dialog.getByRole('button', { name: 'Add field' }).click();
  await expect(dialog).toBeHidden();

  await selectFirstCell(page);
  await press(page, 'ArrowRight', 'Enter');
  await expect(page.getByRole('dialog', { name: 'Look it up?' })).toBeVisible();
  expect(await inspect(page, 'button-asks')).toEqual([]);
  const opened = page.waitForEvent('popup');
  await page.getByRole('dialog').getByRole('button', { name: 'Look up' }).click();
  const popup = await opened;
  await popup.waitForURL(/\?q=Alpha%20%26%20Beta/);
  await popup.close();
  await expect.poll(async () => (await table.records())[0]?.['Look']).toEqual({ count: 1 });
  await press(page, 'Enter');
  await expect(page.getByText('“Look up” was already pressed.')).toBeVisible();

  const [record] = (await api.get(`/table/${table.tableId}/record`)).records;
  await page.goto(`${table.url}?record=${record.id}`);
  await expect(page.getByText('Pressed once')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Look up' })).toBeDisabled();
  expect(await inspect(page, 'button-record')).toEqual([]);
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(page.getByText('Not pressed')).toBeVisible();

  // A reader presses on a phone.
  const guest = await newPerson(browser, 'kim', { viewport: { width: 390, height: 844 } }, true);
  await api.post(`/base/${table.baseId}/invitation/email`, { emails: [guest.email], role: 'viewer' });
  await guest.page.goto(`${table.url}?record=${record.id}`);
  const second = guest.page.waitForEvent('popup');
  await guest.page.getByRole('button', { name: 'Look up' }).click();
  await guest.page.getByRole('dialog', { name: 'Look it up?' }).getByRole('button', { name: 'Look up' }).click();
  await (await second).waitForURL(/\?q=Alpha%20%26%20Beta/);
  await expect(guest.page.getByText('Pressed once')).toBeVisible();
  await expect(page.getByText('Pressed once')).toBeVisible();
  await guest.leave();
});
