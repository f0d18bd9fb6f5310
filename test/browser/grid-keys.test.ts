// Every shortcut of the grid, as the list behind Ctrl-/ names them.
import { escape, expect, test } from '../support/browser.ts';
import { cell, clickGrid, newTable, press, selectFirstCell } from '../support/browser-table.ts';

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Count', type: 'number', options: { formatting: { type: 'decimal', precision: 0 } } },
  { name: 'Other', type: 'number', options: { formatting: { type: 'decimal', precision: 0 } } },
  { name: 'Due', type: 'date' },
  {
    name: 'Tags',
    type: 'multipleSelect',
    options: { choices: [{ name: 'dark red' }, { name: 'red' }, { name: 'green' }] },
  },
];
const records = [
  { Name: 'Alpha', Count: 1 },
  { Name: 'Beta', Count: 2 },
  { Name: 'Gamma', Count: 3 },
];

test('F2 edits, Backspace and Delete empty, Escape takes a text back and keeps picked tags', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, fields, records);
  await page.goto(table.url);
  await selectFirstCell(page);
  // A second click only selects, and what is typed then is the new text; a double click edits the old one.
  // Later than the second half of a double click would come.
  await page.waitForTimeout(600);
  await clickGrid(page, 120, 52);
  await expect(page.locator('#portal input')).toHaveCount(0);
  await page.keyboard.type('New');
  await expect(page.locator('#portal input')).toHaveValue('New');
  await press(page, 'Escape');
  const box = await page.locator('canvas[data-testid="data-grid-canvas"]').boundingBox();
  await page.mouse.dblclick((box?.x ?? 0) + 120, (box?.y ?? 0) + 52);
  await expect(page.locator('#portal input')).toHaveValue('Alpha');
  await press(page, 'Escape');
  await press(page, 'F2');
  await expect(page.locator('#portal input')).toHaveValue('Alpha');
  await page.keyboard.type(' one');
  await press(page, 'Enter');
  await expect.poll(async () => (await table.records())[0]?.['Name']).toBe('Alpha one');
  await press(page, 'Backspace');
  await expect.poll(async () => (await table.records())[1]?.['Name']).toBeUndefined();
  await press(page, 'ArrowDown', 'Shift+ArrowRight', 'Delete');
  await expect.poll(async () => (await table.records())[2]).toEqual({});
  await page.keyboard.type('never');
  await press(page, 'Escape');
  await press(page, 'End', 'Enter');
  await page.getByRole('combobox', { name: 'Tags' }).fill('gre');
  await press(page, 'Enter', 'Escape');
  await expect.poll(async () => (await table.records())[2]).toEqual({ Tags: ['green'] });
  // What is named is added, and never taken away: by Enter, and by Tab, which leads on. The name itself comes before what contains it.
  await page.keyboard.type('green');
  await press(page, 'Enter', 'Escape');
  await page.keyboard.type('red');
  await press(page, 'Shift+Tab');
  await expect.poll(async () => (await table.records())[2]).toEqual({ Tags: ['green', 'red'] });
  await expect(cell(page, 2, 3)).toHaveAttribute('aria-selected', 'true');
  // Enter picks what arrows or letters have led to, and nothing else: without them it closes the list and leads down.
  await press(page, 'Control+Home', 'End', 'Enter', 'Enter');
  await expect(cell(page, 1, 4)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.type('gre');
  await press(page, 'Enter', 'Enter');
  await expect(cell(page, 2, 4)).toHaveAttribute('aria-selected', 'true');
  await press(page, 'ArrowUp', 'Enter', 'ArrowDown', 'Enter', 'Escape');
  await expect
    .poll(async () => (await table.records()).map((record) => record['Tags']))
    .toEqual([undefined, ['green', 'dark red'], ['green', 'red']]);
});

test('Ctrl-; is today, Ctrl-D and Ctrl-R fill, Shift-Enter adds a record below', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, records);
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Control+;');
  await expect
    .poll(async () => String((await table.records())[0]?.['Due']).slice(0, 10))
    .toBe(new Date().toISOString().slice(0, 10));
  await press(page, 'ArrowLeft', 'Control+r');
  await expect.poll(async () => (await table.records())[0]?.['Other']).toBe(1);
  await press(page, 'ArrowDown', 'Control+d');
  await expect.poll(async () => (await table.records())[1]?.['Other']).toBe(1);
  await press(page, 'ArrowLeft', 'Shift+ArrowRight', 'Shift+ArrowDown', 'Control+r');
  await expect.poll(async () => (await table.records()).map((record) => record['Other'])).toEqual([1, 2, 3]);
  await press(page, 'Shift+Enter');
  await expect(cell(page, 2, 0)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.type('Between');
  await press(page, 'Enter');
  await expect(cell(page, 1, 0)).toHaveText('Beta');
  await expect(cell(page, 2, 0)).toHaveText('Between');
  await expect(cell(page, 3, 0)).toHaveText('Gamma');
});

