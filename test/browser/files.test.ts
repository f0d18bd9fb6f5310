// Files in cells, and files that become tables.
import { readFileSync } from 'node:fs';
import { choose, expect, test } from '../support/browser.ts';
import { cell, newTable, press, selectFirstCell } from '../support/browser-table.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="teal"/></svg>';

test('a cell takes files that are chosen, dropped or pasted, shows them, and lets them go', async ({ person: { page, api } }) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }, { name: 'Files', type: 'attachment' }], [{ Name: 'Alpha' }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'ArrowRight', 'Enter');
  await page.getByLabel('Add files to Files').setInputFiles([{ name: 'plan.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) }, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }]);
  const files = page.getByRole('list', { name: 'Files' });
  await expect(files.getByRole('link')).toHaveCount(2);
  // As a drop or a paste would bring them.
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['from elsewhere'], 'dropped.txt', { type: 'text/plain' }));
    return transfer;
  });
  await page.getByRole('button', { name: 'Choose files' }).dispatchEvent('drop', { dataTransfer: dropped });
  await expect(files.getByRole('link')).toHaveCount(3);
  await page.getByRole('button', { name: 'Remove notes.txt' }).click();
  const [opened] = await Promise.all([page.waitForEvent('popup'), files.getByRole('link', { name: 'dropped.txt' }).click()]);
  await expect(opened.getByText('from elsewhere')).toBeVisible();
  await opened.close();
  await page.getByRole('button', { name: 'Choose files' }).press('Escape');
  await expect(cell(page, 0, 1)).toContainText('dropped.txt');
  await expect.poll(async () => ((await table.records())[0]?.['Files'] as { name: string }[] | undefined)?.map(({ name }) => name).toSorted()).toEqual(['dropped.txt', 'plan.svg']);
  // The record shows the image itself.
  await page.keyboard.press('Space');
  const shown = page.getByRole('button', { name: 'Files', exact: true }).locator('img');
  await expect(shown).toBeVisible();
  expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40);
});

test('a file becomes a table, with the types that were chosen, and what did not fit is told', async ({ person: { page, api } }) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }]);
  await page.goto(table.url);
  await page.getByRole('button', { name: 'Import a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import a file' });
  await dialog.getByLabel('File to import').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('Name;Age;Town\nAda;36;London\nGrace;many;"New York"\n') });
  await expect(dialog.getByRole('cell', { name: 'New York' })).toBeVisible();
  await expect(dialog.getByRole('combobox', { name: 'Type of Age' })).toHaveText('Text');
  await choose(dialog, 'Type of Age', 'Number');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('2 records imported into people. 1 values did not fit')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(cell(page, 1, 2)).toHaveText('New York');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Show what did not fit' }).click()]);
  expect(readFileSync(await download.path(), 'utf8')).toBe('\uFEFFRow,Field,Value\r\n3,Age,many');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  // Into the table that is there: a field by its name, a new one, and one that is left out. Then all of it is undone.
  await page.getByRole('button', { name: 'More for people' }).click();
  await page.getByRole('menuitem', { name: 'Import into this table' }).click();
  const into = page.getByRole('dialog', { name: 'Import into people' });
  await into.getByLabel('File to import').setInputFiles({ name: 'more.json', mimeType: 'application/json', buffer: Buffer.from('[{"name":"Alan","Born":1912,"Secret":"x"}]') });
  await expect(into.getByRole('combobox', { name: 'Where name goes' })).toHaveText('Name');
  await choose(into, 'Where Secret goes', 'Leave out');
  await into.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('1 records imported into people.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Born: no statistic' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Secret: no statistic' })).toHaveCount(0);
  await expect(cell(page, 2, 0)).toHaveText('Alan');
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await expect(page.getByText('1 records moved to the trash.')).toBeVisible();
  await expect(cell(page, 2, 0)).toHaveCount(0);
});

test('a base is saved as a file and comes back from it', async ({ person: { page, api } }) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Alpha' }]);
  await page.goto('/');
  const { baseId } = table;
  const card = page.getByRole('listitem').filter({ has: page.locator(`a[href*="${baseId}"]`) }).first();
  await card.getByRole('button', { name: /^More for/ }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Export as a file' }).click()]);
  expect(download.suggestedFilename()).toMatch(/\.rowhouse$/);
  await page.getByRole('button', { name: /^More for/ }).first().click();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('menuitem', { name: 'Import a base' }).click()]);
  await chooser.setFiles(await download.path());
  await expect(cell(page, 0, 0)).toHaveText('Alpha');
  expect(page.url()).not.toContain(baseId);
});
