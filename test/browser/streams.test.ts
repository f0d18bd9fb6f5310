import { expect, test } from '../support/browser.ts';
import { cell, newTable } from '../support/browser-table.ts';

test('tabs of one browser share their streams: all hear of a change, also after one is closed', async ({
  person: { page, api },
}) => {
  const fields = [{ name: 'Name', type: 'singleLineText' }];
  const table = await newTable(api, fields, [{ Name: 'Before' }]);
  const { records } = await api.get(`/table/${table.tableId}/record`);
  const write = (Name: string): Promise<unknown> =>
    api.patch(`/table/${table.tableId}/record/${records[0].id}`, { record: { fields: { Name } } });
  const other = await page.context().newPage();
  for (const tab of [page, other]) {
    await tab.goto(table.url);
    await expect(cell(tab, 0, 0)).toHaveText('Before');
  }
  await write('Changed');
  for (const tab of [page, other]) await expect(cell(tab, 0, 0)).toHaveText('Changed');
  await other.close();
  await write('Again');
  await expect(cell(page, 0, 0)).toHaveText('Again');
});

test('what happens between the reading of the records and the opening of the stream is not missed', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Before' }]);
  const { records } = await api.get(`/table/${table.tableId}/record`);
  let isChanged = false;
  // As soon as the page has its records.
  page.on('response', async (response) => {
    if (!response.url().includes('/record?') || isChanged) return;
    isChanged = true;
    await response.finished();
    await api.patch(`/table/${table.tableId}/record/${records[0].id}`, { record: { fields: { Name: 'After' } } });
  });
  await page.goto(table.url);
  await expect(cell(page, 0, 0)).toHaveText('After');
});
