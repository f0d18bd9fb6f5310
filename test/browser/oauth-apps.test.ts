// The two sides of OAuth in the account: the applications someone has made, and those he has allowed.
import type { Page } from '@playwright/test';
import { expect, newPerson, test } from '../support/browser.ts';
import { faultsInLightAndDark, inspect } from '../support/browser-faults.ts';

/** Someone allows the application, which gets a token at an address that answers with little. */
const tokenFor = async (
  page: Page,
  { clientId, secret, redirectUri }: { clientId: string; secret: string; redirectUri: string },
): Promise<string> => {
  await page.goto(
    `/api/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state: 'abc' })}`,
  );
  // Who has allowed it before is not asked again.
  const allow = page.getByRole('button', { name: 'Allow' });
  await expect(allow.or(page.getByText('"status":"ok"')).first()).toBeVisible();
  if (await allow.isVisible()) await allow.click();
  await page.waitForURL(/code=/);
  const code = new URL(page.url()).searchParams.get('code') as string;
  const exchange = await page.request.post('/api/oauth/access_token', {
    form: {
      grant_type: 'authorization_code',
      code,
      client_id: clientId,
      client_secret: secret,
      redirect_uri: redirectUri,
    },
  });
  return (await exchange.json()).access_token;
};

test('an application is made, gets a secret, and names the redirect URI that the server refuses', async ({
  person: { page, api },
}) => {
  await page.goto('/account');
  await page.getByRole('link', { name: 'OAuth applications' }).click();
  await expect(page.getByText('No OAuth applications yet')).toBeVisible();
  await page.getByRole('button', { name: 'New application' }).click();
  await page.getByLabel('Name').fill('Report maker');
  await page.getByLabel('Homepage').fill('example.com');
  await page.getByLabel('Redirect URI 1', { exact: true }).fill('https://example.com/callback');
  await page.getByRole('button', { name: 'Create application' }).click();
  await expect(page.getByText('Expected an absolute http or https URL.')).toBeVisible();
  await expect(page.getByLabel('Homepage')).toBeFocused();
  expect(await faultsInLightAndDark(page)).toEqual([]);
  await page.getByLabel('Homepage').fill('https://example.com/');
  await page.getByRole('button', { name: 'Create application' }).click();
  await expect(page.getByRole('heading', { name: 'Report maker', level: 1 })).toBeVisible();

  await page.getByRole('button', { name: 'Generate secret' }).click();
  const secret = (await page.getByTestId('secret').textContent()) as string;
  await page.getByRole('button', { name: 'Copy secret' }).click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(secret);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(secret)).toBeHidden();
  await expect(page.getByRole('list', { name: 'Secrets' })).toContainText(secret.slice(-10));
  await expect(page.getByRole('list', { name: 'Secrets' })).toContainText('Never used');

  const second = page.getByLabel('Redirect URI 2', { exact: true });
  await page.getByRole('button', { name: 'Add redirect URI' }).click();
  await expect(second).toBeFocused();
  await page.keyboard.type('http://example.com/other');
  await page.keyboard.press('Enter');
  await expect(second).toHaveAccessibleDescription(/Expected https/);
  await expect(page.getByLabel('Redirect URI 1', { exact: true })).toHaveAccessibleDescription('');
  expect(await faultsInLightAndDark(page)).toEqual([]);
  await second.fill('https://example.com/other');
  await expect(second).toHaveAccessibleDescription('');
  await page.getByRole('checkbox', { name: 'Records' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The application was saved.')).toBeVisible();
  const [{ clientId }] = await api.get('/oauth/client');
  const saved = await api.get(`/oauth/client/${clientId}`);
  expect(saved.redirectUris).toEqual(['https://example.com/callback', 'https://example.com/other']);
  expect(saved.scopes).toContain('record|delete');

  await page.getByRole('button', { name: 'Delete the secret that ends in' }).click();
  await page.getByRole('button', { name: 'Delete secret' }).click();
  await expect(page.getByText('No secret yet: the application is public')).toBeVisible();
  await page.getByRole('button', { name: 'Delete application' }).click();
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByText('No OAuth applications yet')).toBeVisible();
});

test('an application that someone has allowed is listed with what it may do, and is revoked', async ({
  person: { page, api, name, email },
  baseURL,
}) => {
  const redirectUri = `${baseURL}/health`;
  const { clientId } = await api.post('/oauth/client', {
    name: 'Report maker',
    description: 'Makes a report every Monday.',
    homepage: 'https://example.com/',
    redirectUris: [redirectUri],
    scopes: ['base|read', 'record|read', 'record|update'],
  });
  const { secret } = await api.post(`/oauth/client/${clientId}/secret`);
  // Allowed twice, from two devices: both end together.
  const tokens = [
    await tokenFor(page, { clientId, secret, redirectUri }),
    await tokenFor(page, { clientId, secret, redirectUri }),
  ];
  const [space] = await api.get('/space');
  const base = await api.post('/base', { spaceId: space.id, name: 'Projects' });
  const statusOfUse = (): Promise<number[]> =>
    Promise.all(
      tokens.map(
        async (token) =>
          (await fetch(`${baseURL}/api/base/${base.id}`, { headers: { authorization: `Bearer ${token}` } })).status,
      ),
    );

  await page.goto('/account/authorized');
  await expect(page.getByRole('list', { name: 'What Report maker may do' })).toHaveText(
    /^Records: read, change\s*Bases: read$/,
  );
  await expect(page.getByText(`made by ${name} (${email})`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'https://example.com/' })).toBeVisible();
  expect(await faultsInLightAndDark(page)).toEqual([]);
  expect(await statusOfUse()).toEqual([200, 200]);
  await page.getByRole('button', { name: 'Revoke Report maker' }).click();
  await page.getByRole('button', { name: 'Revoke access' }).click();
  await expect(page.getByText('No authorised applications')).toBeVisible();
  expect(await statusOfUse()).toEqual([401, 401]);

  await page.goto(`/account/apps/${clientId}`);
  await expect(page.getByRole('list', { name: 'Secrets' })).toContainText('Last used');
});

