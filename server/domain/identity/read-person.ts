// What a provider says of a person, as far as anything here rests on it.
import { claimedValues } from '../../catalog/claim-rules.ts';
import { domainOf, type SignInProvider } from '../../catalog/sign-in-providers.ts';

export interface ProviderPerson {
  subject: string;
  /** Null: none, or none that an account can have. */
  email: string | null;
  /** The provider vouches for the address. */
  isVerified: boolean;
  name: string | undefined;
  hasSecondFactor: boolean;
  /** Null: the provider has no claim for groups, or did not send it. */
  groups: readonly string[] | null;
  /** Of the session there; null when it names none. */
  sid: string | null;
}

/** Only ASCII: some other letters become it in lower case, and the address would be that of somebody else. */
const addressForm = /^(?=.{3,254}$)[!-?A-~]+@[A-Za-z0-9.-]+$/;

/** Some providers send words or numbers. */
const isYes = (claim: unknown): boolean => claim === true || claim === 'true' || claim === 1 || claim === '1';

const textOf = (claim: unknown): string | undefined => {
  if (typeof claim !== 'string') return undefined;
  const plain = claim
    .toWellFormed()
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed();
  return plain === '' ? undefined : plain;
};

export const readPerson = (
  { verifiedClaim, acrValues, groupsClaim }: Pick<SignInProvider, 'verifiedClaim' | 'acrValues' | 'groupsClaim'>,
  claims: Record<string, unknown> & { sub: string },
): ProviderPerson => {
  const { sub, email, amr, acr, sid } = claims;
  const isAddress = typeof email === 'string' && addressForm.test(email);
  return {
    subject: sub,
    email: isAddress ? email.toLowerCase() : null,
    isVerified: isAddress && isYes(claims[verifiedClaim]),
    name: textOf(claims['name']) ?? textOf(claims['preferred_username']),
    hasSecondFactor:
      (Array.isArray(amr) && amr.includes('mfa')) || (typeof acr === 'string' && acrValues.includes(acr)),
    groups: groupsClaim === null ? null : claimedValues(claims, groupsClaim),
    sid: typeof sid === 'string' && sid !== '' && sid.length <= 500 ? sid : null,
  };
};

/** What vouches for an address counts for that address alone, so both come from one place. */
export const withUserinfo = <T extends Record<string, unknown>>(
  { verifiedClaim }: Pick<SignInProvider, 'verifiedClaim'>,
  claims: T,
  told: Record<string, unknown>,
): T => {
  const isTold =
    claims['email'] === undefined || (claims[verifiedClaim] === undefined && told['email'] === claims['email']);
  const address = isTold ? told : claims;
  return { ...told, ...claims, email: address['email'], [verifiedClaim]: address[verifiedClaim] };
};

/** Undefined: the address does not keep the person out. */
export const refusalByAddress = (
  { emailDomains, secondFactor }: Pick<SignInProvider, 'emailDomains' | 'secondFactor'>,
  person: ProviderPerson,
): 'weak' | 'unverified' | 'domain' | undefined => {
  if (secondFactor === 'demanded' && !person.hasSecondFactor) return 'weak';
  if (emailDomains === null) return undefined;
  if (person.email === null || !person.isVerified) return 'unverified';
  return emailDomains.has(domainOf(person.email)) ? undefined : 'domain';
};
