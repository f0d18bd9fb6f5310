import { ApiError, invalid } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { personAt, writeAudit } from '../../catalog/audit.sql.ts';
import { demandOwnDomain, isLetIn } from '../../catalog/organization-providers.ts';
import type { PublicContext } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { Answer } from '../../endpoint/route.ts';
import { acceptPendingInvitations } from '../invitation/accept-pending-invitations.ts';
import { limitAttempts } from '../user/limit-attempts.ts';
import { verifyPassword } from '../user/password.ts';
import { markVerified, selectForSignIn, updateLastSignIn, type UserMe } from '../user/user.sql.ts';
import { limitSecondFactor, takeCode } from './check-second-factor.ts';
import { createSession } from './create-session.ts';
import { deleteEmailCode } from './email-code.sql.ts';
import { askForCode, checkNewestCode, demandUnused } from './email-code.ts';
import { deleteHalfSignIn, selectFactor, selectHalfSignIn } from './second-factor.sql.ts';
import { beginSecondStep } from './second-step.ts';
import { isEndedThere, waitForLogouts } from './provider-logout.sql.ts';
import { setSessionCookie } from './session-cookie.ts';
import type { SessionOrigin } from './session-origin.ts';

interface SignInInput {
  email: string;
  password: string;
  ip: string;
  userAgent?: string | undefined;
}

// The same words and the same work whether the address is unknown or the password wrong.
const refused = (): ApiError => new ApiError('invalid_credentials', 'The e-mail address or the password is wrong');

const open = async (
  context: PublicContext,
  tx: Tx,
  user: UserMe,
  userAgent: string | undefined,
  origin: SessionOrigin | null = null,
): Promise<Answer> => {
  await writeAudit(tx, personAt(user.id, context.from), 'user.signedIn', { member: user.id });
  const secret = await createSession(context, tx, { user, userAgent, origin });
  return new Answer({ body: user, headers: { 'set-cookie': setSessionCookie(context.config, secret) } });
};

const secondStep = (first: 'password' | 'code', token: string): ApiError =>
  new ApiError(
    'unprocessable_entity',
    `The ${first} is right. Send a code of your authenticator app to /api/auth/signin/second-factor, together with the token`,
    { secondFactorToken: token },
  );

export const signIn = async (context: PublicContext, input: SignInInput): Promise<Answer> => {
  const { db } = context;
  const attempt = await limitAttempts(db, input.email, input.ip);
  const found = await selectForSignIn(db, input.email);
  const fits = await verifyPassword(input.password, found?.passwordHash ?? null);
  // Whether the password is right, nobody is told whom a provider has for itself, administrators excepted.
  if (!fits || found === undefined || !(await isLetIn(context, { ...found, email: input.email })))
    await demandOwnDomain(context, input.email);
  if (found === undefined || !fits) throw refused();
  if (found.hasSecondFactor) {
    const token = await retriedTransaction(db, async (tx) => {
      await attempt.succeeded(tx);
      return beginSecondStep(tx, found.id);
    });
    throw secondStep('password', token);
  }
  return retriedTransaction(db, async (tx) => {
    // Locks the user: a password changed, a second factor set up or an account deactivated since then wins.
    const user = await updateLastSignIn(tx, found.id, {
      passwordHash: found.passwordHash as string,
      hasSecondFactor: false,
    });
    if (user === undefined) throw refused();
    await attempt.succeeded(tx);
    return open(context, tx, user, input.userAgent);
  });
};

export const sendSignInCode = async (
  context: PublicContext,
  { email, ip }: { email: string; ip: string },
): Promise<{ expiresTime: string }> => {
  await demandOwnDomain(context, email);
  const { expiresTime } = await askForCode(context, context.db, { purpose: 'signIn', email, userId: null, ip });
  return { expiresTime };
};

/** Who reads the mail of an address may set a new password, too: this asks for no less, and for the second factor as well. */
export const signInWithCode = async (
  context: PublicContext,
  input: { email: string; code: string; ip: string; userAgent?: string | undefined },
): Promise<Answer> => {
  const { db, from } = context;
  const attempt = await limitAttempts(db, input.email, input.ip);
  await demandOwnDomain(context, input.email);
  const codeId = await checkNewestCode(context, db, {
    purpose: 'signIn',
    email: input.email,
    code: input.code,
    path: 'code',
  });
  const step = await retriedTransaction(db, async (tx): Promise<Answer | ApiError> => {
    demandUnused(await deleteEmailCode(tx, codeId), 'code');
    const found = await selectForSignIn(tx, input.email);
    // Deactivated, or of another address, since the code was sent.
    demandUnused(found !== undefined, 'code');
    const { id, hasSecondFactor } = found as { id: string; hasSecondFactor: boolean };
    await attempt.succeeded(tx);
    if (hasSecondFactor) return secondStep('code', await beginSecondStep(tx, id));
    if (await markVerified(tx, id, input.email)) {
      await acceptPendingInvitations(tx, { userId: id, email: input.email, from });
      await bumpEpochs(tx, [id]);
    }
    const user = await updateLastSignIn(tx, id, { passwordHash: null, hasSecondFactor: false });
    if (user === undefined) throw refused();
    return open(context, tx, user, input.userAgent);
  });
  if (step instanceof ApiError) throw step;
  return step;
};

const over = (): ApiError =>
  invalid({ path: 'token', message: 'The first step was too long ago; sign in with your password again' });

export const signInWithSecondFactor = async (
  context: PublicContext,
  input: { token: string; code: string; userAgent?: string | undefined },
): Promise<Answer> => {
  const { db } = context;
  const hash = hashSecret(input.token);
  const half = await selectHalfSignIn(db, hash);
  if (half === undefined) throw over();
  const { userId, origin } = half;
  await limitSecondFactor(db, userId);
  return retriedTransaction(db, async (tx) => {
    if (origin !== null) {
      await waitForLogouts(tx, origin.issuer);
      if (await isEndedThere(tx, origin)) throw over();
    }
    const user = await updateLastSignIn(tx, userId, { passwordHash: null, hasSecondFactor: true });
    const factor = await selectFactor(tx, userId);
    if (user === undefined || factor?.isConfirmed !== true || !(await deleteHalfSignIn(tx, hash))) throw over();
    await takeCode(context, tx, userId, factor, input.code);
    return open(context, tx, user, input.userAgent, origin);
  });
};
