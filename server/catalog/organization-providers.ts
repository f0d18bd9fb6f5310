// Providers beside those of the file: what an organisation has written down about its own. It is trusted with addresses of the
// verified domains of the organisation, and with nothing else.
import { forbidden } from '@rowhouse/contract/error.ts';
import type { Config } from '../config.ts';
import type { Queryable } from '../db/db.ts';
import type { SecretKey } from '../secret-key.ts';
import {
  type OrganizationProviderRow,
  selectMembership,
  selectOnlyProvider,
  selectProvider,
  selectProvidersByIssuer,
} from './organization-sign-in.sql.ts';
import { domainOf, type SignInProvider, type SignInProviders } from './sign-in-providers.ts';

interface Env {
  db: Queryable;
  config: Pick<Config, 'providerNetworks'>;
  secretKey: SecretKey;
  signInProviders: SignInProviders;
}

/** One object for each state of a provider: what is remembered of its metadata hangs on it. */
const made = new Map<string, SignInProvider>();
const mostMade = 1_000;

const wordsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

const toProvider = ({ config: { providerNetworks }, secretKey }: Env, row: OrganizationProviderRow): SignInProvider => {
  const { id, name, issuer, clientId, sealedSecret, config, changedTime, domains } = row;
  const key = JSON.stringify([id, changedTime, domains, providerNetworks]);
  const found = made.get(key);
  if (found !== undefined) return found;
  const clientSecret = sealedSecret === null ? null : (secretKey.unseal(sealedSecret) ?? null);
  const { groupsClaim, groups } = config;
  const provider: SignInProvider = {
    id,
    name,
    issuer,
    clientId,
    clientSecret,
    clientAuthentication: clientSecret === null ? 'none' : 'client_secret_basic',
    scopes: config['scopes'] === undefined ? ['openid', 'email', 'profile'] : wordsOf(config['scopes']),
    verifiedClaim: typeof config['verifiedClaim'] === 'string' ? config['verifiedClaim'] : 'email_verified',
    createsAccounts: config['createsAccounts'] !== false,
    emailDomains: new Set(domains),
    joinsDomains: new Set(domains),
    secondFactor: config['secondFactor'] === 'demanded' ? 'demanded' : 'account',
    acrValues: wordsOf(config['acrValues']),
    networks: providerNetworks,
    groupsClaim: groupsClaim === undefined ? null : [groupsClaim as string | string[]].flat(),
    groupRules: ((groups ?? []) as { value: string; group: string }[]).map(({ value, group }) => ({
      kind: 'id',
      value,
      groupId: group,
    })),
    signsOutThere: config['signsOutThere'] === true,
    organizationId: row.organizationId,
  };
  if (made.size >= mostMade) made.delete(made.keys().next().value as string);
  made.set(key, provider);
  return provider;
};

export const findProvider = async (env: Env, id: string): Promise<SignInProvider | undefined> => {
  const known = env.signInProviders.byId(id);
  if (known !== undefined || !id.startsWith('idp')) return known;
  const row = await selectProvider(env.db, id);
  return row === undefined ? undefined : toProvider(env, row);
};

/** Those with one of these issuers: an identity is of an issuer, which several organisations may have. */
export const findProvidersByIssuer = async (env: Env, issuers: readonly string[]): Promise<SignInProvider[]> => {
  const known = issuers.map((issuer) => env.signInProviders.byIssuer(issuer)).filter((one) => one !== undefined);
  return [...known, ...(await selectProvidersByIssuer(env.db, issuers)).map((row) => toProvider(env, row))];
};

/** The only provider through which people with this address sign in: by the file of the operator first. */
export const findOnlyProvider = async (env: Env, email: string): Promise<SignInProvider | undefined> => {
  const known = env.signInProviders.onlyFor(email);
  if (known !== undefined) return known;
  const row = await selectOnlyProvider(env.db, domainOf(email));
  return row === undefined ? undefined : toProvider(env, row);
};

/** For ways in that are not the provider's. */
export const demandOwnDomain = async (env: Env, email: string): Promise<void> => {
  const only = await findOnlyProvider(env, email);
  if (only !== undefined) throw forbidden(`People of ${domainOf(email)} sign in with ${only.name}`);
};

/** Administrators get in with their password when a provider does not: those of the instance, and those of the organisation whose provider it is. */
export const isLetIn = async (env: Env, user: { id: string; email: string; isAdmin: boolean }): Promise<boolean> => {
  if (user.isAdmin) return true;
  const only = await findOnlyProvider(env, user.email);
  if (only === undefined) return true;
  if (only.organizationId === null) return false;
  const membership = await selectMembership(env.db, user.id);
  return membership?.isAdmin === true && membership.organizationId === only.organizationId;
};
