import type { Page, Request } from '@playwright/test';
import { type Api, drawn, expect, test } from '../support/browser.ts';
import { cell, newTable } from '../support/browser-table.ts';

test.use({ isFirstVisit: true });

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Status', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
];
const records = [
  { Name: 'Alpha', Status: 'open' },
  { Name: 'Beta', Status: 'done' },
  { Name: 'Gamma', Status: 'open' },
];

/** The same place asked with another body is another question. */
const wordsOf = (request: Request): string =>
  `${request.method()} ${new URL(request.url()).pathname}${new URL(request.url()).search} ${request.postData() ?? ''}`;

/** Adds a record, and waits until listeners have been told of it, and so of all before: a page that is told of a change right after it came has to ask again. */
const addAndTell = async (page: Page, api: Api, tableId: string, cells: Record<string, string>): Promise<void> => {
  const origin = test.info().project.use.baseURL as string;
  const cookie = (await page.context().cookies(origin)).map(({ name, value }) => `${name}=${value}`).join('; ');
  const { body } = await fetch(`${origin}/api/table/${tableId}/events`, { headers: { cookie } });
  const stream = body!.pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  const hear = async (text: string): Promise<void> => {
    while (!heard.includes(text)) {
      const { value, done } = await stream.read();
      if (done) throw new Error(`The stream ended before it told of ${text}: ${heard}`);
      heard += value;
    }
  };
  await hear('event: ready');
  const {
    records: [added],
  } = await api.post(`/table/${tableId}/record`, { records: [{ fields: cells }] });
  await hear(added.id);
  await stream.cancel();
};

/** A busy machine may take more than the second, or the 300 ms inside the app, after which it goes on without knowing where the stream began, and asks again, as it should. */
const waitForPosition = (page: Page): Promise<unknown> =>
  page.addInitScript(
    `const wait = setTimeout; window.setTimeout = (act, time, ...more) => wait(act, time === 1000 || time === 300 ? 60000 : time, ...more);`,
  );

test('a first visit to a table, a grouped view and a board asks for nothing twice', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, fields, records.slice(0, 2));
  const grouped = await api.post(`/table/${table.tableId}/view`, {
    type: 'grid',
    name: 'By status',
    group: [{ fieldId: table.fieldId('Status'), order: 'asc' }],
  });
  const board = await api.post(`/table/${table.tableId}/view`, {
    type: 'kanban',
    name: 'Board',
    options: { stackFieldId: table.fieldId('Status') },
  });
  const second = await api.post(`/base/${table.baseId}/table`, { name: 'Second', fields, records: [] });
  await addAndTell(page, api, second.id, records[0]!);
  await addAndTell(page, api, table.tableId, records[2]!);
  await waitForPosition(page);
  let asked: string[] = [];
  page.on('request', (request) => asked.push(wordsOf(request)));
  await page.goto(table.url);
  await expect(cell(page, 0, 0)).toHaveText('Alpha');
  await expect(page.getByText('3 records')).toBeVisible();
  await page.waitForLoadState('load');
  expect(asked.filter((each, index) => asked.indexOf(each) !== index)).toEqual([]);
  expect(asked.filter((each) => each.includes('/record?'))).toHaveLength(1);
  asked = [];
  await page.goto(`${table.url}?view=${grouped.id}`);
  await expect(cell(page, 1, 0)).toHaveText('Alpha');
  expect(asked.filter((each, index) => asked.indexOf(each) !== index)).toEqual([]);
  asked = [];
  await page.goto(`${table.url}?view=${board.id}`);
  await expect(page.getByText('Gamma')).toBeVisible();
  expect(asked.filter((each, index) => asked.indexOf(each) !== index)).toEqual([]);

  // Another table, opened inside the app: once, too, and what happens from then on is told.
  asked = [];
  await page.getByRole('link', { name: 'Second' }).click();
  await expect(cell(page, 0, 0)).toHaveText('Alpha');
  await addAndTell(page, api, second.id, records[1]!);
  await expect(cell(page, 1, 0)).toHaveText('Beta');
  expect(asked.filter((each) => each.includes(`/${second.id}/record?`))).toHaveLength(2);
});

test('who goes on while the table of a base is looked up is not led back to it', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, records);
  const held = async (pattern: string): Promise<() => void> => {
    let release = (): void => undefined;
    const released = new Promise<void>((done) => (release = done));
    await page.route(pattern, (route) => released.then(() => route.continue()));
    return release;
  };
  const [tellTable, tellPage] = [await held('**/api/user/last-visit?*'), await held('**/assets/rights-page-*')];
  await page.goto(`/base/${table.baseId}`);
  await page.getByRole('link', { name: 'Rights', exact: true }).click();
  await expect(page).toHaveURL(/\/rights$/);
  const told = page.waitForResponse('**/api/user/last-visit?*');
  tellTable();
  await told;
  await drawn(page);
  tellPage();
  await expect(page.getByRole('button', { name: 'New role' })).toBeVisible();
  await expect(page).toHaveURL(/\/rights$/);
});

test('a table that is not there, and nobody signed in, are told as on any later page', async ({
  person: { page, api },
  browser,
}) => {
  const table = await newTable(api, fields, records);
  await page.goto(`${table.url.slice(0, -4)}none`);
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  const stranger = await browser.newPage();
  await stranger.goto(new URL(table.url, page.url()).href);
  await expect(stranger).toHaveURL(/\/login\?redirect=/);
  await stranger.context().close();
});
