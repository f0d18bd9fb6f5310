import { expect, test } from '../support/browser.ts';

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