test('keys lead along the row and across the table, the footer adds up, Ctrl-F searches, Ctrl-/ lists the shortcuts, and a record opens', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, fields, records);
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'End');
  await expect(cell(page, 0, 4)).toHaveAttribute('aria-selected', 'true');
  await press(page, 'Home');
  await expect(cell(page, 0, 0)).toHaveAttribute('aria-selected', 'true');
  await press(page, 'Control+End');
  await expect(cell(page, 2, 4)).toHaveAttribute('aria-selected', 'true');
  await press(page, 'Control+Home', 'ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowDown');
  await expect(page.getByRole('status', { name: 'Selection' })).toHaveText('Sum 6 · Average 2 · Count 3');
  await press(page, 'Escape');
  await expect(page.getByRole('status', { name: 'Selection' })).toBeHidden();
  // The cursor itself has not moved: one back, to the edges, and out to the ends of the row.
  await press(page, 'Shift+Tab');
  await expect(cell(page, 0, 0)).toHaveAttribute('aria-selected', 'true');
  await press(page, 'Control+ArrowDown');
  await expect(cell(page, 2, 0)).toHaveAttribute('aria-selected', 'true');
  await press(page, 'Control+ArrowRight');
  await expect(cell(page, 2, 4)).toHaveAttribute('aria-selected', 'true');
  await press(page, 'Control+ArrowUp', 'Control+ArrowLeft');
  await expect(cell(page, 0, 0)).toHaveAttribute('aria-selected', 'true');
  await press(page, 'ArrowRight', 'Shift+End');
  await expect(cell(page, 0, 4)).toHaveAttribute('aria-selected', 'true');
  await press(page, 'Shift+Home');
  await expect(cell(page, 0, 0)).toHaveAttribute('aria-selected', 'true');
  await expect(cell(page, 0, 2)).toHaveAttribute('aria-selected', 'false');

  // Shift-Space ticks the row, which Delete deletes.
  await press(page, 'Escape', 'Shift+Space');
  await expect(page.getByText('1 selected')).toBeVisible();
  await press(page, 'Delete');
  await expect.poll(async () => (await table.records()).map(({ Name }) => Name)).toEqual(['Beta', 'Gamma']);

  await selectFirstCell(page);
  await press(page, 'Control+f');
  await page.keyboard.type('gamma');
  await expect(cell(page, 1, 0)).toHaveAttribute('aria-selected', 'true');
  await escape(page);
  await press(page, 'Control+/');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(dialog.locator('dt')).toHaveText([
    'Any character',
    'Enter, F2',
    'Escape',
    'Backspace, Delete',
    'Ctrl ;',
    'Ctrl D',
    'Ctrl R',
    'Ctrl C, Ctrl X, Ctrl V',
    'Ctrl Z, Ctrl Shift Z',
    'Tab, Shift Tab',
    'Home, End',
    'Ctrl Home, Ctrl End',
    'Ctrl and an arrow',
    'Shift and any of these',
    'Ctrl A',
    'Ctrl F',
    'Ctrl K',
    'Ctrl and a click',
    'Alt Shift ↑, Alt Shift ↓',
    'Alt Shift ←, Alt Shift →',
    'Space',
    'Shift Enter',
    'Shift Space',
    'Ctrl E',
    'Alt Shift ↑, Alt Shift ↓',
    'Ctrl /, or ? outside of the grid',
  ]);
  await press(page, 'Escape');
  await expect(dialog).toBeHidden();

  await selectFirstCell(page);
  const panel = page.getByRole('complementary', { name: 'Record' });
  // Beside the button: the cell is selected.
  await clickGrid(page, 52 + 220 - 32, 52 + 34);
  await expect(cell(page, 1, 0)).toHaveAttribute('aria-selected', 'true');
  await expect(panel).toBeHidden();
  await clickGrid(page, 52 + 220 - 16, 52 + 34);
  await expect(panel.getByRole('heading', { name: 'Gamma' })).toBeVisible();

  // Another key finds places, records and commands, wherever the focus is.
  await press(page, 'Control+k');
  await page.keyboard.type('Bet');
  await expect(page.getByRole('option', { name: /Beta/ })).toHaveAttribute('aria-selected', 'true');
  await press(page, 'Enter');
  await expect(page.getByRole('combobox', { name: /Find a place/ })).toBeHidden();
  await expect(panel.getByRole('heading', { name: 'Beta' })).toBeVisible();
  await press(page, 'Control+k');
  await page.keyboard.type('dark the');
  await expect(page.getByRole('option', { name: 'Use the dark theme' })).toHaveAttribute('aria-selected', 'true');
  await press(page, 'Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('typing starts an edit in frozen columns and in those that are out of sight', async ({
  person: { page, api },
}) => {
  const many = Array.from({ length: 12 }, (_item, index) => ({ name: `Column ${index}`, type: 'singleLineText' }));
  const table = await newTable(api, [fields[0] as object, ...many], [{ Name: 'Alpha' }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'End');
  await page.keyboard.type('last');
  await press(page, 'Enter', 'ArrowUp', 'Home');
  await page.keyboard.type('first');
  await press(page, 'Enter');
  await expect.poll(table.records).toEqual([{ Name: 'first', 'Column 11': 'last' }]);
  // Scrolled away: what is typed brings its cell back.
  await press(page, 'ArrowUp', 'End', 'Home');
  await page.locator('.dvn-scroller').evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  await page.keyboard.type('again');
  await press(page, 'Enter');
  await expect.poll(async () => (await table.records())[0]?.['Name']).toBe('again');
});
