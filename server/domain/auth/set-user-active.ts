// For the operator: shuts somebody out, and lets them in again. What they own and wrote stays.
import { conflict, notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { operator, writeAudit } from '../../catalog/audit.sql.ts';
import type { Db } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { deleteAccessTokensOf } from '../access-token/access-token.sql.ts';
import { deleteAuthorizationsOf } from '../oauth/grant.sql.ts';
import { deleteTransactionsOf } from '../oauth/transaction.sql.ts';
import { hasOtherAdmin, selectUser, selectUserIdByEmail, updateDeactivated } from '../user/user.sql.ts';
import { deleteHalfSignInsOf } from './second-factor.sql.ts';
import { deleteSessionsOf } from './session.sql.ts';

/** Sessions, access tokens and what applications were allowed end with it and do not come back. False when the account was in that state already. */
export const setUserActive = (db: Db, email: string, active: boolean): Promise<boolean> =>
  retriedTransaction(db, async (tx) => {
    const userId = await selectUserIdByEmail(tx, email);
    const user = userId === undefined ? undefined : await selectUser(tx, userId);
    if (user === undefined) throw notFound('User', email);
    if (!active && user.isAdmin && !(await hasOtherAdmin(tx, user.id)))
      throw conflict(`${email} is the only administrator of this instance: make another one first`);
    if (!(await updateDeactivated(tx, user.id, !active))) return false;
    if (!active) {
      await deleteSessionsOf(tx, user.id);
      await deleteHalfSignInsOf(tx, user.id);
      await deleteAuthorizationsOf(tx, user.id);
      await deleteTransactionsOf(tx, user.id);
      await deleteAccessTokensOf(tx, user.id);
    }
    await writeAudit(
      tx,
      operator,
      active ? 'user.activated' : 'user.deactivated',
      { member: user.id },
      { userId: user.id },
    );
    await bumpEpochs(tx, [user.id]);
    return true;
  });
