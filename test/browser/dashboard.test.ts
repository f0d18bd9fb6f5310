// A sales dashboard, built by the controls alone: dragged, filtered, pressed, shared with a password, and changed by a second person.
import { readFileSync } from 'node:fs';
import { choose, expect, newPerson, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { newTable } from '../support/browser-table.ts';

const stages = ['Won', 'Lost', 'Open'].map((name) => ({ name }));
const deals = [
  { Name: 'Alder', Stage: 'Won', Region: 'North', Amount: 1200, Closed: '2026-01-15T00:00:00.000Z' },
  { Name: 'Birch', Stage: 'Won', Region: 'South', Amount: 800, Closed: '2026-02-10T00:00:00.000Z' },
  { Name: 'Cedar', Stage: 'Lost', Region: 'North', Amount: 400, Closed: '2026-02-20T00:00:00.000Z' },
  { Name: 'Douglas', Stage: 'Open', Region: 'South', Amount: 2500, Closed: '2026-03-05T00:00:00.000Z' },
];

test('a sales dashboard: charts are added, dragged, filtered, pressed, shared and followed', async ({
  person: { page, api },
  browser,
}) => {
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Stage', type: 'singleSelect', options: { choices: stages } },
      { name: 'Region', type: 'singleSelect', options: { choices: [{ name: 'North' }, { name: 'South' }] } },
      {
        name: 'Amount',
        type: 'number',
        options: { formatting: { type: 'currency', precision: 0, symbol: '€' } },
      },
      { name: 'Closed', type: 'date' },
    ],
    deals,
  );
  await page.goto(table.url);

  // A dashboard beside the tables, with a chart that begins as most people want it.
  await page.getByRole('button', { name: 'New dashboard' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Sales');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('heading', { name: 'Sales', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const editor = page.getByRole('dialog', { name: 'Add to the dashboard' });
  await expect(editor.getByRole('img', { name: /Bar chart: Sum of Amount by Stage\. 3 groups/ })).toBeVisible();
  expect(await inspect(page, 'chart-editor')).toEqual([]);
  await editor.getByRole('button', { name: 'Add', exact: true }).click();
  const bars = page.getByRole('region', { name: 'Sum of Amount by Stage', exact: true });
  await expect(bars.getByRole('img', { name: /Highest Open with €2,500/ })).toBeVisible();

  // A second one: a line by month, split by region, with a name of its own.
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await editor.getByRole('radio', { name: 'Line', exact: true }).check({ force: true });
  await choose(editor, 'Group by', 'Closed');
  await choose(editor, 'Split by', 'Region');
  await editor.getByLabel('Title', { exact: true }).fill('By month');
  await expect(editor.getByRole('img', { name: /Line chart: By month\. 3 groups/ })).toBeVisible();
  await editor.getByRole('button', { name: 'Add', exact: true }).click();
  const lines = page.getByRole('region', { name: 'By month', exact: true });
  await expect(lines.getByRole('img', { name: /3 groups/ })).toBeVisible();

  // Dragged by the mouse to where the first one is, and back by undo; a key does the same.
  const grip = page.getByRole('button', { name: 'Move By month' });
  const leftOf = async (name: string): Promise<number> =>
    (await page.getByRole('region', { name, exact: true }).boundingBox())?.x ?? -1;
  const before = await leftOf('By month');
  await lines.hover();
  await grip.hover();
  await page.mouse.down();
  await page.mouse.move(before - 300, 200, { steps: 8 });
  await page.mouse.up();
  await expect.poll(() => leftOf('By month')).toBeLessThan(before);
  await page.keyboard.press('Control+z');
  await expect.poll(() => leftOf('By month')).toBe(before);
  await grip.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Shift+ArrowLeft');
  await expect
    .poll(async () => (await lines.boundingBox())?.width ?? 0)
    .toBeLessThan((await bars.boundingBox())?.width ?? 0);

  // The numbers are there as a table; a value leads to its records, and those to one of them.
  await bars.hover();
  await bars.getByRole('button', { name: 'Show Sum of Amount by Stage as a table' }).click();
  await bars.getByRole('button', { name: '€2,000' }).click();
  const records = page.getByRole('complementary', { name: 'Records of Sum of Amount by Stage' });
  await expect(records.getByText('2 records')).toBeVisible();
  await records.getByRole('button', { name: 'Birch' }).click();
  const record = page.getByRole('complementary', { name: /^Record/ });
  await expect(record.getByLabel('Name')).toHaveValue('Birch');
  await page.keyboard.press('Escape');
  await expect(records.getByText('2 records')).toBeVisible();

  // A press on the picture leads to the same place, and the group filters all charts.
  await records.getByRole('button', { name: 'Close' }).click();
  await bars.getByRole('button', { name: 'Show Sum of Amount by Stage as a chart' }).click();
  const picture = await bars.locator('canvas').boundingBox();
  if (picture === null) throw new Error('There is no picture');
  await page.mouse.click(picture.x + picture.width * 0.24, picture.y + picture.height * 0.75);
  await expect(records.getByText('2 records')).toBeVisible();
  // So does one above a bar, which may be too low to be hit.
  await records.getByRole('button', { name: 'Close' }).click();
  await expect(records).toBeHidden();
  await page.mouse.click(picture.x + picture.width * 0.24, picture.y + picture.height * 0.14);
  await expect(records.getByText('2 records')).toBeVisible();
  await records.getByRole('button', { name: 'Filter all charts' }).click();
  await expect(lines.getByRole('img', { name: /2 groups/ })).toBeVisible();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(lines.getByRole('img', { name: /3 groups/ })).toBeVisible();

  // Both kinds of files, and the whole screen.
  for (const [item, file] of [
    ['Download as CSV', 'By month.csv'],
    ['Download as PNG', 'By month.png'],
  ] as const) {
    await lines.getByRole('button', { name: 'More for By month' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: item }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe(file);
    const bytes = readFileSync(await saved.path());
    if (file.endsWith('png')) expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    else
      expect(bytes.toString()).toBe('\uFEFFClosed,North,South\r\nJan 2026,1200,\r\nFeb 2026,400,800\r\nMar 2026,,2500');
  }
  await page.getByRole('button', { name: 'Full screen' }).click();
  await expect(page.getByRole('button', { name: 'Leave full screen' })).toBeVisible();
  await expect(lines).toBeVisible();
  await page.getByRole('button', { name: 'Leave full screen' }).click();

  // A filter that readers choose from.
  await page.getByRole('button', { name: 'Filters' }).click();
  const filters = page.getByRole('dialog', { name: 'Filters of the dashboard' });
  await filters.getByRole('button', { name: 'Add a filter' }).click();
  await choose(filters, 'Field in Tasks', 'Region');
  await filters.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Region', exact: true }).click();
  await page.getByRole('combobox', { name: 'Values' }).click();
  await page.getByRole('option', { name: 'North' }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(bars.getByRole('img', { name: /Highest Won with €1,200/ })).toBeVisible();
  expect(await inspect(page, 'dashboard')).toEqual([]);

  // Shared: a visitor without an account needs the password, and sees neither filters nor records.
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = page.getByLabel('Link');
  await expect(link).toHaveValue(/\/share\/\w+\/dashboard$/);
  const address = await link.inputValue();
  await page.getByLabel('Password').fill('open sesame');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await page.keyboard.press('Escape');
  const visitor = await browser.newContext();
  const visit = await visitor.newPage();
  await visit.goto(address);
  await visit.getByLabel('Password').fill('wrong');
  await visit.getByRole('button', { name: 'Open' }).click();
  await expect(visit.getByRole('alert')).toHaveText('The password is wrong.');
  await visit.getByLabel('Password').fill('open sesame');
  await visit.getByRole('button', { name: 'Open' }).click();
  await expect(visit.getByRole('img', { name: /Highest Open with/ })).toBeVisible();
  await visitor.close();

  // A second person sees changes of records and of the dashboard as they happen.
  const guest = await newPerson(browser, 'kim');
  const { spaceId } = await api.get(`/base/${table.baseId}`);
  await api.post(`/space/${spaceId}/invitation/email`, { emails: [guest.email], role: 'editor' });
  await guest.page.goto(new URL(page.url()).pathname);
  const theirs = guest.page.getByRole('region', { name: 'Sum of Amount by Stage', exact: true });
  await expect(theirs.getByRole('img', { name: /Highest Open with €2,500/ })).toBeVisible();
  const [first] = (await guest.api.get(`/table/${table.tableId}/record`)).records;
  await api.patch(`/table/${table.tableId}/record/${first.id}`, { record: { fields: { Amount: 9000 } } });
  await expect(theirs.getByRole('img', { name: /Highest Won with €9,800/ })).toBeVisible();
  await expect(bars.getByRole('img', { name: /Highest Won with €9,000/ })).toBeVisible();
  await bars.hover();
  await bars.getByRole('button', { name: 'More for Sum of Amount by Stage' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(theirs).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(theirs.getByRole('img', { name: /Highest Won/ })).toBeVisible();

  // What is deleted is said to be missing, not drawn wrong.
  await api.delete(`/table/${table.tableId}/field/${table.fieldId('Region')}`);
  await expect(lines.getByText('This chart cannot be shown')).toBeVisible();
  await guest.leave();

  // Found by its name, and back from the trash.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Sal');
  await expect(page.getByRole('option', { name: 'Sales' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('main').getByRole('button', { name: 'More for Sales' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Sales', level: 1 })).toBeVisible();
});
