// POST /auth/add-password, for accounts that were made by signing in through a provider.
import { conflict } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { demandOwnDomain } from '../../catalog/organization-providers.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { demandPassword } from '../user/demand-password.ts';
import { demandProof } from '../user/demand-proof.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { hashPassword } from '../user/password.ts';
import { addPasswordTo, selectPasswordHash } from '../user/user.sql.ts';
import { tellAccount } from './account-notice.ts';

const known = () => conflict('This account has a password already; change it with the present one');

export const addPassword = async (context: Context, input: { password: string; ip: string }): Promise<void> => {
  const { db, config, principal } = context;
  const { userId, email } = principal;
  demandUnrestricted(principal);
  if ((await selectPasswordHash(db, userId)) !== null) throw known();
  if (!principal.isAdmin) await demandOwnDomain(context, email);
  await demandProof(context, undefined, input.ip, 'Adding a password');
  demandPassword(input.password, email);
  const passwordHash = await hashPassword(input.password);
  await retriedTransaction(db, async (tx) => {
    if (!(await addPasswordTo(tx, userId, passwordHash))) throw known();
    await writeAudit(tx, doerOf(context), 'user.passwordAdded', { member: userId }, { userId });
    await tellAccount(tx, config, { to: email, notice: 'passwordAdded' });
  });
};
