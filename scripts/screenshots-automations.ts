// Takes the pictures of docs/guide/automations.md from the app as it is now: node --import tsx scripts/screenshots-automations.ts
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type APIRequestContext } from '@playwright/test';
import pg from 'pg';
import { createApp, createServices, startJobs, workConnections } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import { openDb } from '../server/db/db.ts';
import { startEmbedded } from '../server/db/embedded.ts';
import { migrate } from '../server/db/migrate.ts';
import { findChromium, launchArguments } from '../test/support/browser-chromium.ts';
import { buildWhatIsStale } from './build.mjs';

const images = join(import.meta.dirname, '../docs/images');

const send = async (request: APIRequestContext, method: string, path: string, data?: object) => {
  const response = await request.fetch(`/api${path}`, { method, ...(data === undefined ? {} : { data }) });
  const text = await response.text();
  if (!response.ok()) throw new Error(`${method} ${path} answered ${response.status()}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
};

await buildWhatIsStale({ only: 'web app' });
const program = findChromium();
if (program === undefined) throw new Error('There is no Chromium for this machine');
const folder = mkdtempSync(join(tmpdir(), 'rowhouse-screenshots-'));
// PostgreSQL may run as another user than the one who made the folder.
chmodSync(folder, 0o755);
const postgres = await startEmbedded(folder, { durable: false });
const client = new pg.Client({ connectionString: postgres.url });
await client.connect();
await migrate(client);
const db = openDb(postgres.url);
const services = createServices(db, readConfig({ LOG_LEVEL: 'error' }));
const app = createApp(services);
const origin = await app.listen({ host: '127.0.0.1', port: 0 });
services.publicUrl = () => origin;
const workDb = openDb(postgres.url, { max: workConnections });
const stopJobs = startJobs(services, workDb);
const browser = await chromium.launch({
  executablePath: program.executablePath,
  args: launchArguments,
  env: { ...(process.env as Record<string, string>), ...program.env },
});

try {
  const context = await browser.newContext({
    baseURL: origin,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    viewport: { width: 1_100, height: 1_100 },
  });
  const { request } = context;
  const page = await context.newPage();
  await send(request, 'POST', '/auth/signup', { email: 'office@example.com', password: 'correct-horse-1' });
  await send(request, 'PATCH', '/user/name', { name: 'Office' });
  const [space] = await send(request, 'GET', '/space');
  const base = await send(request, 'POST', '/base', { spaceId: space.id, name: 'Orders' });
  const table = await send(request, 'POST', `/base/${base.id}/table`, {
    name: 'Orders',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Pieces', type: 'number' },
      {
        name: 'Status',
        type: 'singleSelect',
        options: { choices: [{ name: 'Open' }, { name: 'Approved' }] },
      },
      { name: 'Approve', type: 'button', options: { label: 'Approve', maxCount: 1 } },
    ],
    records: ['Two tables', 'Six chairs', 'A bench'].map((Name, at) => ({
      fields: { Name, Pieces: 2 * at + 1, Status: 'Open' },
    })),
  });
  const idOf = (name: string): string => table.fields.find((field: { name: string }) => field.name === name).id;
  const make = async (name: string, trigger: object, steps: object[]): Promise<string> => {
    const made = await send(request, 'POST', `/base/${base.id}/automation`, { name, trigger, steps });
    await send(request, 'POST', `/base/${base.id}/automation/${made.id}/activate`);
    return made.id;
  };

  // An approval by a button.
  const approval = await make(
    'Approve orders',
    { type: 'buttonPressed', tableId: table.id, fieldIds: [idOf('Approve')] },
    [
      {
        type: 'updateRecord',
        id: 'step1',
        tableId: table.id,
        recordId: { formula: '{trigger.recordId}' },
        fields: { Status: 'Approved' },
      },
      {
        type: 'comment',
        id: 'step2',
        tableId: table.id,
        recordId: { formula: '{trigger.recordId}' },
        text: { template: 'Approved by {trigger.by}' },
      },
    ],
  );
  await page.goto(`/base/${base.id}/automations/${approval}`);
  await page.getByRole('heading', { name: 'Approve orders' }).waitFor();
  await page.getByText('Try it').first().waitFor();
  await page.screenshot({ path: join(images, 'automation-approval.png') });

  // A report at a time.
  const open = { conjunction: 'and', filterSet: [{ fieldId: idOf('Status'), operator: 'is', value: 'Open' }] };
  const report = await make('Weekly report', { type: 'schedule', cron: '0 8 * * MON', timeZone: 'Europe/Berlin' }, [
    { type: 'findRecords', id: 'step1', tableId: table.id, filter: open },
    {
      type: 'sendEmail',
      id: 'step2',
      to: 'office@example.com',
      subject: { template: 'Open orders: {step1.count}' },
      body: 'Please look at them today.',
    },
  ]);
  await page.goto(`/base/${base.id}/automations/${report}`);
  await page.getByRole('heading', { name: 'Weekly report' }).waitFor();
  await page.getByText('Try it').first().waitFor();
  await page.screenshot({ path: join(images, 'automation-report.png') });

  // Its runs, after two presses.
  for (const { id } of table.records.slice(0, 2))
    await send(request, 'POST', `/table/${table.id}/record/${id}/${idOf('Approve')}/button-click`);
  for (let ended = 0; ended < 2; ) {
    const { runs } = await send(request, 'GET', `/base/${base.id}/automation/${approval}/run`);
    ended = runs.filter(({ state }: { state: string }) => state === 'success').length;
  }
  await page.setViewportSize({ width: 1_100, height: 620 });
  await page.goto(`/base/${base.id}/automations/${approval}`);
  await page
    .getByRole('radio', { name: 'Runs' })
    .or(page.getByRole('button', { name: 'Runs' }))
    .first()
    .click();
  await page.getByText('Two tables').first().waitFor();
  await page.screenshot({ path: join(images, 'automation-runs.png') });
} finally {
  await browser.close();
  await stopJobs(10);
  await workDb.close();
  await app.close();
  await db.close();
  await client.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
