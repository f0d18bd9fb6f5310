// An organisation from its first domain to the first person who signs in through its provider and may see a space by a department.
import pg from 'pg';
import { inspect } from '../support/browser-faults.ts';
import { startBrowserServer } from '../support/browser-process.ts';
import { choose, expect, newPerson, test } from '../support/browser.ts';
import { startNameServer } from '../support/dns-server.ts';
import { clientId, clientSecret, startIdentityProvider } from '../support/identity-provider.ts';

test('an organisation shows its domain, adds a provider and departments, and its people come in through them', async ({
  browser,
}) => {
  const names = await startNameServer();
  const provider = await startIdentityProvider();
  const server = await startBrowserServer({ dnsServers: [names.address], providerNetworks: ['127.0.0.1/32'] });
  const chief = await newPerson(browser, 'chief', { baseURL: server.origin }, true);
  const { page, api } = chief;
  const { id: userId } = await api.get('/auth/user/me');
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query('update rowhouse.users set is_admin = true where id = $1', [userId]);
  await client.end();
  const { id } = await api.post('/admin/organization', { name: 'Example Inc.' });
  await api.put(`/admin/organization/${id}/admin`, { userId, isAdmin: true });
  const [space] = await api.get('/space');
  await api.post(`/enterprise/${id}/space-manage/${space.id}/add-organization`);

  await page.goto('/');
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Example Inc.' }).click();
  await expect(page.getByRole('heading', { name: 'Example Inc.', level: 1 })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Members' })).toContainText('Administrator');

  await page.getByRole('button', { name: 'Add somebody' }).click();
  await page.getByLabel('E-mail address').fill('nobody@mail.example');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('There is no account with this address');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Add domain' }).click();
  await page.getByLabel('Domain, such as example.com').fill('Corp.example');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const domains = page.getByRole('list', { name: 'Domains' });
  await expect(domains).toContainText('_rowhouse.corp.example');
  await page.getByRole('button', { name: 'Check corp.example' }).click();
  await expect(page.getByText('The record is not there yet.')).toBeVisible();
  const value = (await domains.getByText(/^rowhouse-verification=/).textContent()) as string;
  names.records.set('_rowhouse.corp.example', [value]);
  await page.getByRole('button', { name: 'Check corp.example' }).click();
  await expect(domains).toContainText('Verified');
  await expect(domains).not.toContainText('rowhouse-verification');

  await page.getByRole('button', { name: 'Add provider' }).click();
  await page.getByLabel('Name').fill('Example sign-in');
  await page.getByLabel('Issuer').fill(provider.issuer);
  await page.getByLabel('Client ID').fill(clientId);
  await page.getByLabel('Client secret').fill(clientSecret);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const providers = page.getByRole('list', { name: 'Providers' });
  await expect(providers).toContainText('/callback');
  const callback = (await providers.getByText(/\/callback$/).textContent()) as string;
  provider.serve([callback]);

  await page.getByRole('button', { name: 'New department' }).click();
  await page.getByLabel('Name').fill('Sales');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('list', { name: 'Departments' })).toContainText('Sales');
  expect(await inspect(page, 'organisation')).toEqual([]);

  const visitor = await newPerson(browser, 'visitor', { baseURL: server.origin }, true);
  await visitor.page.context().clearCookies();
  provider.people.set('ada', { email: 'ada@corp.example', email_verified: true, name: 'Ada Stone' });
  await visitor.page.goto('/login');
  await visitor.page.getByRole('button', { name: 'Sign in with your organisation' }).click();
  await visitor.page.getByLabel('E-mail').fill('ada@elsewhere.example');
  await visitor.page.getByRole('button', { name: 'Continue' }).click();
  await expect(visitor.page.getByRole('alert')).toContainText('No organisation signs in people with this address');
  await visitor.page.getByLabel('E-mail').fill('ada@corp.example');
  await visitor.page.getByRole('button', { name: 'Continue' }).click();
  await visitor.page.getByLabel('Subject').fill('ada');
  await visitor.page.getByRole('button', { name: 'Continue' }).click();
  await expect(visitor.page.getByRole('button', { name: 'Your account' })).toBeVisible();
  await visitor.page.goto('/organization');
  await expect(visitor.page.getByText('You are a member of Example Inc.')).toBeVisible();

  await page.reload();
  await expect(page.getByRole('list', { name: 'Members' })).toContainText('ada@corp.example');
  await page.getByRole('list', { name: 'Departments' }).getByRole('button', { name: 'People' }).click();
  await page.getByRole('combobox', { name: 'People to add' }).click();
  await page.getByRole('option', { name: /Ada Stone/ }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('listitem')).toContainText('Ada Stone');
  await page.keyboard.press('Escape');

  await page.goto(`/space/${space.id}`);
  const groups = page.getByRole('region', { name: 'Groups' });
  await expect(groups).toContainText('Department');
  await choose(groups, 'Role of Sales', 'Viewer');
  await expect.poll(async () => (await visitor.page.request.get(`/api/space/${space.id}`)).status()).toBe(200);

  await page.goto('/organization');
  await choose(page, 'People of the verified domains sign in', 'Only with Example sign-in');
  await expect.poll(async () => (await api.get(`/organization/${id}/setting`)).onlyProviderId).toMatch(/^idp/);
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('Name').fill('Entra');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByTestId('token')).toContainText('scim_');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('list', { name: 'Tokens of directories' })).toContainText('Entra');
  await page.getByRole('button', { name: 'More for Ada Stone' }).click();
  await page.getByRole('menuitem', { name: 'Shut out' }).click();
  await page.getByRole('button', { name: 'Shut out' }).click();
  await expect(page.getByRole('list', { name: 'Members' })).toContainText('Shut out');
  expect((await visitor.page.request.get('/api/auth/user')).status()).toBe(401);

  await visitor.leave();
  await chief.leave();
  await server.stop();
  await provider.close();
  await names.close();
});
