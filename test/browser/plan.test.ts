import pg from 'pg';
import { expect, newPerson, test as plain } from '../support/browser.ts';
import type { BrowserServer } from '../support/browser-process.ts';
import { newTable } from '../support/browser-table.ts';

// One after the other, on the one server that has plans.
plain.describe.configure({ mode: 'default' });

const test = plain.extend<{ server: BrowserServer }>({
  server: async ({ planning }, use) => use(planning),
  person: async ({ browser, planning }, use) => {
    const person = await newPerson(browser, 'sam', { baseURL: planning.origin });
    await use(person);
    await person.leave();
  },
});

plain(
  'without plans an owner sees what is used, that it is unlimited, and no prices',
  async ({ person: { page, api } }) => {
    await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Alpha' }, { Name: 'Beta' }]);
    const [space] = await api.get('/space');
    await page.goto(`/space/${space.id}`);
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await expect(page.getByText('Everything is unlimited on this server.')).toBeVisible();
    await expect(page.getByText('2, no limit')).toBeVisible();
    // Files, and all there is on disk.
    await expect(page.getByText(/^[\d.]+ k?B, no limit$/)).toHaveCount(2);
    await expect(page.getByRole('meter')).toHaveCount(0);
    await expect(page.getByRole('list', { name: 'Bases by size' })).toContainText('Projects');
    await expect(page.getByRole('figure').locator('figcaption')).toHaveText('2Records today');
    await expect(page.locator('main')).not.toContainText(/US\$|plan|seat|9,007|bill/i);
  },
);

test('an owner sees what is used, how it went, what else there is, and says whom bills go to', async ({
  person: { page, api, email },
}) => {
  await newTable(
    api,
    [{ name: 'Name', type: 'singleLineText' }],
    [{ Name: 'Alpha' }, { Name: 'Beta' }, { Name: 'Gamma' }],
  );
  const [space] = await api.get('/space');
  await page.goto(`/space/${space.id}`);
  await page.getByRole('link', { name: 'Plan and usage' }).click();
  await expect(page.getByRole('meter', { name: 'Records' })).toHaveAttribute('aria-valuenow', '3');
  await expect(page.getByRole('meter')).toHaveCount(4);
  await expect(page.getByText('1, no limit')).toBeVisible();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();

  const plot = page.getByRole('figure');
  await expect(plot.locator('.uplot canvas')).toBeVisible();
  await expect(plot.getByRole('table', { name: 'Records by day' }).getByRole('row').last()).toContainText('3');
  await page.getByRole('radio', { name: 'People' }).click();
  await expect(plot.getByRole('table', { name: 'People by day' }).getByRole('row').last()).toContainText('1');
  await page.getByRole('radio', { name: 'A year' }).click();
  await expect(plot).toContainText('People today');
  // What is used now is in the picture at once.
  await page.getByRole('radio', { name: 'Records' }).click();
  await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Delta' }]);
  await page.reload();
  await expect(plot).toContainText('4Records today');

  await expect(page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'free' }) })).toContainText(
    'Your plan',
  );
  const plus = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'plus' }) });
  await expect(plus).toContainText('US$12 a month');
  await page.getByRole('radio', { name: 'Yearly' }).click();
  await expect(plus).toContainText('US$120 a year');
  await plus.getByRole('button', { name: 'Choose plus' }).click();
  await expect(page.getByRole('alert')).toContainText('Payments are not set up on this server');

  await expect(page.getByLabel('E-mail')).toHaveValue(email);
  await page.getByLabel('Name').fill('Accounts department');
  await page.getByLabel('E-mail').fill('accounts@example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The billing contact was changed.')).toBeVisible();
  expect((await api.get(`/space/${space.id}/billing`)).detail).toEqual({
    name: 'Accounts department',
    email: 'accounts@example.com',
  });
});

test('the plan of a space is for its owners', async ({ person, browser, server }) => {
  const guest = await newPerson(browser, 'kim', { baseURL: server.origin });
  const [space] = await person.api.get('/space');
  await person.api.post(`/space/${space.id}/invitation/email`, { emails: [guest.email], role: 'creator' });
  await guest.page.goto(`/space/${space.id}`);
  await expect(guest.page.getByRole('heading', { name: 'People', exact: true })).toBeVisible();
  await expect(guest.page.getByRole('link', { name: 'Plan and usage' })).toBeHidden();
  await guest.page.goto(`/space/${space.id}/plan`);
  await expect(guest.page.getByRole('alert')).toContainText('only owners are');
  await guest.leave();
});

const inDatabase = async ({ databaseUrl }: BrowserServer, text: string, values: unknown[]): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(text, values);
  await client.end();
};

test('the line goes back over the days, and the day under the pointer is named', async ({
  person: { page, api },
  server,
}) => {
  const [space] = await api.get('/space');
  await inDatabase(
    server,
    `insert into rowhouse.usage_samples (space_id, day, num_rows, attachment_size, num_database_connections, num_collaborators)
     select $1, (now() at time zone 'UTC')::date - back, 5000 - 100 * back, 0, 0, 1 from generate_series(1, 40) back`,
    [space.id],
  );
  await page.goto(`/space/${space.id}/plan`);
  const plot = page.getByRole('figure');
  const rows = plot.getByRole('table', { name: 'Records by day' }).getByRole('row');
  await expect(rows).toHaveCount(1 + 30);
  await expect(rows.nth(1)).toContainText('2,100');
  await page.getByRole('radio', { name: '90 days' }).click();
  await expect(rows).toHaveCount(1 + 41);
  const over = plot.locator('.u-over');
  const { width, height } = (await over.boundingBox()) as { width: number; height: number };
  await over.hover({ position: { x: 2, y: height / 2 } });
  await expect(plot.locator('figcaption')).toContainText(/^1,000Records on \d+ \w+ \d{4}, of 100,000$/);
  await over.hover({ position: { x: width - 1, y: height / 2 } });
  await expect(plot.locator('figcaption')).toContainText('0Records today');
});

test('a paid plan says its seats and price, is cancelled, and says when a payment is overdue', async ({
  person: { page, api },
  browser,
  server,
}) => {
  const [space] = await api.get('/space');
  const operator = await newPerson(browser, 'operator', { baseURL: server.origin });
  const { id } = await operator.api.get('/auth/user/me');
  await inDatabase(server, 'update rowhouse.users set is_admin = true where id = $1', [id]);
  await operator.api.patch(`/admin/space/${space.id}/plan`, { level: 'pro', interval: 'year', quantity: 3 });

  await page.goto(`/space/${space.id}/plan`);
  await expect(page.getByText('pro, 3 seats at US$240 a year. This period ends on')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'pro' }) })).toContainText(
    'US$240 a year',
  );
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(page.getByText('Cancelled: it ends on')).toBeVisible();
  await operator.api.patch(`/admin/space/${space.id}/plan`, { status: 'past_due', cancelAt: null });
  await page.reload();
  await expect(page.getByText('Payment overdue')).toBeVisible();
  await expect(page.getByText('pay to keep it')).toBeVisible();
  await operator.leave();
});
