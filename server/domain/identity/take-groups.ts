// Groups by what a provider says: at each sign-in, and none any more when the identity is unlinked.
import { type Doer, personAt } from '../../catalog/audit.sql.ts';
import type { SignInProvider } from '../../catalog/sign-in-providers.ts';
import type { Environment, PublicContext } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { provideGroups } from '../group/provide-groups.ts';
import { logNote } from './provider-failure.ts';
import type { ProviderPerson } from './read-person.ts';

const sourceOf = (issuer: string): string => `oidc:${issuer}`;

export const takeGroups = async (
  context: Pick<PublicContext, 'plans' | 'now' | 'from' | 'config' | 'logStream'>,
  tx: Tx,
  provider: SignInProvider,
  userId: string,
  { groups }: Pick<ProviderPerson, 'groups'>,
): Promise<void> => {
  const { id, issuer, groupsClaim, groupRules } = provider;
  const values = new Set(groups);
  const leftOut = await provideGroups(tx, context, {
    userId,
    source: sourceOf(issuer),
    provider: id,
    doer: personAt(userId, context.from),
    rules: groupRules.filter(({ value }) => values.has(value)),
  });
  // Nobody keeps a right because a claim is missing; but the operator will want to know.
  if (groupsClaim !== null && groups === null)
    logNote(context, `Signing in through ${id}: the claim ${groupsClaim.join('.')} is missing, so it gives no groups`);
  if (leftOut.length > 0)
    logNote(context, `Signing in through ${id}: the plan has no groups, or no seat, in ${leftOut.join(', ')}`);
};

/** What the provider has given ends with the identity. */
export const dropGroups = async (
  tx: Tx,
  environment: Pick<Environment, 'plans' | 'now'>,
  { userId, issuer, provider, doer }: { userId: string; issuer: string; provider: string; doer: Doer },
): Promise<void> => {
  await provideGroups(tx, environment, { userId, source: sourceOf(issuer), provider, doer, rules: [] });
};
