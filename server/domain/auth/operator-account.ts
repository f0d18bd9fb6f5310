// What the operator does to accounts without the word of their owners.
import { conflict, notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { operator, writeAudit } from '../../catalog/audit.sql.ts';
import type { Db, Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { acceptPendingInvitations } from '../invitation/accept-pending-invitations.ts';
import { demandPassword } from '../user/demand-password.ts';
import { hashPassword } from '../user/password.ts';
import { markVerified, selectUserIdByEmail, updateEmail, updatePassword } from '../user/user.sql.ts';
import { deleteEmailCodesOf } from './email-code.sql.ts';
import { deleteHalfSignInsOf } from './second-factor.sql.ts';
import { deleteSessionsOf } from './session.sql.ts';

export const userIdOf = async (tx: Tx, email: string): Promise<string> => {
  const userId = await selectUserIdByEmail(tx, email);
  if (userId === undefined) throw notFound('User', email);
  return userId;
};

/** A new password, without knowing the old one. Ends all sessions. */
export const resetPassword = async (db: Db, input: { email: string; password: string }): Promise<void> => {
  demandPassword(input.password, input.email);
  const passwordHash = await hashPassword(input.password);
  await retriedTransaction(db, async (tx) => {
    const userId = await userIdOf(tx, input.email);
    await updatePassword(tx, userId, passwordHash);
    await deleteSessionsOf(tx, userId);
    await deleteHalfSignInsOf(tx, userId);
    await deleteEmailCodesOf(tx, { userId, email: input.email });
    await writeAudit(tx, operator, 'user.passwordReset', { member: userId }, { userId });
    await bumpEpochs(tx, [userId]);
  });
};

/** Vouches for the address; what it was invited to takes effect. False when it was verified already. */
export const verifyUser = (db: Db, email: string): Promise<boolean> =>
  retriedTransaction(db, async (tx) => {
    const userId = await userIdOf(tx, email);
    if (!(await markVerified(tx, userId, email))) return false;
    await acceptPendingInvitations(tx, { userId, email });
    return true;
  });

export const changeUserEmail = (db: Db, email: string, newEmail: string): Promise<void> =>
  retriedTransaction(db, async (tx) => {
    const userId = await userIdOf(tx, email);
    if (!(await updateEmail(tx, userId, newEmail.toLowerCase())))
      throw conflict(`The e-mail address ${newEmail} already has an account`);
    await deleteEmailCodesOf(tx, { userId, email });
    await acceptPendingInvitations(tx, { userId, email: newEmail });
    await writeAudit(tx, operator, 'user.emailChanged', { member: userId }, { userId });
    await bumpEpochs(tx, [userId]);
  });
