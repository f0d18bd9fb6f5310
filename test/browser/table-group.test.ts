import { choose, escape, expect, test } from '../support/browser.ts';
import { cell, clickGrid, newTable, press, selectFirstCell } from '../support/browser-table.ts';

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Status', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
  { name: 'Ready', type: 'checkbox' },
  { name: 'Count', type: 'number', options: { formatting: { type: 'decimal', precision: 0 } } },
];

const records = [
  { Name: 'Alpha', Status: 'open', Count: 1, Ready: true },
  { Name: 'Beta', Status: 'done', Count: 2 },
  { Name: 'Gamma', Status: 'open', Count: 3 },
  { Name: 'Delta', Count: 4 },
];

test('records are grouped under headers with counts, which fold and unfold', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, records);
  await page.goto(table.url);
  await selectFirstCell(page);
  await page.getByRole('button', { name: 'Group', exact: true }).click();
  await page.getByRole('button', { name: 'Group by a field' }).click();
  await expect(cell(page, 0, 0)).toHaveText('Empty, 1 record, expanded');
  await expect(cell(page, 1, 0)).toHaveText('Delta');
  await expect(cell(page, 2, 0)).toHaveText('open, 2 records, expanded');
  await expect(cell(page, 5, 0)).toHaveText('done, 1 record, expanded');
  await escape(page);

  // A click on the header folds it; so does the keyboard.
  await clickGrid(page, 90, 36 + 36 + 34 + 18);
  await expect(cell(page, 2, 0)).toHaveText('open, 2 records, collapsed');
  await expect(cell(page, 3, 0)).toHaveText('done, 1 record, expanded');
  await press(page, 'ArrowDown', 'Enter');
  await expect(cell(page, 3, 0)).toHaveText('done, 1 record, collapsed');
  await page.reload();
  await expect(cell(page, 2, 0)).toHaveText('open, 2 records, collapsed');

  // Typing goes to the record of the row.
  await clickGrid(page, 120, 36 + 36 + 17);
  await page.keyboard.type('Omega');
  await press(page, 'Enter');
  await expect.poll(async () => (await table.records())[3]).toMatchObject({ Name: 'Omega' });

  await clickGrid(page, 90, 36 + 36 + 34 + 18, 'right');
  await page.getByRole('menuitem', { name: 'Expand all groups' }).click();
  await expect(cell(page, 3, 0)).toHaveText('Alpha');
  await clickGrid(page, 90, 36 + 36 + 34 + 18, 'right');
  await page.getByRole('menuitem', { name: 'Add a record here' }).click();
  await expect(cell(page, 2, 0)).toHaveText('open, 3 records, expanded');

  // A second level.
  await page.getByRole('button', { name: 'Grouped by 1' }).click();
  await page.getByRole('button', { name: 'Add a level' }).click();
  await choose(page, 'Group field 2', 'Ready');
  await expect(cell(page, 3, 0)).toHaveText('open, 3 records, expanded');
  await expect(cell(page, 4, 0)).toHaveText('Not checked, 2 records, expanded');
});

test('a grouped table follows what others change, and a search opens the group it leads into', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, fields, records);
  const [view] = await api.get(`/table/${table.tableId}/view`);
  await api.put(`/table/${table.tableId}/view/${view.id}/group`, {
    group: [{ fieldId: table.fieldId('Status'), order: 'desc' }],
  });
  await page.goto(table.url);
  await expect(cell(page, 0, 0)).toHaveText('done, 1 record, expanded');
  const gamma = (await api.get(`/table/${table.tableId}/record`)).records[2];
  await api.patch(`/table/${table.tableId}/record/${gamma.id}`, { record: { fields: { Status: 'done' } } });
  await expect(cell(page, 0, 0)).toHaveText('done, 2 records, expanded');
  await expect(cell(page, 2, 0)).toHaveText('Gamma');
  await clickGrid(page, 90, 36 + 18);
  await expect(cell(page, 0, 0)).toHaveText('done, 2 records, collapsed');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByLabel('Search in this view').fill('gamma');
  await expect(cell(page, 2, 0)).toHaveText('Gamma');
  await expect(cell(page, 2, 0)).toHaveAttribute('aria-selected', 'true');
});

test('when the group whose header the cursor is on goes, the keys lead on from another header', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, fields.slice(0, 2), [
    { Name: 'Alpha', Status: 'open' },
    { Name: 'Beta', Status: 'done' },
  ]);
  const [view] = await api.get(`/table/${table.tableId}/view`);
  await api.put(`/table/${table.tableId}/view/${view.id}/group`, {
    group: [{ fieldId: table.fieldId('Status'), order: 'asc' }],
  });
  await page.goto(table.url);
  await expect(cell(page, 3, 0)).toHaveText('Beta');
  await clickGrid(page, 120, 36 + 36 + 17);
  await press(page, 'ArrowDown');
  await expect(cell(page, 2, 0)).toHaveAttribute('aria-selected', 'true');
  const beta = (await api.get(`/table/${table.tableId}/record`)).records[1];
  await api.patch(`/table/${table.tableId}/record/${beta.id}`, { record: { fields: { Status: 'open' } } });
  await expect(cell(page, 2, 0)).toHaveText('Beta');
  await expect(cell(page, 0, 0)).toHaveAttribute('aria-selected', 'true');
  // What is typed on a header is nothing; on the record below it goes to that.
  await page.keyboard.type('x');
  await press(page, 'ArrowDown');
  await page.keyboard.type('Omega');
  await press(page, 'Enter');
  await expect.poll(table.records).toEqual([
    { Name: 'Omega', Status: 'open' },
    { Name: 'Beta', Status: 'open' },
  ]);
});

test('columns show statistics, which follow the cells and the groups', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, records);
  const [view] = await api.get(`/table/${table.tableId}/view`);
  await page.goto(table.url);
  await selectFirstCell(page);
  const bar = page.getByRole('group', { name: 'Statistics' });
  await expect(bar.getByRole('button', { name: 'Name: 4 records' })).toBeVisible();
  await bar.getByRole('button', { name: 'Count: no statistic' }).click();
  await page.getByRole('menuitem', { name: 'Sum' }).click();
  await expect(bar.getByRole('button', { name: 'Count: Sum 10' })).toBeVisible();
  // Shown at once, and then kept.
  await expect
    .poll(
      async () =>
        (await api.get(`/table/${table.tableId}/view/${view.id}`)).columnMeta[table.fieldId('Count')].statisticFunc,
    )
    .toBe('sum');
  await clickGrid(page, 590, 52);
  await page.keyboard.type('101');
  await press(page, 'Enter');
  await expect(bar.getByRole('button', { name: 'Count: Sum 110' })).toBeVisible();
  await api.put(`/table/${table.tableId}/view/${view.id}/group`, {
    group: [{ fieldId: table.fieldId('Status'), order: 'asc' }],
  });
  await expect(cell(page, 2, 0)).toHaveText('open, 2 records, expanded');
  await expect(cell(page, 2, 3)).toHaveText('104');
});
