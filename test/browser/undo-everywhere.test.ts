// What can be undone besides cells: conversions, changes of fields and views, thousands of records. Also after a reload.
import { expect, test } from '../support/browser.ts';
import { cell, clickGrid, newTable, press, selectFirstCell } from '../support/browser-table.ts';
import { stopDeletionAt } from '../support/large-table.sql.ts';

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'State', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: 'done' }, { name: '7' }] } },
];

test('a conversion says what it would lose, and Ctrl-Z brings all of it back, also after a reload', async ({
  person: { page, api },
}) => {
  const rows = ['open', 'done', 'done', '7', null].map((State, at) => ({
    Name: `Row ${at}`,
    ...(State === null ? {} : { State }),
  }));
  const table = await newTable(api, fields, rows);
  const [view] = await api.get(`/table/${table.tableId}/view`);
  await page.goto(table.url);
  await selectFirstCell(page);
  await clickGrid(page, 300, 18, 'right');
  await page.getByRole('menuitem', { name: 'Edit field' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit State' });
  await dialog.getByRole('button', { name: 'Type' }).click();
  await dialog.getByRole('button', { name: /^Rating/ }).click();
  await expect(dialog.getByText('1 of 4 cells would be changed.')).toBeVisible();
  await expect(dialog.getByText('Such as “7” → “5”.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Type' }).click();
  await dialog.getByRole('button', { name: /^Number/ }).click();
  await expect(dialog.getByText('3 of 4 cells would be lost.')).toBeVisible();
  await expect(dialog.getByText('Such as “done” (2 times), “open”.')).toBeVisible();
  expect(await table.records()).toEqual(rows);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect
    .poll(table.records)
    .toEqual([{ Name: 'Row 0' }, { Name: 'Row 1' }, { Name: 'Row 2' }, { Name: 'Row 3', State: 7 }, { Name: 'Row 4' }]);

  // A change of the view on top of it, then another visit.
  await clickGrid(page, 300, 18, 'right');
  await page.getByRole('menuitem', { name: 'Sort descending' }).click();
  const sortOf = async () => (await api.get(`/table/${table.tableId}/view/${view.id}`)).sort?.sortObjs ?? null;
  await expect.poll(sortOf).toEqual([{ fieldId: table.fieldId('State'), order: 'desc' }]);
  await page.reload();
  await selectFirstCell(page);
  await press(page, 'Control+z');
  await expect.poll(sortOf).toBeNull();
  await press(page, 'Control+z');
  await expect.poll(table.records).toEqual(rows);
  await expect(cell(page, 0, 1)).toHaveText('open');
  await page.getByRole('button', { name: 'Redo last change' }).click();
  await expect.poll(async () => (await table.records())[3]).toEqual({ Name: 'Row 3', State: 7 });
  await page.getByRole('button', { name: 'Undo last change' }).click();
  await expect.poll(table.records).toEqual(rows);

  // The history names the conversion as one change.
  await page.getByRole('button', { name: 'History' }).click();
  const panel = page.getByRole('complementary', { name: 'History of the table' });
  await expect(panel.getByText(/converted 4 cells in 4 records/).first()).toBeVisible();
  // The latest change is that the conversion was undone.
  await panel.getByRole('button', { name: 'Restore this change' }).first().click();
  await expect.poll(async () => (await table.records())[3]).toEqual({ Name: 'Row 3', State: 7 });
  await page.getByRole('button', { name: 'Undo last change' }).click();
  await expect.poll(table.records).toEqual(rows);
});

test('the menu of a column hides, groups, filters and shows statistics, and all of it is undone', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, fields, [
    { Name: 'a', State: 'open' },
    { Name: 'b', State: 'done' },
  ]);
  const [{ id }] = await api.get(`/table/${table.tableId}/view`);
  const view = () => api.get(`/table/${table.tableId}/view/${id}`);
  await page.goto(table.url);
  await selectFirstCell(page);
  const before = (await view()).columnMeta;
  const ask = async (name: string): Promise<void> => {
    await clickGrid(page, 300, 18, 'right');
    await page.getByRole('menuitem', { name }).click();
  };
  await ask('Statistics');
  await page.getByRole('menuitem', { name: 'Filled', exact: true }).click();
  await expect(page.getByRole('button', { name: 'State: Filled 2' })).toBeVisible();
  await ask('Group by this field');
  await expect.poll(async () => (await view()).group).toEqual([{ fieldId: table.fieldId('State'), order: 'asc' }]);
  await page.getByRole('button', { name: 'Undo last change' }).click();
  await expect.poll(async () => (await view()).group ?? null).toBeNull();
  await expect(cell(page, 0, 0)).toHaveText('a');
  await ask('Hide in this view');
  await expect.poll(async () => (await view()).columnMeta[table.fieldId('State')].hidden).toBe(true);
  await page.getByRole('button', { name: 'Undo last change' }).click();
  await expect(cell(page, 0, 1)).toHaveText('open');
  await page.getByRole('button', { name: 'Undo last change' }).click();
  await expect.poll(async () => (await view()).columnMeta).toEqual(before);
  await ask('Filter by this field');
  await expect(
    page
      .getByRole('dialog', { name: 'Filter' })
      .getByRole('button', { name: /State/ })
      .or(page.getByRole('dialog', { name: 'Filter' }).getByText('State'))
      .first(),
  ).toBeVisible();
});

test('deleting many records asks first, is one request that tells how far it is, and comes back with one undo', async ({
  person: { page, api },
}) => {
  const table = await newTable(
    api,
    fields,
    Array.from({ length: 100 }, (_item, at) => ({ Name: `Row ${at}` })),
  );
  for (const part of [0, 1, 2])
    await api.post(`/table/${table.tableId}/record`, {
      records: Array.from({ length: 2_000 }, (_item, at) => ({ fields: { Name: `Row ${100 + part * 2_000 + at}` } })),
    });
  await page.goto(table.url);
  await selectFirstCell(page);
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/selection/') || request.method() === 'DELETE') requests.push(request.url());
  });
  await clickGrid(page, 20, 18);
  await expect(page.getByText('6,100 selected')).toBeVisible();
  await page.getByRole('toolbar', { name: 'Selected records' }).getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 6,100 records?' });
  const goOn = await stopDeletionAt(
    process.env['ROWHOUSE_BROWSER_DATABASE'] as string,
    table.place('Name'),
    table.tableId,
    4_000,
  );
  await dialog.getByRole('button', { name: 'Delete 6,100 records' }).click();
  await expect(dialog.getByRole('status')).toHaveText('Deleting 4,000 of 6,100 records (65%)…');
  await expect(dialog.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '65');
  // Nobody sees a part of it, and it cannot be left behind while it runs.
  expect((await api.get(`/table/${table.tableId}/aggregation/row-count`)).rowCount).toBe(6_100);
  await press(page, 'Escape');
  await expect(dialog).toBeVisible();
  await goOn();
  await expect(page.getByText('6,100 records deleted')).toBeVisible();
  await expect(dialog).toBeHidden();
  expect([requests.length, (await table.records()).length]).toEqual([1, 0]);
  await press(page, 'Control+z');
  await expect.poll(async () => (await api.get(`/table/${table.tableId}/aggregation/row-count`)).rowCount).toBe(6_100);
  await expect(cell(page, 0, 0)).toHaveText('Row 0');
});
