// Accounts as people use them: codes and links by e-mail, the second factor, what owners see in the audit log.
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { stepAt, totpCode } from '../../server/domain/user/totp.ts';
import { choose, expect, newEmail, newPerson, password, test } from '../support/browser.ts';
import { cell, press, selectFirstCell } from '../support/browser-table.ts';
import { inspect } from '../support/browser-faults.ts';

const codeIn = (message: string): string => (/^ +(\d{4} \d{4})$/m.exec(message) as RegExpExecArray)[1] as string;

test('an address is verified at sign-up, a forgotten password is reset by mail, the address is changed; the administrator decides for all; files go to a bucket', async ({
  page,
  mailing: { server, mail, bucket },
}) => {
  const [email, other] = [newEmail('ada'), newEmail('ada')];
  await page.goto(`${server.origin}/signup`);
  await page.getByLabel('Your name').fill('Ada Stone');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
  await page.getByLabel('Code').fill('1234');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('alert')).toContainText('This code is wrong');
  await page.getByLabel('Code').fill(codeIn(await mail.newestTo(email)));
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();

  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByText('an e-mail with a link is on its way')).toBeVisible();
  await page.goto((/^http\S+\/reset-password#\S+$/m.exec(await mail.newestTo(email, 1)) as RegExpExecArray)[0]);
  await page.getByLabel('New password').fill(' another horse 2 ');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(' another horse 2 ');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();

  await page.goto(`${server.origin}/account`);
  const section = page.getByRole('region', { name: 'Your address' });
  await expect(section).toContainText(`${email} verified`);
  await section.getByLabel('New e-mail address').fill(other);
  await section.getByLabel('Your password').fill(' another horse 2 ');
  await section.getByRole('button', { name: 'Send code' }).click();
  await section.getByRole('textbox', { name: 'Code' }).fill(codeIn(await mail.newestTo(other)));
  await section.getByRole('button', { name: 'Change address' }).click();
  await expect(section).toContainText(`${other} verified`);

  // An account from before the server sent e-mails.
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query('update rowhouse.users set email_verified_time = null where email = $1', [other]);
  await client.end();
  await page.goto(`${server.origin}/`);
  const notice = page.getByRole('status').filter({ hasText: 'is not verified' });
  await notice.getByRole('link', { name: 'Verify it' }).click();
  await section.getByRole('button', { name: 'Verify' }).click();
  await section.getByRole('textbox', { name: 'Code' }).fill(codeIn(await mail.newestTo(other, 1)));
  await section.getByRole('button', { name: 'Verify' }).click();
  await expect(section).toContainText(`${other} verified`);
  await page.goto(`${server.origin}/`);
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await expect(notice).toBeHidden();

  // The first account is the administrator's: what they decide holds for everybody.
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Administration' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Name of this instance').fill('Acme tables');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Home' })).toHaveText('Acme tables');
  await expect(page).toHaveTitle('Settings · Acme tables');
  await page.getByRole('checkbox', { name: 'Anyone can sign up' }).click();
  await expect(page.getByRole('checkbox', { name: 'Anyone can sign up' })).not.toBeChecked();
  await expect
    .poll(async () => (await (await page.request.get(`${server.origin}/api/admin/setting`)).json()).disallowSignUp)
    .toBe(true);
  expect(await inspect(page, 'settings of the instance')).toEqual([]);

  // A file goes to the bucket directly and is shown from there.
  const request = async (path: string, data: object): Promise<any> =>
    (await page.request.post(`${server.origin}/api${path}`, { data })).json();
  const [space] = await (await page.request.get(`${server.origin}/api/space`)).json();
  const base = await request('/base', { spaceId: space.id, name: 'Projects' });
  const table = await request(`/base/${base.id}/table`, {
    name: 'Tasks',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Files', type: 'attachment' },
    ],
    records: [{ fields: { Name: 'Alpha' } }],
  });
  await page.goto(`${server.origin}/base/${base.id}/${table.id}`);
  await selectFirstCell(page);
  await press(page, 'ArrowRight', 'Enter');
  const [put] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'PUT'),
    page
      .getByLabel('Add files to Files')
      .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('straight to the bucket') }),
  ]);
  expect([new URL(put.url()).origin, put.status()]).toEqual([new URL(bucket.url).origin, 200]);
  await page.getByRole('list', { name: 'Files' }).getByRole('link', { name: 'notes.txt' }).click();
  await expect(page.getByRole('dialog', { name: 'notes.txt' }).getByText('straight to the bucket')).toBeVisible();
  expect([...bucket.objects.values()].map(String)).toContain('straight to the bucket');

  // The base becomes a template, and another base begins with it.
  await page.goto(`${server.origin}/`);
  await page.getByRole('button', { name: 'More for Projects' }).first().click();
  await page.getByRole('menuitem', { name: 'Save as template' }).click();
  const saving = page.getByRole('dialog', { name: 'Save as template' });
  await saving.getByLabel('Name').fill('Team board');
  await saving.getByLabel('Description').fill('Tasks with their files');
  await saving.getByRole('button', { name: 'Save template' }).click();
  await expect(page.getByText('Everyone can now start from Team board.')).toBeVisible();
  await expect(saving).toBeHidden();
  await page.getByRole('button', { name: 'New base', exact: true }).click();
  await page.getByRole('button', { name: /^Team board Tasks with their files/ }).click();
  await page.getByRole('button', { name: 'Create base' }).click();
  await expect(cell(page, 0, 0)).toHaveText('Alpha');
  await expect(page).not.toHaveURL(new RegExp(base.id));

  await page.goto(`${server.origin}/`);
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to Acme tables' })).toBeVisible();
  await expect(page.getByText('New accounts need an invitation.')).toBeVisible();
  expect((await page.request.get(`${server.origin}/api/admin/setting`)).status()).toBe(401);
});

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const codeOf = (secret: string, later: number): string => {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return totpCode(
    Buffer.from((bits.match(/.{8}/g) as string[]).map((byte) => Number.parseInt(byte, 2))),
    stepAt(new Date()) + later,
  );
};

