// A forgotten password: a link is mailed to the address, and gives its account a new one.
import type { PublicContext } from '../../context.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { personAt, writeAudit } from '../../catalog/audit.sql.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { acceptPendingInvitations } from '../invitation/accept-pending-invitations.ts';
import { demandPassword } from '../user/demand-password.ts';
import { hashPassword } from '../user/password.ts';
import { markVerified, selectForSignIn, updatePassword } from '../user/user.sql.ts';
import { tellAccount } from './account-notice.ts';
import { deleteEmailCode, deleteEmailCodesOf } from './email-code.sql.ts';
import { askForCode, checkLinkCode, demandUnused } from './email-code.ts';
import { deleteHalfSignInsOf } from './second-factor.sql.ts';
import { deleteSessionsOf } from './session.sql.ts';

export const sendResetPasswordEmail = async (
  context: PublicContext,
  input: { email: string; ip: string },
): Promise<void> => {
  await askForCode(context, context.db, { purpose: 'resetPassword', email: input.email, userId: null, ip: input.ip });
};

export const resetPassword = async (
  context: PublicContext,
  input: { password: string; code: string },
): Promise<void> => {
  const { db, config, from } = context;
  const { id, email, purpose } = await checkLinkCode(context, db, input.code);
  demandPassword(input.password, email);
  const passwordHash = await hashPassword(input.password);
  await retriedTransaction(db, async (tx) => {
    demandUnused(await deleteEmailCode(tx, id), 'code');
    const user = await selectForSignIn(tx, email);
    // Deactivated, or of another address, since the link was sent.
    demandUnused(user !== undefined, 'code');
    const userId = (user as { id: string }).id;
    await updatePassword(tx, userId, passwordHash);
    await deleteSessionsOf(tx, userId);
    await deleteHalfSignInsOf(tx, userId);
    await deleteEmailCodesOf(tx, { userId, email });
    // A person who was handed a link by an administrator need not read the e-mails of the address.
    if (purpose === 'resetPassword' && (await markVerified(tx, userId, email)))
      await acceptPendingInvitations(tx, { userId, email, from });
    await tellAccount(tx, config, { to: email, notice: 'passwordReset' });
    await writeAudit(tx, personAt(userId, from), 'user.passwordReset', { member: userId }, { userId });
    await bumpEpochs(tx, [userId]);
  });
};
