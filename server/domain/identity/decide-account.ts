// Whose account an identity signs in to. An address alone is nobody's: docs/adr/0208-identities.md says why.
import type { SignInProblem } from '@rowhouse/contract/identity.ts';
import { domainOf, type SignInProvider, type SignInProviders } from '../../catalog/sign-in-providers.ts';
import type { Account } from '../user/user.sql.ts';
import { type ProviderPerson, refusalByAddress } from './read-person.ts';

interface Known {
  /** Whose the identity is. */
  holder: Account | undefined;
  /** Who has the address that the provider tells, when nobody has the identity. */
  namesake: (Account & { hasIdentityThere: boolean }) | undefined;
}

type Decision =
  | { kind: 'enter'; account: Account }
  | { kind: 'join'; account: Account }
  | { kind: 'create'; email: string }
  | { kind: 'refuse'; problem: SignInProblem };

const refuse = (problem: SignInProblem): Decision => ({ kind: 'refuse', problem });

/** A provider of an organisation signs in neither people of another one nor administrators of the instance. */
export const isOfOthers = (
  { organizationId }: Pick<SignInProvider, 'organizationId'>,
  account: Pick<Account, 'organizationId' | 'isAdmin'>,
): boolean =>
  organizationId !== null &&
  (account.isAdmin || (account.organizationId !== null && account.organizationId !== organizationId));

/** Another provider has the domain of the address for itself. */
export const isBoundElsewhere = (
  providers: Pick<SignInProviders, 'onlyFor'>,
  provider: SignInProvider | null,
  { email, isAdmin }: { email: string; isAdmin: boolean },
): boolean => {
  const only = providers.onlyFor(email);
  return only !== undefined && only.id !== provider?.id && !isAdmin;
};

export const decideAccount = (
  providers: Pick<SignInProviders, 'onlyFor'>,
  provider: SignInProvider,
  person: ProviderPerson,
  { holder, namesake }: Known,
): Decision => {
  const refusal = refusalByAddress(provider, person);
  if (refusal !== undefined) return refuse(refusal);
  if (holder !== undefined) {
    if (!holder.isActive) return refuse('deactivated');
    return isOfOthers(provider, holder) || isBoundElsewhere(providers, provider, holder)
      ? refuse('elsewhere')
      : { kind: 'enter', account: holder };
  }
  const { email } = person;
  if (email === null || !person.isVerified) return refuse('unverified');
  if (isBoundElsewhere(providers, provider, { email, isAdmin: false })) return refuse('elsewhere');
  if (namesake === undefined) return provider.createsAccounts ? { kind: 'create', email } : refuse('unknown');
  if (!namesake.isActive) return refuse('deactivated');
  const isJoined =
    provider.joinsDomains.has(domainOf(email)) &&
    namesake.isVerified &&
    !namesake.isAdmin &&
    !isOfOthers(provider, namesake) &&
    !namesake.hasIdentityThere;
  return isJoined ? { kind: 'join', account: namesake } : refuse('taken');
};
