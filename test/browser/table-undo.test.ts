import { choose, expect, newPerson, test } from '../support/browser.ts';
import { cell, newTable, press, selectFirstCell } from '../support/browser-table.ts';

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Count', type: 'number' },
];

test('what someone else changed since is not overwritten by an undo, unless one insists', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, fields, [{ Name: 'Alpha' }]);
  const [record] = (await api.get(`/table/${table.tableId}/record`)).records;
  await page.goto(table.url);
  await selectFirstCell(page);
  await page.keyboard.type('Mine');
  await press(page, 'Enter');
  await expect.poll(table.records).toEqual([{ Name: 'Mine' }]);
  await api.patch(`/table/${table.tableId}/record/${record.id}`, { record: { fields: { Name: 'Theirs' } } });
  await expect(cell(page, 0, 0)).toHaveText('Theirs');
  await press(page, 'Control+z');
  await expect(page.getByText('It was not undone. Someone changed this since.')).toBeVisible();
  await expect(page.getByText('"Name" has since been set to "Theirs"')).toBeVisible();
  expect(await table.records()).toEqual([{ Name: 'Theirs' }]);
  await page.getByRole('button', { name: 'Undo anyway' }).click();
  await expect(cell(page, 0, 0)).toHaveText('Alpha');
  await press(page, 'Control+Shift+z');
  await expect(cell(page, 0, 0)).toHaveText('Theirs');
});

test('records that anybody deleted are listed beside the history, come back, and are deleted for good', async ({
  person: { page, api },
  browser,
}) => {
  const table = await newTable(
    api,
    fields,
    ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon'].map((Name) => ({ Name })),
  );
  const before = await api.get(`/table/${table.tableId}/record`);
  const ids: string[] = before.records.map(({ id }: { id: string }) => id);
  const kim = await newPerson(browser, 'kim');
  const [space] = await api.get('/space');
  await api.post(`/space/${space.id}/invitation/email`, { emails: [kim.email], role: 'editor' });
  await kim.api.delete(`/table/${table.tableId}/record/${ids[0]}`);
  await api.delete(
    `/table/${table.tableId}/record?${ids
      .slice(1)
      .map((id) => `recordIds[]=${id}`)
      .join('&')}`,
  );
  await page.goto(table.url);
  await page.getByRole('button', { name: 'History' }).click();
  const panel = page.getByRole('complementary', { name: 'History of the table' });
  await panel.getByRole('tab', { name: 'Deleted' }).click();
  const items = panel.getByRole('list', { name: 'Deleted' }).getByRole('listitem');
  await expect(items).toHaveText([
    /^Beta, Gamma, Delta and 1 more4 records, deleted .* by /,
    new RegExp(`^AlphaRecord, deleted .* by ${kim.name}`),
  ]);
  await panel.getByRole('button', { name: 'Restore Alpha' }).click();
  await expect(page.getByText('The record was restored.')).toBeVisible();
  await expect(cell(page, 0, 0)).toHaveText('Alpha');
  await expect(items).toHaveCount(1);
  await panel.getByRole('button', { name: 'Restore Beta, Gamma, Delta and 1 more' }).click();
  await expect(cell(page, 4, 0)).toHaveText('Epsilon');
  expect(await api.get(`/table/${table.tableId}/record`)).toEqual(before);
  await expect(panel.getByText('Nothing deleted')).toBeVisible();
  // A restore is taken back like anything else, and what others delete meanwhile appears.
  await page.getByRole('heading', { name: 'History' }).click();
  await press(page, 'Control+z');
  await expect(cell(page, 0, 0)).toHaveText('Alpha');
  await expect(items).toHaveCount(1);
  await kim.api.delete(`/table/${table.tableId}/record/${ids[0]}`);
  await expect(items).toHaveCount(2);
  await panel.getByRole('button', { name: 'Delete all permanently' }).click();
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(panel.getByText('Nothing deleted')).toBeVisible();
  await kim.leave();
});

test('the history of the table is filtered, and leads back', async ({ person, browser }) => {
  const { page, api } = person;
  const table = await newTable(
    api,
    [...fields, { name: 'Status', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: 'done' }] } }],
    [{ Name: 'Alpha', Status: 'open' }],
  );
  const [space] = await api.get('/space');
  const kim = await newPerson(browser, 'kim');
  await api.post(`/space/${space.id}/invitation/email`, { emails: [kim.email], role: 'editor' });
  const [record] = (await api.get(`/table/${table.tableId}/record`)).records;
  const write = (who: typeof api, cells: object): Promise<unknown> =>
    who.patch(`/table/${table.tableId}/record/${record.id}`, { record: { fields: cells } });
  for (let step = 1; step <= 34; step += 1) await write(api, { Count: step });
  await write(kim.api, { Status: 'done' });

  await page.goto(table.url);
  await selectFirstCell(page);
  await page.getByRole('button', { name: 'History' }).click();
  const panel = page.getByRole('complementary', { name: 'History of the table' });
  const items = panel.getByRole('listitem');
  await expect(items.first()).toContainText(`${kim.name} changed Status of Alpha`);
  await expect(items.first()).toContainText('open');
  await expect(items).toHaveCount(30);
  await panel.getByRole('button', { name: 'Show older changes' }).click();
  await expect(items).toHaveCount(35);

  await choose(panel, 'Person', kim.name);
  await expect(items).toHaveCount(1);
  await panel.getByRole('button', { name: 'Restore Status to open', exact: true }).click();
  await expect(cell(page, 0, 2)).toHaveText('open');
  await choose(panel, 'Person', 'Everyone');
  await choose(panel, 'Field', 'Status');
  await expect(items).toHaveCount(2);
  await choose(panel, 'Time', 'Between two days');
  await panel.getByLabel('From').fill('2001-01-01');
  await panel.getByLabel('To', { exact: true }).fill('2001-01-02');
  await expect(panel.getByText('No matching changes')).toBeVisible();

  // An older change is no longer what the cell holds.
  await choose(panel, 'Time', 'Today');
  await choose(panel, 'Field', 'Count');
  await expect(items).toHaveCount(30);
  await items.nth(3).getByRole('button', { name: 'Restore Count to 30.00', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Someone has changed this since' });
  await expect(dialog).toContainText('"Count" has since been set to 34');
  await dialog.getByRole('button', { name: 'Restore anyway' }).click();
  await expect(cell(page, 0, 1)).toHaveText('30.00');
  await panel.getByRole('button', { name: 'Alpha' }).first().click();
  await expect(
    page.getByRole('complementary', { name: 'Record' }).getByRole('heading', { name: 'Alpha' }),
  ).toBeVisible();
  await kim.leave();
});
