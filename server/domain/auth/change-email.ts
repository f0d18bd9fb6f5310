import { ApiError, conflict, invalid } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { demandOwnDomain } from '../../catalog/organization-providers.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { acceptPendingInvitations } from '../invitation/accept-pending-invitations.ts';
import { demandTakenDomains } from '../setting/demand-domain.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { limitAttempts } from '../user/limit-attempts.ts';
import { verifyPassword } from '../user/password.ts';
import { selectPasswordHash, updateEmail } from '../user/user.sql.ts';
import { tellAccount } from './account-notice.ts';
import { deleteEmailCode, deleteEmailCodesOf } from './email-code.sql.ts';
import { askForCode, checkCode, demandMail, demandUnused, type SentCode } from './email-code.ts';

export const sendChangeEmailCode = async (
  context: Context,
  input: { email: string; password: string; ip: string },
): Promise<SentCode> => {
  const { db, principal } = context;
  demandUnrestricted(principal);
  demandMail(context);
  const attempt = await limitAttempts(db, principal.email, input.ip);
  if (!(await verifyPassword(input.password, await selectPasswordHash(db, principal.userId))))
    throw new ApiError('invalid_credentials', 'The present password is wrong');
  await attempt.succeeded(db);
  // Neither away from a provider, nor to a domain whose people it vouches for.
  if (!principal.isAdmin) {
    for (const email of [principal.email, input.email]) await demandOwnDomain(context, email);
  }
  await demandTakenDomains(db, [input.email], 'email');
  if (input.email.toLowerCase() === principal.email.toLowerCase())
    throw invalid({ path: 'email', message: 'This is the address of your account already' });
  return askForCode(context, db, {
    purpose: 'changeEmail',
    email: input.email.toLowerCase(),
    userId: principal.userId,
    ip: input.ip,
  });
};

export const changeEmail = async (
  context: Context,
  input: { email: string; token: string; code: string },
): Promise<void> => {
  const { db, config, principal } = context;
  demandUnrestricted(principal);
  const { id, email, userId } = await checkCode(context, db, { ...input, purpose: 'changeEmail', path: 'code' });
  demandUnused(userId === principal.userId && email === input.email.toLowerCase(), 'code');
  await retriedTransaction(db, async (tx) => {
    demandUnused(await deleteEmailCode(tx, id), 'code');
    if (!(await updateEmail(tx, principal.userId, email)))
      throw conflict(`The e-mail address ${email} already has an account`);
    await deleteEmailCodesOf(tx, { userId: principal.userId, email: principal.email });
    await acceptPendingInvitations(tx, { userId: principal.userId, email, from: context.from });
    await tellAccount(tx, config, { to: principal.email, notice: 'emailChanged' });
    await writeAudit(
      tx,
      doerOf(context),
      'user.emailChanged',
      { member: principal.userId },
      { userId: principal.userId },
    );
    await bumpEpochs(tx, [principal.userId]);
  });
};
