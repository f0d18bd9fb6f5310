// Takes the pictures of the documentation (docs/images) from the app as it is now: node --import tsx scripts/screenshots.ts
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type APIRequestContext } from '@playwright/test';
import pg from 'pg';
import { createApp, createServices } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import { openDb } from '../server/db/db.ts';
import { startEmbedded } from '../server/db/embedded.ts';
import { migrate } from '../server/db/migrate.ts';
import { startRelay } from '../server/realtime/start-relay.ts';
import { findChromium, launchArguments } from '../test/support/browser-chromium.ts';
import { cell, selectFirstCell } from '../test/support/browser-table.ts';
import { buildWhatIsStale } from './build.mjs';

const images = join(import.meta.dirname, '../docs/images');

const fields = [
  { name: 'Name', type: 'singleLineText' },
  {
    name: 'Status',
    type: 'singleSelect',
    options: {
      choices: ['Planned', 'Under way', 'Done'].map((name, index) => ({
        name,
        color: ['blueLight2', 'yellowLight1', 'greenLight2'][index],
      })),
    },
  },
  {
    name: 'Trades',
    type: 'multipleSelect',
    options: {
      choices: ['Roofing', 'Masonry', 'Painting', 'Wiring'].map((name, index) => ({
        name,
        color: ['purpleLight2', 'orangeLight2', 'tealLight2', 'pinkLight2'][index],
      })),
    },
  },
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
  const text = await response.text();
  if (!response.ok()) throw new Error(`${method} ${path} answered ${response.status()}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
};

/** As if the space had been there for two months and had grown by some records every working day. */
const history = `
  insert into rowhouse.usage_samples (space_id, day, num_rows, attachment_size, num_database_connections, num_collaborators)
  select $1, current_date - back, 690 - 8.5 * back + 12 * sin(back * 1.3) - case when back > 22 then 110 else 0 end, 0, 0, case when back > 30 then 1 else 2 end
  from generate_series(1, 60) back`;

await buildWhatIsStale({ only: 'web app' });
const program = findChromium();
if (program === undefined) throw new Error('There is no Chromium for this machine');
mkdirSync(images, { recursive: true });

const folder = mkdtempSync(join(tmpdir(), 'rowhouse-screenshots-'));
// PostgreSQL may run as another user than the one who made the folder.
chmodSync(folder, 0o755);
const postgres = await startEmbedded(folder, { durable: false });
const client = new pg.Client({ connectionString: postgres.url });
await client.connect();
await migrate(client);
const db = openDb(postgres.url);
const services = createServices(db, readConfig({ LOG_LEVEL: 'error', ROWHOUSE_PLANS: 'default' }));
const relayDb = openDb(postgres.url, { max: 3 });
const stopRelay = startRelay(services, relayDb);
const app = createApp(services);
const origin = await app.listen({ host: '127.0.0.1', port: 0 });
services.publicUrl = () => origin;
const browser = await chromium.launch({
  executablePath: program.executablePath,
  args: launchArguments,
  env: { ...(process.env as Record<string, string>), ...program.env },
});

const newVisitor = async (email: string) => {
  const context = await browser.newContext({
    baseURL: origin,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    viewport: { width: 1_280, height: 620 },
  });
  await send(context.request, 'POST', '/auth/signup', { email, password: 'correct-horse-1' });
  return { request: context.request, page: await context.newPage() };
};

try {
  const { request, page } = await newVisitor('warden@example.com');
  const guest = await newVisitor('neighbour@example.com');
  const [space] = await send(request, 'GET', '/space');
  await send(request, 'PATCH', `/space/${space.id}`, { name: 'Mill Lane' });
  await send(request, 'POST', `/space/${space.id}/invitation/email`, {
    emails: ['neighbour@example.com'],
    role: 'editor',
  });
  const base = await send(request, 'POST', '/base', { spaceId: space.id, name: 'Number 12' });
  const records = rows.map(([Name, Status, Trades, Budget, Priority, day, Paid]) => ({
    fields: { Name, Status, Trades, Budget, Priority, Due: `${day}T00:00:00.000Z`, ...(Paid ? { Paid } : {}) },
  }));
  const table = await send(request, 'POST', `/base/${base.id}/table`, { name: 'Repairs', fields, records });
  await send(request, 'POST', `/base/${base.id}/table`, {
    name: 'Meter readings',
    fields: fields.slice(0, 1),
    records: Array.from({ length: 690 }, () => ({ fields: {} })),
  });
  const fieldId = (name: string): string => table.fields.find((field: { name: string }) => field.name === name).id;
  const board = await send(request, 'POST', `/table/${table.id}/view`, {
    name: 'Board',
    type: 'kanban',
    options: { stackFieldId: fieldId('Status') },
  });
  await send(request, 'PUT', `/table/${table.id}/view/${board.id}/column-meta`, [
    { fieldId: fieldId('Trades'), columnMeta: { visible: true } },
  ]);
  // Free has no colours, and its page is one of the pictures.
  const { plans } = services;
  const withColors = <T extends object>(limit: T): T => ({ ...limit, rowColoringEnable: true });
  services.plans = {
    ...plans,
    fallback: { ...plans.fallback, limit: withColors(plans.fallback.limit) },
    limitOf: (level) => withColors(plans.limitOf(level)),
  };
  const colored = await send(request, 'POST', `/table/${table.id}/view`, {
    name: 'In colour',
    type: 'grid',
    options: {
      colorRules: [
        { on: 'row', by: 'choice', fieldId: fieldId('Status') },
        { on: 'cells', by: 'scale', fieldId: fieldId('Budget'), color: 'orange', min: 0, max: 10_000 },
      ],
    },
  });
  services.plans = plans;
  const form = await send(request, 'POST', `/table/${table.id}/view`, {
    name: 'Report a repair',
    type: 'form',
    description: 'Tell us what is broken. We look at it on Mondays.',
    options: { title: 'Report a repair', coverColor: 'teal', submitLabel: 'Send' },
    columnMeta: {
      [fieldId('Name')]: { required: true, help: 'In a few words' },
      [fieldId('Trades')]: {
        condition: {
          conjunction: 'and',
          filterSet: [{ fieldId: fieldId('Status'), operator: 'is', value: 'Planned' }],
        },
      },
      [fieldId('Paid')]: { visible: false },
    },
  });
  const first = table.records[0].id as string;
  for (const change of [{ Status: 'Planned' }, { Budget: 9_400 }, { Status: 'Under way' }])
    await send(request, 'PATCH', `/table/${table.id}/record/${first}`, { record: { fields: change } });
  await client.query(history, [space.id]);

  const size = page.viewportSize() ?? { width: 1_280, height: 760 };
  await page.setViewportSize({ width: 1_280, height: 500 });
  await page.goto(`/base/${base.id}/${table.id}?view=${colored.id}`);
  await cell(page, rows.length - 1, 0).waitFor({ state: 'attached' });
  await page.screenshot({ path: join(images, 'colours.png') });
  await page.setViewportSize(size);

  const alsoHere = page.getByRole('list', { name: 'Also here' });
  await guest.page.goto(`/base/${base.id}/${table.id}`);
  await page.goto(`/base/${base.id}/${table.id}`);
  await cell(page, rows.length - 1, 0).waitFor({ state: 'attached' });
  await alsoHere.waitFor();
  await selectFirstCell(page);
  await selectFirstCell(guest.page);
  for (let row = 0; row < 4; row += 1) await guest.page.keyboard.press('ArrowDown');
  await page.getByRole('list', { name: 'Cells that others are in' }).getByText('Dry out the cellar').waitFor();
  await page.screenshot({ path: join(images, 'grid.png') });

  await page.keyboard.press('Space');
  const panel = page.getByRole('complementary', { name: 'Record' });
  await panel.getByRole('tab', { name: 'History' }).click();
  await panel.getByRole('button', { name: 'Restore this value' }).first().waitFor();
  await page.screenshot({ path: join(images, 'record-history.png') });

  await page.setViewportSize({ width: 1_280, height: 760 });
  await page.goto(`/base/${base.id}/${table.id}?view=${board.id}`);
  await page.getByText('Dry out the cellar').waitFor();
  await alsoHere.waitFor();
  await page.screenshot({ path: join(images, 'kanban.png') });

  await page.setViewportSize({ width: 1_280, height: 860 });
  await page.goto(`/base/${base.id}/${table.id}?view=${form.id}`);
  await page.getByRole('list', { name: 'Fields of the form' }).getByRole('button', { name: 'Trades' }).first().click();
  await page.getByText('Show this field').waitFor();
  await page.screenshot({ path: join(images, 'form.png') });

  // As high as the page is, so that no part of it is cut off.
  await page.setViewportSize({ width: 1_280, height: 1_320 });
  await page.goto(`/space/${space.id}/plan`);
  await page.locator('.uplot canvas').waitFor();
  await page.getByRole('heading', { name: 'Plans', exact: true }).waitFor();
  await page.getByRole('radio', { name: '90 days' }).click();
  await page.getByRole('row').nth(60).waitFor({ state: 'attached' });
  const height = (await page.evaluate(
    "document.querySelector('main').scrollHeight + document.querySelector('header').offsetHeight",
  )) as number;
  await page.setViewportSize({ width: 1_280, height });
  await page.screenshot({ path: join(images, 'plan.png') });
} finally {
  await browser.close();
  await stopRelay();
  await app.close();
  await relayDb.close();
  await db.close();
  await client.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
