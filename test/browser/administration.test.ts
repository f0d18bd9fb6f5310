// The pages for administrators of the instance, on a server of their own: its first account is the administrator.
import pg from 'pg';
import { type BrowserServer, startBrowserServer } from '../support/browser-process.ts';
import { choose, escape, expect, follow, newPerson, type Person, password, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { cell, newTable } from '../support/browser-table.ts';

let server: BrowserServer;
test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await startBrowserServer();
});
test.afterAll(() => server.stop());

const long =
  'A very long name that somebody gave to something because nobody stopped them, and it has to fit somewhere';

const inDatabase = async (statement: string, values: unknown[] = []): Promise<void> => {
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query(statement, values);
  await client.end();
};

const works = `Works: ${long}`;

let admin: Person;

test('a person is found and deactivated, whose open page ends; active again they are back; a setting is changed and holds', async ({
  browser,
}) => {
  const options = { baseURL: server.origin };
  admin = await newPerson(browser, 'ada', options, true);
  const kim = await newPerson(browser, 'kim', options, true);
  const table = await newTable(kim.api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Alpha' }]);
  await kim.page.goto(table.url);
  await expect(cell(kim.page, 0, 0)).toHaveText('Alpha');
  // For others the pages are not there.
  await kim.page.getByRole('button', { name: 'Your account' }).click();
  await expect(kim.page.getByRole('menuitem', { name: 'Administration' })).toHaveCount(0);
  await escape(kim.page);

  const { page } = admin;
  await page.goto('/');
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Administration' }).click();
  await expect(page.getByRole('heading', { name: 'People' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search by name or e-mail' }).fill(kim.email);
  await expect(page.getByText('1–1 of 1 people')).toBeVisible();
  await page.getByRole('button', { name: `More for ${kim.name}` }).click();
  await page.getByRole('menuitem', { name: 'Deactivate' }).click();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText(`${kim.name} is deactivated.`)).toBeVisible();
  await expect(page.getByRole('row', { name: kim.email }).getByText('Deactivated')).toBeVisible();
  // The page that they had open: the stream ends, and nothing of the table stays.
  await expect(kim.page.getByText('Sign in to your tables.')).toBeVisible();
  await kim.page.getByLabel('E-mail').fill(kim.email);
  await kim.page.getByLabel('Password').fill(password);
  await kim.page.getByRole('button', { name: 'Sign in' }).click();
  await expect(kim.page.getByRole('alert')).toBeVisible();

  await page.getByRole('button', { name: `More for ${kim.name}` }).click();
  await page.getByRole('menuitem', { name: 'Activate' }).click();
  await expect(page.getByText(`${kim.name} can sign in again.`)).toBeVisible();
  await kim.page.getByRole('button', { name: 'Sign in' }).click();
  await expect(cell(kim.page, 0, 0)).toHaveText('Alpha');
  await kim.page.goto('/admin/people');
  await expect(kim.page.getByRole('heading', { name: 'Page not found' })).toBeVisible();

  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('checkbox', { name: 'Anyone can sign up' }).click();
  await expect(page.getByRole('checkbox', { name: 'Anyone can sign up' })).not.toBeChecked();
  await page.getByLabel('Invitations per hour').fill('1');
  await page.getByRole('button', { name: 'Save limits' }).click();
  await expect(page.getByText('The limits were changed.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Invitations per hour')).toHaveValue('1');
  await expect(page.getByRole('checkbox', { name: 'Anyone can sign up' })).not.toBeChecked();
  const refused = await kim.page.request.post(`/api/space/${(await kim.api.get('/space'))[0].id}/invitation/email`, {
    data: { emails: ['one@example.com', 'two@example.com'], role: 'viewer' },
  });
  expect(refused.status()).toBe(429);
  await page.getByRole('checkbox', { name: 'Anyone can sign up' }).click();
  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(
    page.getByRole('list', { name: 'Audit log' }).getByText('Settings of the instance were changed.').first(),
  ).toBeVisible();
  await kim.leave();
});

test('every page for administrators fits a phone, works by keyboard, and says what is empty', async ({ browser }) => {
  const { page, api } = admin;
  const found: string[] = [];
  const look = async (name: string): Promise<void> => void found.push(...(await inspect(page, `admin ${name}`)));
  const names = ['Kim Rivers', 'Noor Haddad', 'Sam Okafor', 'Mia Lindqvist', long];
  for (const [at, name] of names.entries())
    await api.post('/admin/user', { email: `${name.split(' ')[0]?.toLowerCase()}${at}@example.com`, name });
  const guest = await newPerson(browser, 'pat', { baseURL: server.origin }, true);
  await guest.api
    .post('/access-token', {
      name: 'Nightly import',
      scopes: ['space|read'],
      hasFullAccess: true,
      expiredTime: '2099-01-01',
    })
    .catch(() => undefined);
  const [space] = await guest.api.get('/space');
  await guest.api.patch(`/space/${space.id}`, { name: works });
  await guest.api.post('/base', { spaceId: space.id, name: 'Projects' });
  await inDatabase("update rowhouse.users set last_sign_in_time = now() - interval '3 days' where name = 'Kim Rivers'");
  await inDatabase(
    "insert into rowhouse.jobs (id, kind, state, error, attempt, created_by, finished_time) values ('jobFailedForAPicture', 'send-email', 'failed', 'the mail server did not answer', 10, null, now())",
  );

  await page.goto('/admin');
  await page.getByRole('row', { name: 'Noor Haddad' }).waitFor();
  await look('people');
  // Everything by keyboard alone: the search, a page, the menu of somebody.
  const search = page.getByRole('searchbox', { name: 'Search by name or e-mail' });
  await search.focus();
  await page.keyboard.type('nobody is called this');
  await page.getByText('Nobody found').waitFor();
  await look('people-none');
  await search.fill('');
  await page.getByRole('row', { name: 'Noor Haddad' }).waitFor();
  await page.getByRole('button', { name: 'More for Noor Haddad' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
  await look('person-menu');
  await page.getByRole('menuitem', { name: 'Link for a new password' }).press('Enter');
  await page.getByTestId('link').waitFor();
  await look('password-link');
  expect(await page.getByTestId('link').textContent()).toContain('/reset-password#');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'New account' }).click();
  await page.getByRole('dialog').getByLabel('E-mail').waitFor();
  await look('new-account');
  await page.getByRole('dialog').getByLabel('E-mail').fill('noor1@example.com');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('alert')).toContainText('already registered');
  await escape(page);
  await choose(page, 'Which', 'Administrators');
  await expect(page.getByText('1–1 of 1 people')).toBeVisible();
  await choose(page, 'Which', 'Everybody');
  await page.getByRole('link', { name: guest.name }).click();
  await page.getByRole('list', { name: 'Sessions' }).getByRole('button').first().waitFor();
  await look('person');
  await page.getByRole('list', { name: 'Sessions' }).getByRole('button').first().click();
  await expect(page.getByText('Signed in nowhere.')).toBeVisible();

  await page.getByRole('link', { name: 'What was done to them' }).click();
  await page.getByRole('list', { name: 'Audit log' }).getByText('Sessions of a member were ended').first().waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'What they did' }).click();
  await expect(page.getByText(`Only what ${guest.name} did.`)).toBeVisible();
  await page.getByRole('button', { name: 'Show everybody' }).click();
  await expect(page.getByText('An administrator made an account.').first()).toBeVisible();

  await page.getByRole('link', { name: 'Spaces and bases' }).click();
  await page.getByRole('row', { name: works }).waitFor();
  await look('spaces');
  await page.getByRole('button', { name: `More for ${works}` }).click();
  await page.getByRole('menuitem', { name: 'Take over' }).click();
  await page.getByLabel('Reason').fill('Its owner has left the company');
  await look('take-over');
  await page.getByRole('button', { name: 'Take over' }).click();
  await expect(page.getByText('You are an owner of')).toBeVisible();
  await page.getByRole('button', { name: 'Bases', exact: true }).click();
  await page.getByRole('row', { name: 'Projects' }).first().waitFor();
  await choose(page, 'Order', 'Largest first');
  await page.getByRole('row', { name: 'Projects' }).first().waitFor();
  await look('bases');

  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Invitations per hour').waitFor();
  await look('settings');
  await page.getByLabel('One domain per line').fill('not a domain');
  await page.getByRole('button', { name: 'Save domains' }).click();
  await expect(page.getByRole('alert')).toBeVisible();

  await page.getByRole('link', { name: 'Jobs' }).click();
  await choose(page, 'State', 'Failed');
  await page.getByText('the mail server did not answer').waitFor();
  await look('jobs');
  await page.getByRole('button', { name: 'Try again: Send email' }).click();
  await expect(page.getByText('Nothing has failed within the last week.')).toBeVisible();
  await page.getByRole('link', { name: 'Health' }).click();
  await page.getByRole('list', { name: 'Parts' }).getByText('PostgreSQL').waitFor();
  await look('health');
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('list', { name: 'Audit log' }).waitFor();
  await look('audit');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'JSON lines' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('audit-log.jsonl');
  // What cannot be read says so, with a way to try again.
  await page.route('**/api/admin/user?*', (route) =>
    route.fulfill({ status: 400, json: { message: 'It is away', status: 400, code: 'validation_error' } }),
  );
  await follow(page, '/admin/people');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await look('people-error');
  await page.unroute('**/api/admin/user?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('row', { name: 'Noor Haddad' }).waitFor();
  await guest.leave();
  await admin.leave();
  expect(found).toEqual([]);
});
