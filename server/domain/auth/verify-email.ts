import { conflict } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { acceptPendingInvitations } from '../invitation/accept-pending-invitations.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { selectUser, markVerified } from '../user/user.sql.ts';
import { deleteEmailCode } from './email-code.sql.ts';
import { askForCode, checkCode, demandUnused, type SentCode } from './email-code.ts';

export const sendVerificationCode = async (context: Context, ip: string): Promise<SentCode> => {
  const { db, principal } = context;
  demandUnrestricted(principal);
  const user = await selectUser(db, principal.userId);
  if (user?.isEmailVerified === true) throw conflict(`${user.email} is verified already`);
  return askForCode(context, db, {
    purpose: 'verify',
    email: user?.email ?? principal.email,
    userId: principal.userId,
    ip,
  });
};

export const verifyEmail = async (context: Context, input: { token: string; code: string }): Promise<void> => {
  const { db, principal } = context;
  demandUnrestricted(principal);
  const { id, email, userId } = await checkCode(context, db, { ...input, purpose: 'verify', path: 'code' });
  demandUnused(userId === principal.userId, 'code');
  await retriedTransaction(db, async (tx) => {
    demandUnused(await deleteEmailCode(tx, id), 'code');
    if (await markVerified(tx, principal.userId, email))
      await acceptPendingInvitations(tx, { userId: principal.userId, email, from: context.from });
  });
};
