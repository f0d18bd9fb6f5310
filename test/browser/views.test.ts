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

  await page.getByRole('link', { name: 'Grid', exact: true }).click();
  await expect(page.locator('th', { hasText: 'Count' })).toBeHidden();
  await page.getByRole('button', { name: 'More for Grid', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete view' }).click();
  await expect(page.locator('th', { hasText: 'Count' })).toBeAttached();
  await page.getByRole('button', { name: 'Put back' }).click();
  await expect(page.getByRole('link', { name: 'Grid', exact: true })).toHaveAttribute('aria-current', 'page');
  await expect(page.locator('th', { hasText: 'Count' })).toBeHidden();
  await page.getByRole('button', { name: 'More for Grid', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete view' }).click();
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('tab', { name: 'Deleted' }).click();
  await expect(page.getByRole('list', { name: 'Deleted' })).toContainText('View (grid), deleted');
  await page.getByRole('button', { name: 'Restore Grid' }).click();
  await expect(page.getByText('The view is back.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Grid', exact: true })).toBeVisible();
});

test('records are cards in a gallery, and one opens the record', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, [{ Name: 'Alpha', Status: 'open', Count: 2 }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await page.getByRole('button', { name: 'Add a view' }).click();
  await page.getByRole('menuitem', { name: 'Gallery' }).click();
  const card = page.getByRole('listitem').filter({ hasText: 'Alpha' });
  await expect(card).toContainText('open');
  await api.post(`/table/${table.tableId}/record`, { records: [{ fields: { Name: 'Beta' } }] });
  await expect(page.getByRole('button', { name: 'Beta' })).toBeVisible();
  await card.getByRole('button', { name: 'Alpha' }).click();
  const panel = page.getByRole('complementary', { name: 'Record' });
  await panel.getByLabel('Name', { exact: true }).fill('Omega');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listitem').filter({ hasText: 'Omega' })).toBeVisible();
  await panel.getByRole('button', { name: 'Close the record' }).click();
  await page.getByRole('button', { name: 'Add a record' }).click();
  await expect(panel.getByRole('heading', { name: 'Unnamed record' })).toBeVisible();
});

test('a calendar shows records on their days, moves by month, and takes new ones', async ({ person: { page, api } }) => {
  const table = await newTable(api, [...fields, { name: 'Due', type: 'date' }, { name: 'End', type: 'date' }], [{ Name: 'Alpha', Due: '2030-05-06T00:00:00.000Z', End: '2030-05-08T00:00:00.000Z' }]);
  const today = new Date().toISOString().slice(0, 8);
  await api.post(`/table/${table.tableId}/record`, { records: [{ fields: { Name: 'Now', Due: `${today}15T00:00:00.000Z` } }] });
  await page.goto(table.url);
  await selectFirstCell(page);
  await page.getByRole('button', { name: 'Add a view' }).click();
  await page.getByRole('menuitem', { name: 'Calendar' }).click();
  const day = (name: string) => page.getByRole('gridcell', { name });
  const month = (date: Date): string => new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(date);
  const next = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 1));
  await expect(page.getByRole('button', { name: 'Now' })).toBeVisible();
  await page.getByRole('button', { name: 'Next month' }).click();
  await expect(page.getByRole('heading', { name: month(next) })).toBeVisible();
  await page.getByRole('button', { name: 'Today' }).click();

  const fifteenth = day(new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${today}15T00:00:00.000Z`)));
  const twentieth = day(new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${today}20T00:00:00.000Z`)));
  await page.getByRole('button', { name: 'Now' }).dragTo(twentieth);
  await expect(twentieth.getByRole('button', { name: 'Now' })).toBeVisible();
  await fifteenth.hover();
  await fifteenth.getByRole('button', { name: /Add a record/ }).click();
  const panel = page.getByRole('complementary', { name: 'Record' });
  await panel.getByLabel('Name', { exact: true }).fill('Fresh');
  await page.keyboard.press('Enter');
  await expect(fifteenth.getByRole('button', { name: 'Fresh' })).toBeVisible();
  await expect.poll(table.records).toEqual([expect.objectContaining({ Name: 'Alpha' }), { Name: 'Now', Due: `${today}20T00:00:00.000Z` }, { Name: 'Fresh', Due: `${today}15T00:00:00.000Z` }]);

  await panel.getByRole('button', { name: 'Close the record' }).click();
  await page.getByLabel('Date', { exact: true }).selectOption({ label: 'End' });
  await expect(page.getByRole('button', { name: 'Fresh' })).toBeHidden();
});

test('on a phone the open view is in sight, however many there are', async ({ person: { page, api } }) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Alpha' }]);
  for (const name of ['Second', 'Third', 'Fourth', 'Fifth']) await api.post(`/table/${table.tableId}/view`, { type: 'gallery', name });
  const last = await api.post(`/table/${table.tableId}/view`, { type: 'gallery', name: 'Last of them' });
  await page.setViewportSize({ width: 360, height: 720 });
  await page.goto(`${table.url}?view=${last.id}`);
  await expect(page.getByRole('link', { name: 'Last of them' })).toBeInViewport({ ratio: 0.5 });
});
