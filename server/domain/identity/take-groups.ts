// Groups by what a provider says: at each sign-in, and none any more when the identity is unlinked.
import { type Doer, personAt } from '../../catalog/audit.sql.ts';
import type { SignInProvider } from '../../catalog/sign-in-providers.ts';
import type { Environment, PublicContext } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { provideGroups } from '../group/provide-groups.ts';
import { logNote } from './provider-failure.ts';
import type { ProviderPerson } from './read-person.ts';

/** Of the file a provider is known by its issuer, also under another id; organisations may have one issuer each as a client of their own. */
const sourceOf = ({ id, issuer, organizationId }: Pick<SignInProvider, 'id' | 'issuer' | 'organizationId'>): string =>
  `oidc:${organizationId === null ? issuer : id}`;

export const takeGroups = async (
  context: Pick<PublicContext, 'plans' | 'now' | 'from' | 'config' | 'logStream'>,
  tx: Tx,
  provider: SignInProvider,
  userId: string,
  { groups }: Pick<ProviderPerson, 'groups'>,
): Promise<void> => {
  const { id, groupsClaim, groupRules } = provider;
  const values = new Set(groups);
  const leftOut = await provideGroups(tx, context, {
    userId,
    source: sourceOf(provider),
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

/** What providers of an issuer have given ends with the identity. */
export const dropGroups = async (
  tx: Tx,
  environment: Pick<Environment, 'plans' | 'now'>,
  {
    userId,
    issuer,
    providers,
    doer,
  }: { userId: string; issuer: string; providers: readonly SignInProvider[]; doer: Doer },
): Promise<void> => {
  const own = providers.filter((one) => one.issuer === issuer);
  const sources = new Set([sourceOf({ id: '', issuer, organizationId: null }), ...own.map(sourceOf)]);
  for (const source of sources)
    await provideGroups(tx, environment, { userId, source, provider: own[0]?.id ?? issuer, doer, rules: [] });
};
