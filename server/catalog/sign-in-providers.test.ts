import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSignInProviders, readSignInProviders } from './sign-in-providers.ts';

const one = {
  id: 'company',
  name: 'Company',
  issuer: 'https://id.example.com',
  clientId: 'rowhouse',
  clientSecret: 's',
};

test.each([
  [{ id: 'Company' }, 'providers[0].id must match pattern'],
  [{ surprise: 1 }, 'providers[0].surprise is no setting of a provider'],
  [{ issuer: 'http://id.example.com' }, 'issuer must begin with https://'],
  [{ issuer: 'https://id.example.com/?a' }, 'issuer must be an address'],
  [{ scopes: ['email'] }, 'scopes must include "openid"'],
  [{ clientSecretFile: 'x' }, 'only one of clientSecret and clientSecretFile'],
  [{ clientSecret: undefined, clientAuthentication: 'client_secret_post' as const }, 'needs clientSecret'],
  [{ networks: ['10.0.0.0'] }, 'networks must be'],
])('%j is refused in words', (change, message) => {
  const given = Object.fromEntries(Object.entries({ ...one, ...change }).filter(([, value]) => value !== undefined));
  expect(() => createSignInProviders({ providers: [given] })).toThrow(message);
});

test('two providers with one id, one issuer or one domain are refused', () => {
  const other = { ...one, id: 'other', issuer: 'https://other.example.com' };
  for (const same of [{ id: 'company' }, { issuer: one.issuer }])
    expect(() => createSignInProviders({ providers: [one, { ...other, ...same }] })).toThrow('appears twice');
  const onlyForDomains = ['example.com'];
  expect(() =>
    createSignInProviders({
      providers: [
        { ...one, onlyForDomains },
        { ...other, onlyForDomains },
      ],
    }),
  ).toThrow('onlyForDomains: example.com appears twice');
});

test('a file is read with its secrets from beside it, and a wrong one is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-providers-'));
  try {
    const path = join(folder, 'providers.json');
    const { clientSecret: _, ...open } = one;
    writeFileSync(path, JSON.stringify({ providers: [{ ...open, clientSecretFile: 'company.secret' }] }));
    expect(() => readSignInProviders({ signInProvidersFile: path })).toThrow(
      `ROWHOUSE_SIGN_IN_PROVIDERS: ${path}: provider company: `,
    );
    writeFileSync(join(folder, 'company.secret'), 'from a file\n');
    const [read] = readSignInProviders({ signInProvidersFile: path }).list;
    expect(read).toMatchObject({ clientSecret: 'from a file', clientAuthentication: 'client_secret_basic' });
    expect(readSignInProviders({ signInProvidersFile: null }).list).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
