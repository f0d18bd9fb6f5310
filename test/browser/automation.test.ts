// Automations built by hand in the app: an approval by a button, and a report every week. Buttons by themselves: made in the dialog of a field,
// pressed in the grid, in an open record, on a card and on a phone.
import type { Page } from '@playwright/test';
import { choose, escape, expect, newPerson, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { cell, newTable, press, selectFirstCell } from '../support/browser-table.ts';

const orderFields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Status', type: 'singleSelect', options: { choices: [{ name: 'Open' }, { name: 'Approved' }] } },
  { name: 'Amount', type: 'number' },
  { name: 'Approve', type: 'button', options: { label: 'Approve', maxCount: 1 } },
];

/** Options with a sentence below their name. */
const startWith = async (page: Page, label: string): Promise<void> => {
  await page.getByRole('combobox', { name: 'What starts it' }).click();
  await page.getByRole('option', { name: label }).click();
};

test('an approval is built, tried, turned on, and done by the press of a button', async ({
  person: { page, api },
  browser,
}) => {
  const table = await newTable(api, orderFields, [{ Name: 'Paper', Status: 'Open', Amount: 12 }]);
  await page.goto(table.url);
  await page.getByRole('link', { name: 'Automations' }).click();
  expect(await inspect(page, 'automations-empty')).toEqual([]);
  await page.getByRole('button', { name: 'New automation' }).click();
  await page.getByLabel('Name').fill('Approve orders');
  await page.getByRole('button', { name: 'Create' }).click();
  await startWith(page, 'A button is pressed');
  await page.getByRole('combobox', { name: 'Button' }).click();
  await page.getByRole('option', { name: 'Approve' }).click();
  await escape(page);

  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.getByRole('option', { name: 'Change a record', exact: false }).first().click();
  await choose(page, 'Add a field', 'Status');
  await choose(page, 'Status', 'Approved');
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.getByRole('option', { name: 'Write a comment' }).click();
  const comment = page.getByRole('textbox', { name: 'Comment' });
  await comment.click();
  await page.keyboard.type('Approved: ');
  await page.getByRole('button', { name: 'Insert a value into Comment' }).click();
  await page.getByRole('option', { name: /^Name ?The record that started it$/ }).click();
  await expect(comment).toHaveText('Approved: Name');
  await expect(page.getByText('All changes are saved as a draft.')).toBeVisible();
  expect(await inspect(page, 'automation')).toEqual([]);

  await page.getByRole('button', { name: 'Try it' }).click();
  await expect(page.getByRole('list', { name: 'What would change' })).toContainText('Approved');
  expect((await table.records())[0]?.['Status']).toBe('Open');
  expect(await inspect(page, 'automation-test')).toEqual([]);
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByText('It runs.')).toBeVisible();

  // Somebody who may only read presses, and is told what came of it.
  const guest = await newPerson(browser, 'kim');
  await api.post(`/base/${table.baseId}/invitation/email`, { emails: [guest.email], role: 'viewer' });
  const [record] = (await api.get(`/table/${table.tableId}/record`)).records;
  await guest.page.goto(`${table.url}?record=${record.id}`);
  await guest.page.getByRole('button', { name: 'Approve' }).click();
  await expect(guest.page.getByText('“Approve” is done.')).toBeVisible();
  await expect.poll(async () => (await table.records())[0]?.['Status']).toBe('Approved');

  await page.getByRole('radio', { name: 'Runs' }).click();
  await page.getByRole('list', { name: 'Runs' }).getByRole('button').first().click();
  await expect(page.getByRole('list', { name: 'Steps that ran' }).getByText('Change a record')).toBeVisible();
  await expect(page.getByRole('region', { name: 'What started it' })).toContainText('"Status": "Open"');
  expect(await inspect(page, 'automation-run')).toEqual([]);
  await page.getByRole('link', { name: 'Automations' }).click();
  await expect(page.getByRole('list', { name: 'Automations' })).toContainText('Done');
  expect(await inspect(page, 'automations')).toEqual([]);
  await guest.leave();
});

test('a weekly report is built with a condition and a loop, and says what is missing', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, orderFields, [
    { Name: 'Paper', Status: 'Open' },
    { Name: 'Pens', Status: 'Open' },
    { Name: 'Ink', Status: 'Approved' },
  ]);
  await page.goto(`/base/${table.baseId}/automations`);
  await page.getByRole('button', { name: 'New automation' }).click();
  await page.getByLabel('Name').fill('Report');
  await page.getByRole('button', { name: 'Create' }).click();
  await startWith(page, 'At a time');
  await choose(page, 'How often', 'Every week');
  await page.getByLabel('At', { exact: true }).fill('08:00');
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.getByRole('option', { name: 'Find records' }).click();
  const which = page.getByRole('group', { name: 'Which records' });
  await which.getByRole('button', { name: 'Add a condition' }).click();
  await choose(which, 'Field of condition 1', 'Status');
  await choose(which, 'Value', 'Open');
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.getByRole('option', { name: 'For each record found' }).click();
  await page.getByRole('combobox', { name: 'Records found by' }).click();
  await page.getByRole('option').first().click();
  const loop = page.getByRole('group', { name: 'For each of them' });
  await loop.getByRole('button', { name: 'Add a step' }).click();
  await page.getByRole('option', { name: 'Send an e-mail' }).click();
  await expect(page.getByText('Before it can be turned on:')).toBeVisible();
  await loop.getByRole('textbox', { name: 'To' }).click();
  await page.keyboard.type('kim@example.com');
  await loop.getByRole('textbox', { name: 'Subject' }).click();
  await page.keyboard.type('Open: ');
  await loop.getByRole('button', { name: 'Insert a value into Subject' }).click();
  await page.getByRole('option', { name: /^Name ?Current record$/ }).click();
  await loop.getByRole('textbox', { name: 'Text' }).click();
  await page.keyboard.type('Please look at it.');
  await expect(page.getByText('All changes are saved as a draft.')).toBeVisible();
  await expect(page.getByText('Before it can be turned on:')).toBeHidden();
  await page.getByRole('button', { name: 'Try it' }).click();
  const ran = page.getByRole('list', { name: 'Steps that ran' });
  await expect(ran.getByText('Send an e-mail')).toHaveCount(2);
  await ran.getByRole('button', { name: 'Send an e-mail' }).first().click();
  await expect(ran.getByRole('region', { name: 'Input' })).toContainText('Open: Paper');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByText(/It starts next on/)).toBeVisible();
  expect(await inspect(page, 'automation-report')).toEqual([]);
});

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
