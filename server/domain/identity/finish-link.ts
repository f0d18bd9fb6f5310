// The second half of linking: who began it has to be signed in still, in the same browser.
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@rowhouse/contract/error.ts';
import { newId } from '@rowhouse/contract/id.ts';
import { resolveAccess } from '../../catalog/access.ts';
import { personAt, writeAudit } from '../../catalog/audit.sql.ts';
import type { SignInProvider } from '../../catalog/sign-in-providers.ts';
import type { PublicContext } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { credentialOf } from '../../endpoint/credential.ts';
import { tellAccount } from '../auth/account-notice.ts';
import { holdActiveUser, selectAccount } from '../user/user.sql.ts';
import { boundDomains } from './bound-domains.ts';
import { isBoundElsewhere, isOfOthers } from './decide-account.ts';
import { insertIdentity, selectIdentityHolder } from './identity.sql.ts';
import { ProviderFailure } from './provider-failure.ts';
import { type ProviderPerson, refusalByAddress } from './read-person.ts';

export const finishLink = async (
  context: PublicContext,
  provider: SignInProvider,
  person: ProviderPerson,
  { userId, headers }: { userId: string; headers: IncomingHttpHeaders },
): Promise<void> => {
  const { db, config, from } = context;
  const credential = credentialOf(headers);
  const principal =
    credential?.kind !== 'session'
      ? undefined
      : await resolveAccess(db, credential, null).then(
          (access) => access.principal,
          (error: unknown) => {
            if (error instanceof ApiError && error.code === 'unauthorized') return undefined;
            throw error;
          },
        );
  if (principal?.userId !== userId) throw new ProviderFailure('changed', 'somebody else is signed in');
  const account = await selectAccount(db, userId);
  const bound = await boundDomains(context, [principal.email]);
  const isElsewhere =
    account === undefined || isOfOthers(provider, account) || isBoundElsewhere(bound, provider, principal);
  const refusal = isElsewhere ? 'elsewhere' : refusalByAddress(provider, person);
  if (refusal !== undefined) throw new ProviderFailure(refusal, `refused: ${refusal}`);
  await retriedTransaction(db, async (tx) => {
    if (!(await holdActiveUser(tx, userId))) throw new ProviderFailure('deactivated', 'the account was deactivated');
    const identity = {
      id: newId('idn'),
      userId,
      issuer: provider.issuer,
      subject: person.subject,
      email: person.email,
    };
    if (!(await insertIdentity(tx, identity))) {
      if ((await selectIdentityHolder(tx, identity)) === userId) return;
      throw new ProviderFailure('linked', 'the identity belongs to another account');
    }
    await writeAudit(
      tx,
      personAt(userId, from),
      'user.identityLinked',
      { member: userId },
      { userId, provider: provider.id },
    );
    await tellAccount(tx, config, { to: principal.email, notice: 'identityLinked' });
  });
};
