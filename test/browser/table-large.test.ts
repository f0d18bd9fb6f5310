import { expect, test } from '../support/browser.ts';
import { cell, clickGrid, newTable, press, selectFirstCell } from '../support/browser-table.ts';
import { howMany } from '../support/cases.ts';
import { emptyTable, fillTable } from '../support/large-table.sql.ts';

/** Higher than what the grid puts into one scrolled element, in `npm test` as well. */
const count = howMany(1_000_000, 200_000);
const label = (number: number): string => number.toLocaleString('en-GB');

test('a very large table is scrolled to its end, and loads only what it shows', async ({ person: { page, api } }) => {
  const table = await newTable(api, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Notes', type: 'singleLineText' },
  ]);
  const database = process.env['ROWHOUSE_BROWSER_DATABASE'] as string;
  await fillTable(database, table.place('Name'), count);
  try {
    let loaded = 0;
    page.on('response', (response) => {
      if (/\/record\?/.test(response.url())) loaded += 1;
    });
    await page.goto(table.url);
    await selectFirstCell(page);
    await expect(page.getByRole('button', { name: `Name: ${label(count)} records` })).toBeVisible();

    // By the key, by the scrollbar, and by the wheel.
    await press(page, 'Control+End');
    await expect(cell(page, count - 1, 0)).toHaveText(`Row ${count}`);
    const scroller = page.locator('.dvn-scroller');
    await scroller.evaluate((element) => element.scrollTo({ top: 0 }));
    await expect(cell(page, 0, 0)).toHaveText('Row 1');
    await scroller.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await expect(cell(page, count - 1, 0)).toHaveText(`Row ${count}`);
    await page.mouse.move(400, 400);
    await page.mouse.wheel(0, -1_700);
    await expect(cell(page, count - 50, 0)).toHaveText(`Row ${count - 49}`);
    await page.mouse.wheel(0, 50_000);
    await expect(cell(page, count - 1, 0)).toHaveText(`Row ${count}`);
    expect(loaded).toBeLessThan(30);

    // The last record is edited where it stands, and one is added behind it.
    await press(page, 'Control+End');
    await page.keyboard.type('the last');
    await press(page, 'Enter');
    await expect(cell(page, count - 1, 1)).toHaveText('the last');
    const canvas = await page.locator('canvas[data-testid="data-grid-canvas"]').boundingBox();
    await clickGrid(page, 120, (canvas?.height ?? 0) - 17);
    await expect(page.getByRole('button', { name: `Name: ${label(count + 1)} records` })).toBeVisible();
  } finally {
    await emptyTable(database, table.place('Name'));
  }
});
