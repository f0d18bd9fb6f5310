import { ApiError, forbidden } from '@rowhouse/contract/error.ts';
import { demandOwnDomain } from '../../catalog/organization-providers.ts';
import type { PublicContext } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { Answer } from '../../endpoint/route.ts';
import { hasMailedInvitation } from '../invitation/accept-pending-invitations.ts';
import { demandTakenDomains } from '../setting/demand-domain.ts';
import { selectDecisions } from '../setting/setting.sql.ts';
import { demandPassword } from '../user/demand-password.ts';
import { networkOf } from '../user/limit-attempts.ts';
import { limitUses } from '../user/limit-uses.ts';
import { createAccount } from './create-account.ts';
import { createSession } from './create-session.ts';
import { deleteEmailCode } from './email-code.sql.ts';
import { askForCode, checkCode, demandUnused, type SentCode } from './email-code.ts';
import { setSessionCookie } from './session-cookie.ts';

/**
 * Accounts made by the thousand: so many per client and window, whatever their addresses. Generous, because a school or
 * a company may sign up within an hour from behind one address.
 */
const limitSignUps = (db: Queryable, ip: string): Promise<void> =>
  limitUses(db, {
    key: ['sign-up', networkOf(ip)],
    limit: 200,
    minutes: 15,
    message: 'Too many accounts were made from here',
  });

interface SignUpInput {
  email: string;
  password: string;
  name?: string | undefined;
  defaultSpaceName?: string | undefined;
  invitationId?: string | undefined;
  invitationCode?: string | undefined;
  verification?: { code: string; token: string } | undefined;
  ip: string;
  userAgent?: string | undefined;
}

const demandOpen = ({ config }: PublicContext): void => {
  if (config.signUp === 'closed')
    throw forbidden('Creating an account is switched off here; an administrator can make one');
};

export const sendSignUpCode = async (
  context: PublicContext,
  input: { email: string; ip: string },
): Promise<SentCode> => {
  demandOpen(context);
  await demandTakenDomains(context.db, [input.email], 'email');
  return askForCode(context, context.db, { purpose: 'signUp', email: input.email, userId: null, ip: input.ip });
};

/** The id of the code that proves the address; null for the secret of an invitation that was mailed to it; undefined where nothing has to be proven. */
const proveAddress = async (context: PublicContext, input: SignUpInput): Promise<Buffer | null | undefined> => {
  if (context.config.smtpUrl === null) return undefined;
  if (input.verification !== undefined) {
    const { id, email } = await checkCode(context, context.db, {
      ...input.verification,
      purpose: 'signUp',
      path: 'verification.code',
    });
    demandUnused(email.toLowerCase() === input.email.toLowerCase(), 'verification.code');
    return id;
  }
  if (
    await hasMailedInvitation(context.db, input.email, {
      id: input.invitationId ?? '',
      code: input.invitationCode ?? '',
    })
  )
    return null;
  // The same for an address that has an account: what the e-mail says is another thing.
  const sent = await sendSignUpCode(context, input);
  throw new ApiError(
    'unprocessable_entity',
    `Verify your e-mail address: a code is on its way to ${input.email}`,
    sent,
  );
};

export const signUp = async (context: PublicContext, input: SignUpInput): Promise<Answer> => {
  const { db, config, from } = context;
  demandOpen(context);
  await demandOwnDomain(context, input.email);
  await demandTakenDomains(db, [input.email], 'email');
  await limitSignUps(db, input.ip);
  demandPassword(input.password, input.email);
  const proof = await proveAddress(context, input);
  const { user, also: secret } = await createAccount(
    db,
    {
      email: input.email,
      password: input.password,
      name: input.name?.trim() || undefined,
      spaceName: input.defaultSpaceName,
      onlyInvited: config.signUp === 'invited' || (await selectDecisions(db)).disallowSignUp,
      invitation: { id: input.invitationId ?? '', code: input.invitationCode ?? '' },
      isVouchedFor: proof !== undefined,
      from,
    },
    async (tx, user) => {
      if (proof !== undefined && proof !== null) demandUnused(await deleteEmailCode(tx, proof), 'verification.code');
      return createSession(context, tx, { user, userAgent: input.userAgent });
    },
  );
  return new Answer({ body: user, headers: { 'set-cookie': setSessionCookie(config, secret as string) } });
};
