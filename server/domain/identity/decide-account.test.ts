import { expect, test } from 'vitest';
import { createSignInProviders, type SignInProvider } from '../../catalog/sign-in-providers.ts';
import type { Account } from '../user/user.sql.ts';
import { decideAccount } from './decide-account.ts';
import type { ProviderPerson } from './read-person.ts';

const client = { clientId: 'rowhouse', clientSecret: 'secret' };
const providers = createSignInProviders({
  providers: [
    {
      ...client,
      id: 'company',
      name: 'Company',
      issuer: 'https://id.company.example',
      createsAccounts: true,
      joinsDomains: ['company.example'],
      onlyForDomains: ['bound.example'],
    },
    { ...client, id: 'guests', name: 'Guests', issuer: 'https://guests.example', emailDomains: ['guests.example'] },
    { ...client, id: 'strict', name: 'Strict', issuer: 'https://strict.example', secondFactor: 'demanded' },
  ],
});
const [company, guests, strict] = ['company', 'guests', 'strict'].map((id) => providers.byId(id)) as [
  SignInProvider,
  SignInProvider,
  SignInProvider,
];

const someone = (given: Partial<ProviderPerson> = {}): ProviderPerson => ({
  subject: 's',
  email: 'ada@company.example',
  isVerified: true,
  name: 'Ada',
  hasSecondFactor: false,
  groups: null,
  sid: null,
  ...given,
});

const account = (given: Partial<Account> = {}): Account => ({
  id: 'usr1',
  email: 'ada@company.example',
  isAdmin: false,
  isActive: true,
  isVerified: true,
  hasPassword: true,
  hasSecondFactor: false,
  organizationId: null,
  ...given,
});

const outcome = (
  provider: SignInProvider,
  person: ProviderPerson,
  known: { holder?: Account; namesake?: Account & { hasIdentityThere: boolean } } = {},
): string => {
  const decision = decideAccount(providers, provider, person, { holder: known.holder, namesake: known.namesake });
  return decision.kind === 'refuse' ? decision.problem : decision.kind;
};

const namesake = (given: Partial<Account> & { hasIdentityThere?: boolean } = {}) => ({
  namesake: { ...account(given), hasIdentityThere: given.hasIdentityThere ?? false },
});

test('an identity signs its account in, whatever address it has by now', () => {
  expect(outcome(company, someone({ email: null, isVerified: false }), { holder: account() })).toBe('enter');
  expect(outcome(company, someone(), { holder: account({ isActive: false }) })).toBe('deactivated');
  expect(outcome(guests, someone({ email: 'x@guests.example' }), { holder: account() })).toBe('enter');
  expect(outcome(guests, someone(), { holder: account() })).toBe('domain');
  expect(outcome(guests, someone({ email: 'x@guests.example', isVerified: false }), { holder: account() })).toBe(
    'unverified',
  );
});

test('a verified address joins an account under four conditions, and each of them counts', () => {
  expect(outcome(company, someone(), namesake())).toBe('join');
  expect(outcome(company, someone({ isVerified: false }), namesake())).toBe('unverified');
  expect(outcome(company, someone({ email: 'ada@mail.example' }), namesake({ email: 'ada@mail.example' }))).toBe(
    'taken',
  );
  expect(outcome(company, someone({ email: 'a@sub.company.example' }), namesake())).toBe('taken');
  expect(outcome(company, someone(), namesake({ isVerified: false }))).toBe('taken');
  expect(outcome(company, someone(), namesake({ hasIdentityThere: true }))).toBe('taken');
  expect(outcome(company, someone(), namesake({ isAdmin: true }))).toBe('taken');
  expect(outcome(company, someone(), namesake({ isActive: false }))).toBe('deactivated');
});

test('a newcomer gets an account where the provider makes them', () => {
  expect(outcome(company, someone())).toBe('create');
  expect(outcome(company, someone({ isVerified: false }))).toBe('unverified');
  expect(outcome(guests, someone({ email: 'x@guests.example' }))).toBe('unknown');
});

test('a domain that is bound to a provider is closed to others, except for administrators', () => {
  const email = 'ada@bound.example';
  expect(outcome(company, someone({ email }))).toBe('create');
  expect(outcome(guests, someone({ email: 'x@guests.example' }), { holder: account({ email }) })).toBe('elsewhere');
  expect(outcome(guests, someone({ email: 'x@guests.example' }), { holder: account({ email, isAdmin: true }) })).toBe(
    'enter',
  );
});

test('a second factor that is demanded of a provider has to be told', () => {
  expect(outcome(strict, someone(), { holder: account() })).toBe('weak');
  expect(outcome(strict, someone({ hasSecondFactor: true }), { holder: account() })).toBe('enter');
});
