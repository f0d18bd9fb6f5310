// Takes the pictures of the documentation (docs/images) from the app as it is now: node --import tsx scripts/screenshots.ts
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type APIRequestContext } from '@playwright/test';
import { findChromium, launchArguments } from '../test/support/browser-chromium.ts';
import startServer from '../test/support/browser-setup.ts';
import { cell, selectFirstCell } from '../test/support/browser-table.ts';

const images = join(import.meta.dirname, '../docs/images');

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Status', type: 'singleSelect', options: { choices: ['Planned', 'Under way', 'Done'].map((name, index) => ({ name, color: ['blueLight2', 'yellowLight1', 'greenLight2'][index] })) } },
  { name: 'Trades', type: 'multipleSelect', options: { choices: ['Roofing', 'Masonry', 'Painting', 'Wiring'].map((name, index) => ({ name, color: ['purpleLight2', 'orangeLight2', 'tealLight2', 'pinkLight2'][index] })) } },
  { name: 'Budget', type: 'number', options: { formatting: { type: 'currency', symbol: '€', precision: 0 } } },
  { name: 'Priority', type: 'rating', options: { icon: 'star', color: 'yellowBright', max: 5 } },
  { name: 'Due', type: 'date' },
  { name: 'Paid', type: 'checkbox' },
];
const rows: [string, string, string[], number, number, string, boolean][] = [
  ['Mend the roof', 'Under way', ['Roofing'], 8_900, 5, '2026-03-20', true],
  ['Repoint the chimney', 'Planned', ['Masonry', 'Roofing'], 2_400, 4, '2026-04-14', true],
  ['Paint the stairwell', 'Done', ['Painting'], 1_150, 2, '2026-02-06', true],
  ['New lamps in the hall', 'Done', ['Wiring'], 620, 3, '2026-02-19', true],
  ['Dry out the cellar', 'Under way', ['Masonry', 'Painting'], 5_300, 4, '2026-05-02', true],
  ['Bells and door opener', 'Planned', ['Wiring'], 1_780, 2, '2026-05-28', false],
  ['Front windows, ground floor', 'Planned', ['Painting'], 3_950, 3, '2026-06-11', false],
  ['Garden wall', 'Planned', ['Masonry'], 2_100, 1, '2026-07-03', false],
  ['Solar panels', 'Planned', ['Roofing', 'Wiring'], 14_200, 3, '2026-09-15', false],
];

const send = async (request: APIRequestContext, method: string, path: string, data?: object) => {
  const response = await request.fetch(`/api${path}`, { method, ...(data === undefined ? {} : { data }) });
  if (!response.ok()) throw new Error(`${method} ${path} answered ${response.status()}: ${await response.text()}`);
  return response.json();
};

const stopServer = await startServer();
const program = findChromium();
if (program === undefined) throw new Error('There is no Chromium for this machine');
mkdirSync(images, { recursive: true });
const browser = await chromium.launch({ executablePath: program.executablePath, args: launchArguments, env: { ...(process.env as Record<string, string>), ...program.env } });
try {
  const context = await browser.newContext({ baseURL: process.env['ROWHOUSE_BROWSER_ORIGIN'] as string, locale: 'en-GB', timezoneId: 'Europe/Berlin', colorScheme: 'light', viewport: { width: 1_280, height: 560 } });
  const { request } = context;
  await send(request, 'POST', '/auth/signup', { email: 'warden@example.com', password: 'correct-horse-1' });
  const [space] = await send(request, 'GET', '/space');
  const base = await send(request, 'POST', '/base', { spaceId: space.id, name: 'Number 12' });
  const records = rows.map(([Name, Status, Trades, Budget, Priority, day, Paid]) => ({ fields: { Name, Status, Trades, Budget, Priority, Due: `${day}T00:00:00.000Z`, ...(Paid ? { Paid } : {}) } }));
  const table = await send(request, 'POST', `/base/${base.id}/table`, { name: 'Repairs', fields, records });
  const first = table.records[0].id as string;
  for (const change of [{ Status: 'Planned' }, { Budget: 9_400 }, { Status: 'Under way' }]) await send(request, 'PATCH', `/table/${table.id}/record/${first}`, { record: { fields: change } });

  const page = await context.newPage();
  await page.goto(`/base/${base.id}/${table.id}`);
  await cell(page, rows.length - 1, 0).waitFor({ state: 'attached' });
  await selectFirstCell(page);
  await page.screenshot({ path: join(images, 'grid.png') });

  await page.keyboard.press('Space');
  const panel = page.getByRole('complementary', { name: 'Record' });
  await panel.getByRole('tab', { name: 'History' }).click();
  await panel.getByRole('button', { name: 'Restore the value before' }).first().waitFor();
  await page.screenshot({ path: join(images, 'record-history.png') });

  await page.setViewportSize({ width: 1_280, height: 900 });
  await page.goto(`/space/${space.id}`);
  const plan = page.getByRole('heading', { name: 'Plan and usage' });
  await plan.waitFor();
  await page.getByRole('heading', { name: 'Plans', exact: true }).waitFor();
  await plan.evaluate((heading) => heading.scrollIntoView());
  await page.screenshot({ path: join(images, 'plan.png') });
} finally {
  await browser.close();
  await stopServer?.();
}