test('who made an application ends its access to everybody', async ({ person, browser, baseURL }) => {
  const redirectUri = `${baseURL}/health`;
  const { clientId } = await person.api.post('/oauth/client', {
    name: 'Report maker',
    homepage: 'https://example.com/',
    redirectUris: [redirectUri],
    scopes: ['base|read', 'user|email_read'],
  });
  const { secret } = await person.api.post(`/oauth/client/${clientId}/secret`);
  const guest = await newPerson(browser, 'kim');
  const tokens: string[] = [];
  for (const { page } of [person, guest]) tokens.push(await tokenFor(page, { clientId, secret, redirectUri }));
  const statuses = (): Promise<number[]> =>
    Promise.all(
      tokens.map(
        async (token) =>
          (await fetch(`${baseURL}/api/auth/user`, { headers: { authorization: `Bearer ${token}` } })).status,
      ),
    );
  expect(await statuses()).toEqual([200, 200]);
  await person.page.goto(`/account/apps/${clientId}`);
  await person.page.getByRole('button', { name: 'Revoke everyone’s access' }).click();
  await person.page.getByRole('button', { name: 'Revoke access', exact: true }).click();
  await expect(person.page.getByText('Report maker no longer has access to any account.')).toBeVisible();
  expect(await statuses()).toEqual([401, 401]);
  await guest.page.goto('/account/authorized');
  await expect(guest.page.getByText('No authorised applications')).toBeVisible();
  await guest.leave();
});

test('an application is allowed after signing in, and declined another time', async ({ page, person, baseURL }) => {
  // Any address that answers; the page of the API's documentation took ten seconds of CPU time to draw.
  const redirectUri = `${baseURL}/health`;
  const client = await person.api.post('/oauth/client', {
    name: 'Report maker',
    homepage: 'https://example.com/',
    redirectUris: [redirectUri],
    scopes: ['table|read', 'record|read'],
  });
  await person.api.post(`/oauth/client/${client.clientId}/secret`);
  const authorize = `/api/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: client.clientId, redirect_uri: redirectUri, state: 'abc' })}`;

  await page.goto(authorize);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Report maker asks for access' })).toBeVisible();
  await expect(page.getByText('Records: read')).toBeVisible();
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page).toHaveURL(/error=access_denied/);

  await page.goto(authorize);
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page).toHaveURL(/code=.*state=abc|state=abc.*code=/);
});

test('a command line is connected by the code that it shows, and declined another time', async ({
  person: { page, api },
  request,
}) => {
  const { clientId } = await api.post('/oauth/client', {
    name: 'Terminal',
    homepage: 'https://example.com/',
    redirectUris: ['https://example.com/back'],
    scopes: ['record|read'],
  });
  await page.goto(`/account/apps/${clientId}`);
  await page.getByLabel('Allow sign-in by a code').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await api.get(`/oauth/client/${clientId}`)).allowDeviceFlow).toBe(true);
  const begin = async () => (await request.post('/api/oauth/device/code', { form: { client_id: clientId } })).json();
  const poll = async (code: string) =>
    (
      await request.post('/api/oauth/access_token', {
        form: {
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          device_code: code,
          client_id: clientId,
        },
      })
    ).json();
  const found: string[] = [];
  for (const isAllowed of [true, false]) {
    const begun = await begin();
    await page.goto(new URL(begun.verification_uri).pathname);
    await page.getByLabel('Code').fill('BBBB-BBBB');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('alert')).toContainText('This code is unknown');
    await page.getByLabel('Code').fill(begun.user_code.toLowerCase());
    if (isAllowed) found.push(...(await inspect(page, 'device-code')));
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { name: 'Terminal asks for access' })).toBeVisible();
    if (isAllowed) found.push(...(await inspect(page, 'device-consent')));
    await page.getByRole('button', { name: isAllowed ? 'Allow' : 'Decline' }).click();
    await expect(page.getByText(isAllowed ? 'go on there' : 'Nothing was allowed')).toBeVisible();
    const answer = await poll(begun.device_code);
    expect(isAllowed ? answer.scopes : answer.error).toEqual(isAllowed ? ['record|read'] : 'access_denied');
  }
  expect(found).toEqual([]);
});
