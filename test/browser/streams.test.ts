import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser.ts';
import { cell, newTable } from '../support/browser-table.ts';

test('eight tabs of one browser all load, and all hear of a change', async ({ person: { page, api } }) => {
  const fields = [{ name: 'Name', type: 'singleLineText' }];
  const tables = [];
  for (let index = 0; index < 6; index += 1) tables.push(await newTable(api, fields, [{ Name: `Table ${index}` }]));
  const tabs: { tab: Page; index: number }[] = [];
  for (const index of [0, 1, 2, 3, 4, 5, 0, 5]) {
    const tab = tabs.length === 0 ? page : await page.context().newPage();
    await tab.goto(tables[index]?.url ?? '');
    await expect(cell(tab, 0, 0)).toHaveText(`Table ${index}`);
    tabs.push({ tab, index });
  }
  for (const [index, table] of tables.entries()) {
    const { records } = await api.get(`/table/${table.tableId}/record`);
    await api.patch(`/table/${table.tableId}/record/${records[0].id}`, {
      record: { fields: { Name: `Changed ${index}` } },
    });
  }
  for (const { tab, index } of tabs) await expect(cell(tab, 0, 0)).toHaveText(`Changed ${index}`);

  // Those who leave make room for those who wait.
  for (const { tab } of tabs.slice(0, 4)) await tab.close();
  const { records } = await api.get(`/table/${tables[4]?.tableId}/record`);
  await api.patch(`/table/${tables[4]?.tableId}/record/${records[0].id}`, { record: { fields: { Name: 'Again' } } });
  await expect(cell(tabs[4]?.tab as Page, 0, 0)).toHaveText('Again');
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
