// Back from the provider: what it says is checked, and somebody is signed in, or linked with what they are there.
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@rowhouse/contract/error.ts';
import { newId } from '@rowhouse/contract/id.ts';
import { personAt, writeAudit } from '../../catalog/audit.sql.ts';
import type { SignInProvider } from '../../catalog/sign-in-providers.ts';
import type { PublicContext } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import type { Answer } from '../../endpoint/route.ts';
import { createAccount } from '../auth/create-account.ts';
import { createSession } from '../auth/create-session.ts';
import { isEndedThere, waitForLogouts } from '../auth/provider-logout.sql.ts';
import { beginSecondStep } from '../auth/second-step.ts';
import { setSessionCookie } from '../auth/session-cookie.ts';
import { type Account, selectAccount, selectAccountByEmail, updateLastSignIn } from '../user/user.sql.ts';
import { askWho, type ReturnedQuery, type Told } from './ask-who.ts';
import { providerOf } from './begin-sign-in.ts';
import { takeBegun } from './begun-sign-in.sql.ts';
import { browserSecretOf } from './browser-cookie.ts';
import { withProvider } from './connect-provider.ts';
import { boundDomains } from './bound-domains.ts';
import { decideAccount } from './decide-account.ts';
import { finishLink } from './finish-link.ts';
import { enterOrganization } from './enter-organization.ts';
import { insertIdentity, selectIdentities, selectIdentityHolder, useIdentity } from './identity.sql.ts';
import { addressOf, failedAt, redirectTo } from './lead-back.ts';
import { logFailure, ProviderFailure } from './provider-failure.ts';
import type { ProviderPerson } from './read-person.ts';
import { takeGroups } from './take-groups.ts';

interface Returned {
  providerId: string;
  query: ReturnedQuery;
  headers: IncomingHttpHeaders;
}

/** Somebody else was quicker: what was decided no longer holds. */
class Outdated extends Error {}

interface Entered {
  /** Null: the second factor is still to come. */
  session: string | null;
  secondStep: string | null;
}

const enter = async (
  context: PublicContext,
  tx: Tx,
  provider: SignInProvider,
  account: Account,
  { person, origin }: Told,
  userAgent: string | undefined,
): Promise<Entered> => {
  await waitForLogouts(tx, origin.issuer);
  if (await isEndedThere(tx, origin)) throw new ProviderFailure('over', 'the provider has ended the session meanwhile');
  await enterOrganization(context, tx, provider, account.id);
  await takeGroups(context, tx, provider, account.id, person);
  if (account.hasSecondFactor && provider.secondFactor === 'account')
    return { session: null, secondStep: await beginSecondStep(tx, account.id, origin) };
  // Locks the user: an account that was deactivated, or got a second factor, since then is decided about again.
  const user = await updateLastSignIn(tx, account.id, {
    passwordHash: null,
    hasSecondFactor: account.hasSecondFactor,
  });
  if (user === undefined) throw new Outdated();
  await writeAudit(
    tx,
    personAt(user.id, context.from),
    'user.signedIn',
    { member: user.id },
    { provider: provider.id },
  );
  return { session: await createSession(context, tx, { user, userAgent, origin }), secondStep: null };
};

const identityOf = (userId: string, { issuer }: SignInProvider, { subject, email }: ProviderPerson) => ({
  id: newId('idn'),
  userId,
  issuer,
  subject,
  email,
});

const createFor = async (
  context: PublicContext,
  provider: SignInProvider,
  told: Told,
  email: string,
  userAgent: string | undefined,
): Promise<Entered> => {
  const { db, from } = context;
  const { person } = told;
  const made = await createAccount(
    db,
    { email, password: null, name: person.name, isAdmin: false, isVouchedFor: true, from },
    async (tx, user) => {
      if (!(await insertIdentity(tx, identityOf(user.id, provider, person)))) throw new Outdated();
      const account = await selectAccount(tx, user.id);
      return enter(context, tx, provider, account as Account, told, userAgent);
    },
  ).catch((error: unknown) => {
    // The address got an account in between.
    if (error instanceof ApiError && error.code === 'validation_error') throw new Outdated();
    throw error;
  });
  return made.also as Entered;
};

