// Takes the pictures of docs/guide/rights.md from the app as it is now: node --import tsx scripts/screenshots-rights.ts
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type APIRequestContext } from '@playwright/test';
import pg from 'pg';
import { createApp, createServices } from '../server/app.ts';
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

const person = { name: 'Lead', type: 'user' };
const state = (...names: string[]) => ({
  name: 'Status',
  type: 'singleSelect',
  options: {
    choices: names.map((name, index) => ({ name, color: ['blueLight2', 'yellowLight1', 'greenLight2'][index] })),
  },
});
const money = (name: string) => ({
  name,
  type: 'number',
  options: { formatting: { type: 'currency', symbol: '€', precision: 0 } },
});
const jobs = [
  'Mend the roof',
  'Repoint the chimney',
  'Paint the stairwell',
  'New lamps in the hall',
  'Dry out the cellar',
  'Garden wall',
];

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
const browser = await chromium.launch({
  executablePath: program.executablePath,
  args: launchArguments,
  env: { ...(process.env as Record<string, string>), ...program.env },
});

const newVisitor = async (name: string) => {
  const context = await browser.newContext({
    baseURL: origin,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    viewport: { width: 1_280, height: 640 },
  });
  const email = `${name.toLowerCase()}@example.com`;
  const { id } = await send(context.request, 'POST', '/auth/signup', { email, password: 'correct-horse-1' });
  await send(context.request, 'PATCH', '/user/name', { name });
  return { request: context.request, page: await context.newPage(), id: id as string, email };
};

try {
  const { request, page } = await newVisitor('Office');
  const [kim, ada] = [await newVisitor('Kim'), await newVisitor('Ada')];
  const [space] = await send(request, 'GET', '/space');
  const newBase = async (name: string, tables: { name: string; fields: object[]; records: object[] }[]) => {
    const base = await send(request, 'POST', '/base', { spaceId: space.id, name });
    await send(request, 'POST', `/base/${base.id}/invitation/email`, {
      emails: [kim.email, ada.email],
      role: 'editor',
    });
    const made = [];
    for (const table of tables)
      made.push(
        await send(request, 'POST', `/base/${base.id}/table`, {
          ...table,
          records: table.records.map((fields) => ({ fields })),
        }),
      );
    return { id: base.id as string, tables: made };
  };
  const people = [kim.id, ada.id];
  const led = jobs.map((Name, at) => ({
    Name,
    Lead: { id: people[at % 2], title: '' },
    Status: ['Planned', 'Under way', 'Done'][at % 3],
    Budget: 1_200 + 650 * at,
  }));
  const newRole = async (baseId: string, template: string, name: string) => {
    await page.goto(`/base/${baseId}/rights`);
    await page.getByRole('button', { name: 'New role' }).click();
    await page.getByRole('radio', { name: template }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('columnheader', { name }).waitFor();
    const roles = await send(request, 'GET', `/base/${baseId}/authority-matrix-role`);
    return roles.find((role: { name: string }) => role.name === name).id as string;
  };
  const give = (baseId: string, roleId: string, userIds: string[]) =>
    send(request, 'PATCH', `/base/${baseId}/authority-matrix-role/${roleId}/user`, { userIds });

  // A department: the preview of hidden budgets.
  const workshop = await newBase('Workshop', [
    {
      name: 'Repairs',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        person,
        state('Planned', 'Under way', 'Done'),
        money('Budget'),
      ],
      records: led,
    },
    { name: 'Suppliers', fields: [{ name: 'Name', type: 'singleLineText' }], records: [{ Name: 'Slate & Sons' }] },
  ]);
  await send(request, 'POST', `/table/${workshop.tables[0].id}/field`, {
    name: 'With tax',
    type: 'formula',
    options: { expression: '{Budget} * 1.19' },
  });
  const crew = await newRole(workshop.id, 'Department', 'Crew');
  await give(workshop.id, crew, people);
  await newRole(workshop.id, 'Approval', 'Planning');
  await page.setViewportSize({ width: 1_280, height: 980 });
  await page.getByRole('button', { name: /^Crew in Repairs/ }).click();
  const dialog = page.getByRole('dialog');
  for (const at of [0, 1]) {
    await dialog.getByRole('radio', { name: 'Only some' }).nth(at).click();
    await dialog.getByRole('combobox', { name: 'Budget' }).nth(at).click();
    await page.getByRole('option', { name: 'Hidden' }).click();
  }
  await dialog.getByText('No longer see Budget').waitFor();
  await dialog.getByRole('region', { name: 'Preview' }).scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(images, 'rights-department.png') });

  // A client portal, viewed as a client.
  const shop = await newBase('Orders', [
    {
      name: 'Orders',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        { ...person, name: 'Client' },
        state('New', 'In work', 'Sent'),
      ],
      records: ['Two tables', 'Six chairs', 'A bench', 'Shelves', 'A door'].map((Name, at) => ({
        Name,
        Client: { id: people[at % 2], title: '' },
        Status: ['New', 'In work', 'Sent'][at % 3],
      })),
    },
    { name: 'Costs', fields: [{ name: 'Name', type: 'singleLineText' }], records: [{ Name: 'Oak' }] },
  ]);
  const clients = await newRole(shop.id, 'Client portal', 'Clients');
  await give(shop.id, clients, people);
  await send(request, 'PATCH', `/base/${shop.id}/authority-matrix/status`, { enabled: true });
  await page.setViewportSize({ width: 1_280, height: 480 });
  await page.goto(`/base/${shop.id}/rights`);
  await page.getByRole('button', { name: 'View as…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /Kim/ }).click();
  await page.getByText('You view this base as').waitFor();
  await page.goto(`/base/${shop.id}/${shop.tables[0].id}`);
  await page.getByText('A bench').first().waitFor({ state: 'attached' });
  await page.screenshot({ path: join(images, 'rights-client.png') });
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('heading', { name: 'Rights of Orders' }).waitFor();

  // An approval: the condition before, and the one afterwards.
  const expenses = await newBase('Expenses', [
    {
      name: 'Expenses',
      fields: [{ name: 'Name', type: 'singleLineText' }, money('Amount'), state('Filed', 'Checked', 'Approved')],
      records: [
        { Name: 'Train to Lyon', Amount: 140, Status: 'Filed' },
        { Name: 'Paper', Amount: 32, Status: 'Approved' },
      ],
    },
  ]);
  await newRole(expenses.id, 'Approval', 'Staff');
  await page.setViewportSize({ width: 1_280, height: 1_100 });
  await page.getByRole('button', { name: /^Staff in Expenses/ }).click();
  await page.getByText('Allowed, 2').first().scrollIntoViewIfNeeded();
  await page.getByRole('dialog').getByRole('region', { name: 'Preview' }).waitFor();
  await page.getByLabel('Message when a change is refused').last().scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(images, 'rights-approval.png') });
} finally {
  await browser.close();
  await app.close();
  await db.close();
  await client.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
