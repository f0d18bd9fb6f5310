import { ApiError, conflict } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { Answer } from '../../endpoint/route.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { demandPassword } from '../user/demand-password.ts';
import { hashPassword, verifyPassword } from '../user/password.ts';
import { selectPasswordHash, updatePassword } from '../user/user.sql.ts';
import { limitAttempts } from '../user/limit-attempts.ts';
import { clearSessionCookie } from './session-cookie.ts';
import { deleteHalfSignInsOf } from './second-factor.sql.ts';
import { deleteSessionsOf } from './session.sql.ts';

interface ChangePasswordInput {
  password: string;
  newPassword: string;
  ip: string;
}

export const changePassword = async (context: Context, input: ChangePasswordInput): Promise<Answer> => {
  const { db, config, principal } = context;
  demandUnrestricted(principal);
  const attempt = await limitAttempts(db, principal.email, input.ip);
  const current = await selectPasswordHash(db, principal.userId);
  if (!(await verifyPassword(input.password, current)))
    throw new ApiError('invalid_credentials', 'The present password is wrong');
  demandPassword(input.newPassword, principal.email, 'newPassword');
  const next = await hashPassword(input.newPassword);
  await retriedTransaction(db, async (tx) => {
    if (!(await updatePassword(tx, principal.userId, next, current as string)))
      throw conflict('The password was changed by another request');
    await attempt.succeeded(tx);
    await writeAudit(tx, doerOf(context), 'user.passwordChanged', { member: principal.userId });
    await deleteSessionsOf(tx, principal.userId);
    await deleteHalfSignInsOf(tx, principal.userId);
    await bumpEpochs(tx, [principal.userId]);
  });
  return new Answer({ headers: { 'set-cookie': clearSessionCookie(config) } });
};
