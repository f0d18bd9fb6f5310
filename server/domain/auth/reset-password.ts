// For the operator: gives somebody a new password without knowing the old one. Ends their sessions.
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import { isAcceptablePassword } from '@rowhouse/contract/user.ts';
import { bumpEpoch } from '../../catalog/access.sql.ts';
import { operator, writeAudit } from '../../catalog/audit.sql.ts';
import type { Db } from '../../db/db.ts';
import { hashPassword } from '../user/password.ts';
import { selectUserIdByEmail, updatePassword } from '../user/user.sql.ts';
import { deleteSessionsOf } from './session.sql.ts';

export const resetPassword = async (db: Db, input: { email: string; password: string }): Promise<void> => {
  if (!isAcceptablePassword(input.password)) {
    throw invalid({ path: 'password', message: 'Expected 8 to 256 characters with a letter and a digit' });
  }
  const passwordHash = await hashPassword(input.password);
  await db.transaction(async (tx) => {
    const userId = await selectUserIdByEmail(tx, input.email);
    if (userId === undefined) throw notFound('User', input.email);
    await updatePassword(tx, userId, passwordHash);
    await deleteSessionsOf(tx, userId);
    await writeAudit(tx, operator, 'user.passwordReset', { member: userId }, { userId });
    await bumpEpoch(tx);
  });
};
