import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createSignInProviders, type SignInProvider } from '../../catalog/sign-in-providers.ts';
import { fetchFor } from './provider-fetch.ts';

const providerAt = (issuer: string, more: object = {}): SignInProvider =>
  createSignInProviders({
    providers: [{ id: 'company', name: 'Company', issuer, clientId: 'c', clientSecret: 's', ...more }],
  }).list[0] as SignInProvider;

const asked = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const;

test('the issuer may be anywhere, what it names only on the public Internet or where the operator says', async () => {
  const server = createServer(
    (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    // No redirect is followed.
    expect((await fetchFor(providerAt(issuer))(`${issuer}/keys`, asked)).status).toBe(302);
    const elsewhere = providerAt('https://id.example.com');
    for (const address of [issuer, 'http://169.254.169.254/', 'http://[::1]/', 'http://10.0.0.1/'])
      await expect(fetchFor(elsewhere)(address, asked)).rejects.toMatchObject({
        problem: 'unavailable',
        message: expect.stringContaining('is not a public address'),
      });
    const allowed = providerAt('https://id.example.com', { networks: ['127.0.0.0/8'] });
    expect((await fetchFor(allowed)(issuer, asked)).status).toBe(302);
  } finally {
    server.close();
  }
});
