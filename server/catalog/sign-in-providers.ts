// The providers of OpenID Connect through which people sign in to this instance: a JSON file of the operator. What its issuers
// say about people is trusted as far as the file says, so users add none.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Config } from '../config.ts';
import { networkList, SettingError } from '../config-value.ts';
import { type GroupRule, groupRule, groupsClaim, readRule } from './claim-rules.ts';

const domain = Type.String({ pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$' });
const domains = Type.Optional(Type.Array(domain, { maxItems: 1_000 }));
const words = Type.Array(Type.String({ pattern: '^[!-~]{1,200}$' }), { minItems: 1, maxItems: 50 });

const provider = Type.Object(
  {
    /** Stands in addresses, also in the redirect URI that the provider knows. */
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$' }),
    /** On the button. */
    name: Type.String({ minLength: 1, maxLength: 60 }),
    issuer: Type.String({ minLength: 1, maxLength: 500 }),
    clientId: Type.String({ minLength: 1, maxLength: 500 }),
    clientSecret: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
    clientSecretFile: Type.Optional(Type.String({ minLength: 1 })),
    clientAuthentication: Type.Optional(Type.Enum(['client_secret_basic', 'client_secret_post', 'none'])),
    scopes: Type.Optional(words),
    /** The claim that says that the address is verified. */
    verifiedClaim: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    /** Whether people without an account get one. */
    createsAccounts: Type.Optional(Type.Boolean()),
    /** Who may sign in, by the address that the provider tells; absent: everybody. */
    emailDomains: domains,
    /** Domains whose addresses this provider gives out: an account with such an address is joined by itself. */
    joinsDomains: domains,
    /** Accounts with an address of these domains sign in through this provider and in no other way, administrators excepted. */
    onlyForDomains: domains,
    secondFactor: Type.Optional(Type.Enum(['account', 'provider', 'demanded'])),
    /** Asked for, and accepted as a second factor, with `demanded`. */
    acrValues: Type.Optional(words),
    /** Private networks in which addresses of its metadata may be, beside that of the issuer itself. */
    networks: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 50 })),
    /** The claim that names the groups of a person. */
    groupsClaim: Type.Optional(groupsClaim),
    groups: Type.Optional(Type.Array(groupRule, { maxItems: 2_000 })),
    /** Signing out here leads to the provider, to sign out there. */
    signsOutThere: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

const file = Type.Object({ providers: Type.Array(provider, { maxItems: 50 }) }, { additionalProperties: false });

type Given = Static<typeof provider>;

export interface SignInProvider {
  id: string;
  name: string;
  issuer: string;
  clientId: string;
  /** Null: a public client. */
  clientSecret: string | null;
  clientAuthentication: 'client_secret_basic' | 'client_secret_post' | 'none';
  scopes: readonly string[];
  verifiedClaim: string;
  createsAccounts: boolean;
  /** Null: all. */
  emailDomains: ReadonlySet<string> | null;
  joinsDomains: ReadonlySet<string>;
  secondFactor: 'account' | 'provider' | 'demanded';
  acrValues: readonly string[];
  networks: readonly string[];
  /** Null: groups are none of its business. */
  groupsClaim: readonly string[] | null;
  groupRules: readonly GroupRule[];
  signsOutThere: boolean;
  /** Null: of the operator, for the instance. */
  organizationId: string | null;
}

export interface SignInProviders {
  readonly list: readonly SignInProvider[];
  byId(id: string): SignInProvider | undefined;
  byIssuer(issuer: string): SignInProvider | undefined;
  /** The only provider through which people with this address sign in. */
  onlyFor(email: string): SignInProvider | undefined;
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Without TLS a sign-in is whatever the network says it is: for trying it out on one machine. */
const isOnThisMachine = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

const secretOf = ({ clientSecret, clientSecretFile }: Given, folder: string): string | null => {
  if (clientSecretFile === undefined) return clientSecret ?? null;
  if (clientSecret !== undefined) throw new SettingError('only one of clientSecret and clientSecretFile can be set');
  const path = resolve(folder, clientSecretFile);
  const secret = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  if (secret === '') throw new SettingError(`clientSecretFile ${path} is empty`);
  return secret;
};

const read = (given: Given, folder: string): SignInProvider => {
  const issuer = URL.canParse(given.issuer) ? new URL(given.issuer) : undefined;
  if (issuer === undefined || issuer.search !== '' || issuer.hash !== '' || issuer.username !== '')
    throw new SettingError('issuer must be an address such as https://id.example.com, without ? and #');
  if (issuer.protocol !== 'https:' && !(issuer.protocol === 'http:' && isOnThisMachine(issuer)))
    throw new SettingError('issuer must begin with https:// (http:// only on localhost)');
  const clientSecret = secretOf(given, folder);
  const clientAuthentication = given.clientAuthentication ?? (clientSecret === null ? 'none' : 'client_secret_basic');
  if ((clientAuthentication === 'none') !== (clientSecret === null))
    throw new SettingError(
      clientSecret === null
        ? `clientAuthentication ${clientAuthentication} needs clientSecret or clientSecretFile`
        : 'clientAuthentication "none" has no clientSecret',
    );
  const scopes = given.scopes ?? ['openid', 'email', 'profile'];
  if (!scopes.includes('openid')) throw new SettingError('scopes must include "openid"');
  const networks = given.networks ?? [];
  if (networks.length > 0 && networkList.parse(networks.join(',')) === undefined)
    throw new SettingError(`networks must be ${networkList.expected}`);
  const rules = (given.groups ?? []).map(readRule);
  if (rules.length > 0 && given.groupsClaim === undefined) throw new SettingError('groups needs groupsClaim');
  return {
    id: given.id,
    name: given.name,
    issuer: given.issuer,
    clientId: given.clientId,
    clientSecret,
    clientAuthentication,
    scopes,
    verifiedClaim: given.verifiedClaim ?? 'email_verified',
    createsAccounts: given.createsAccounts ?? false,
    emailDomains: given.emailDomains === undefined ? null : new Set(given.emailDomains),
    joinsDomains: new Set(given.joinsDomains),
    secondFactor: given.secondFactor ?? 'account',
    acrValues: given.acrValues ?? [],
    networks,
    groupsClaim: given.groupsClaim === undefined ? null : [given.groupsClaim].flat(),
    groupRules: rules,
    signsOutThere: given.signsOutThere ?? false,
    organizationId: null,
  };
};

const demandUnique = (what: string, given: readonly string[]): void => {
  const twice = given.find((word, at) => given.indexOf(word) !== at);
  if (twice !== undefined) throw new SettingError(`${what} ${twice} appears twice`);
};

/** `folder`: what names of files are relative to. */
export const createSignInProviders = (given: unknown, folder = '.'): SignInProviders => {
  const check = Compile(file);
  if (!check.Check(given)) {
    const [first] = check.Errors(given);
    const place = (first?.instancePath ?? '')
      .replace(/^\//, '')
      .replaceAll(/\/(\d+)/g, '[$1]')
      .replaceAll('/', '.');
    const told = first?.message === 'schema is false' ? 'is no setting of a provider' : (first?.message ?? 'is wrong');
    throw new SettingError(`${place === '' ? 'it' : place} ${told}`);
  }
  const list = given.providers.map((one) => {
    try {
      return read(one, folder);
    } catch (error) {
      throw new SettingError(`provider ${one.id}: ${(error as Error).message}`);
    }
  });
  demandUnique(
    'the id',
    list.map(({ id }) => id),
  );
  // An identity is known by its issuer.
  demandUnique(
    'the issuer',
    list.map(({ issuer }) => issuer),
  );
  const bound = given.providers.flatMap(({ id, onlyForDomains = [] }) =>
    onlyForDomains.map((name) => [name, id] as const),
  );
  demandUnique(
    'onlyForDomains:',
    bound.map(([name]) => name),
  );
  const byId = new Map(list.map((one) => [one.id, one]));
  const byIssuer = new Map(list.map((one) => [one.issuer, one]));
  const onlyFor = new Map(bound);
  return {
    list,
    byId: (id) => byId.get(id),
    byIssuer: (issuer) => byIssuer.get(issuer),
    onlyFor: (email) => byId.get(onlyFor.get(domainOf(email)) ?? ''),
  };
};

/** A wrong file stops the start with one line. */
export const readSignInProviders = ({
  signInProvidersFile: path,
}: Pick<Config, 'signInProvidersFile'>): SignInProviders => {
  if (path === null) return createSignInProviders({ providers: [] });
  try {
    return createSignInProviders(JSON.parse(readFileSync(path, 'utf8')), dirname(path));
  } catch (error) {
    throw new SettingError(`ROWHOUSE_SIGN_IN_PROVIDERS: ${path}: ${(error as Error).message}`);
  }
};