const signInAs = async (
  context: PublicContext,
  provider: SignInProvider,
  told: Told,
  userAgent: string | undefined,
): Promise<Entered> => {
  const { db } = context;
  const { person } = told;
  const { issuer } = provider;
  const holderId = await selectIdentityHolder(db, { issuer, subject: person.subject });
  const namesake =
    holderId === undefined && person.email !== null ? await selectAccountByEmail(db, person.email) : undefined;
  const holder = holderId === undefined ? undefined : await selectAccount(db, holderId);
  const bound = await boundDomains(context, [holder?.email, person.email]);
  const decision = decideAccount(bound, provider, person, {
    holder,
    namesake:
      namesake === undefined
        ? undefined
        : {
            ...namesake,
            hasIdentityThere: (await selectIdentities(db, namesake.id)).some((one) => one.issuer === issuer),
          },
  });
  if (decision.kind === 'refuse') throw new ProviderFailure(decision.problem, `refused: ${decision.problem}`);
  if (decision.kind === 'create') return createFor(context, provider, told, decision.email, userAgent);
  return retriedTransaction(db, async (tx) => {
    const { account } = decision;
    const identity = identityOf(account.id, provider, person);
    if (decision.kind === 'join') {
      if (!(await insertIdentity(tx, identity))) throw new Outdated();
      await writeAudit(
        tx,
        personAt(account.id, context.from),
        'user.identityLinked',
        { member: account.id },
        { userId: account.id, provider: provider.id },
      );
    } else if (!(await useIdentity(tx, identity))) throw new Outdated();
    return enter(context, tx, provider, account, told, userAgent);
  });
};

/** Of two who do the same at once the second one finds what the first has made. */
const mostDecisions = 5;

const signInAtLast = async (...given: Parameters<typeof signInAs>): Promise<Entered> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await signInAs(...given);
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
      if (tries === mostDecisions) throw new ProviderFailure('over', 'the account is changed all the time');
    }
  }
};

const leadIn = (context: PublicContext, redirect: string, { session, secondStep }: Entered): Answer => {
  if (session !== null) return redirectTo(addressOf(context, redirect), [setSessionCookie(context.config, session)]);
  const url = new URL(addressOf(context, '/login'));
  if (redirect !== '/') url.searchParams.set('redirect', redirect);
  // Behind the #: browsers send it to no server.
  url.hash = `second-factor=${secondStep}`;
  return redirectTo(url.href);
};

export const finishSignIn = async (context: PublicContext, input: Returned): Promise<Answer> => {
  const { db, config } = context;
  const { headers, query } = input;
  const provider = await providerOf(context, input.providerId);
  const browser = browserSecretOf(config, headers);
  const state = query.state ?? '';
  // Taken before anything is asked: whatever becomes of it, it does not work a second time.
  const begun =
    browser === undefined
      ? undefined
      : await takeBegun(db, { hash: hashSecret(state), browserHash: hashSecret(browser), providerId: provider.id });
  if (begun === undefined || browser === undefined)
    return failedAt(context, provider, 'over', { redirect: '/', userId: null });
  try {
    const told = await withProvider(provider, (connected) =>
      askWho(context, provider, connected, query, { state, browser }),
    );
    if (begun.userId !== null) {
      await finishLink(context, provider, told.person, { userId: begun.userId, headers });
      return redirectTo(addressOf(context, begun.redirect));
    }
    return leadIn(context, begun.redirect, await signInAtLast(context, provider, told, headers['user-agent']));
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    logFailure(context, provider, error);
    return failedAt(context, provider, error.problem, begun);
  }
};