test('a second factor is set up, asked for, and demanded of a space; the audit log tells of it', async ({
  person,
  browser,
}) => {
  const { page, api } = person;
  const guest = await newPerson(browser, 'kim');
  const [space] = await api.get('/space');
  await api.post(`/space/${space.id}/invitation/email`, { emails: [guest.email], role: 'editor' });
  await page.goto('/account');
  const section = page.getByRole('region', { name: 'Second factor' });
  await section.getByRole('button', { name: 'Set up a second factor' }).click();
  await section.getByLabel('Your password').fill(person.password);
  await section.getByRole('button', { name: 'Set up' }).click();
  await expect(section.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  expect(await inspect(page, 'setting up a second factor')).toEqual([]);
  const secret = (await section.locator('code').textContent()) as string;
  await section.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, 0));
  await section.getByRole('button', { name: 'Turn on' }).click();
  await expect(section.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await section.getByRole('button', { name: 'I have saved them' }).click();
  await expect(section).toContainText('10 of your recovery codes are left');

  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('textbox', { name: 'E-mail' }).fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible();
  // One of the next half minute: the one before was used.
  await page.getByLabel('Code').fill(codeOf(secret, 1));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();

  await page.goto(`/space/${space.id}`);
  await expect(page.getByText('1 member has none.')).toBeVisible();
  await page.getByLabel('Require two-factor sign-in').check();
  await expect(page.getByLabel('Require two-factor sign-in')).toBeChecked();
  await guest.page.goto(`/space/${space.id}`);
  await expect(guest.page.getByRole('heading', { name: 'This space requires two-factor sign-in.' })).toBeVisible();
  await guest.leave();

  await page.getByRole('link', { name: 'Audit log' }).click();
  const log = page.getByRole('list', { name: 'Audit log' });
  await expect(log.getByRole('listitem').first()).toContainText('A second factor is demanded of all members.');
  await expect(log).toContainText('An address was invited.');
  expect(await inspect(page, 'the audit log')).toEqual([]);
  await choose(page, 'What', 'A member signed in.');
  await expect(log.getByRole('listitem').first()).toContainText('A member signed in.');
  await expect(log).not.toContainText('An address was invited.');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  expect(readFileSync(await download.path(), 'utf8')).toMatch(/user\.signedIn/);
});

test('somebody signs in with a code by e-mail, and comes to the page that they wanted', async ({
  page,
  mailing: { server, mail },
}) => {
  const email = newEmail('cora');
  await page.request.post(`${server.origin}/api/auth/signup`, { data: { email, password } }).then(async (answer) => {
    const { data } = await answer.json();
    const verification = { token: data.token, code: codeIn(await mail.newestTo(email)) };
    await page.request.post(`${server.origin}/api/auth/signup`, { data: { email, password, verification } });
  });
  await page.context().clearCookies();
  await page.goto(`${server.origin}/account`);
  await page.getByRole('button', { name: 'E-mail me a code instead' }).click();
  const found = await inspect(page, 'sign-in-code-address');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByRole('heading', { name: 'Enter the code' })).toBeVisible();
  await page.getByLabel('Code').fill('0000 0000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('This code is wrong');
  found.push(...(await inspect(page, 'sign-in-code')));
  await page.getByLabel('Code').fill(codeIn(await mail.newestTo(email, 1)));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('region', { name: 'Your address' })).toContainText(`${email} verified`);
  expect(found).toEqual([]);
});
