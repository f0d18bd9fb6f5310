import type { IncomingHttpHeaders } from 'node:http';
import { conflict, notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { findProvidersByIssuer } from '../../catalog/organization-providers.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { credentialOf } from '../../endpoint/credential.ts';
import { tellAccount } from '../auth/account-notice.ts';
import { deleteHalfSignInsOf } from '../auth/second-factor.sql.ts';
import { deleteOtherSessions } from '../auth/session.sql.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { lockAccount } from '../user/user.sql.ts';
import { boundDomains } from './bound-domains.ts';
import { isBoundElsewhere, isOfOthers } from './decide-account.ts';
import { deleteIdentity, selectIdentities } from './identity.sql.ts';
import { dropGroups } from './take-groups.ts';

export const unlinkIdentity = async (
  context: Context,
  identityId: string,
  headers: IncomingHttpHeaders,
): Promise<void> => {
  const { db, config, principal } = context;
  const { userId } = principal;
  demandUnrestricted(principal);
  const bound = await boundDomains(context, [principal.email]);
  const providers = await findProvidersByIssuer(
    context,
    (await selectIdentities(db, userId)).map(({ issuer }) => issuer),
  );
  await retriedTransaction(db, async (tx) => {
    // Of two that are unlinked at once one waits for the other.
    const account = await lockAccount(tx, userId);
    const identities = await selectIdentities(tx, userId);
    const identity = identities.find(({ id }) => id === identityId);
    if (account === undefined || identity === undefined) throw notFound('Identity', identityId);
    const byPassword = account.hasPassword && !isBoundElsewhere(bound, null, account);
    const others = identities.filter(
      ({ id, issuer }) =>
        id !== identityId &&
        providers.some(
          (one) => one.issuer === issuer && !isOfOthers(one, account) && !isBoundElsewhere(bound, one, account),
        ),
    );
    if (!byPassword && others.length === 0)
      throw conflict(
        account.hasPassword
          ? 'This is the only way in that people of your domain have'
          : 'This is your only way in: add a password or link another identity first',
      );
    await deleteIdentity(tx, userId, identityId);
    const provider = providers.find(({ issuer }) => issuer === identity.issuer)?.id ?? identity.issuer;
    await dropGroups(tx, context, { userId, issuer: identity.issuer, providers, doer: doerOf(context) });
    const credential = credentialOf(headers);
    await deleteOtherSessions(tx, userId, credential?.kind === 'session' ? credential.hash : null);
    await deleteHalfSignInsOf(tx, userId);
    await writeAudit(tx, doerOf(context), 'user.identityUnlinked', { member: userId }, { userId, provider });
    await tellAccount(tx, config, { to: principal.email, notice: 'identityUnlinked' });
    await bumpEpochs(tx, [userId]);
  });
};
