// Shuts somebody out, and lets them in again: for the operator and for administrators. What they own and wrote stays.
import { conflict, forbidden, notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { type Doer, operator, writeAudit } from '../../catalog/audit.sql.ts';
import type { Db, Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { deleteAccessTokensOf } from '../access-token/access-token.sql.ts';
import { deleteAuthorizationsOf } from '../oauth/grant.sql.ts';
import { deleteTransactionsOf } from '../oauth/transaction.sql.ts';
import { hasOtherAdmin, isDeleted, selectUser, selectUserIdByEmail, updateDeactivated } from '../user/user.sql.ts';
import { deleteEmailCodesOf } from './email-code.sql.ts';
import { deleteHalfSignInsOf } from './second-factor.sql.ts';
import { deleteSessionsOf } from './session.sql.ts';
import { forgetShut, rememberShut } from './shut-user.sql.ts';

interface Account {
  id: string;
  email: string;
  isAdmin: boolean;
}

/** Behind a lock on all administrators: whatever several of them do at once, one stays. */
export const demandOtherAdmin = async (tx: Tx, { id, email, isAdmin }: Account): Promise<void> => {
  if (isAdmin && !(await hasOtherAdmin(tx, id)))
    throw conflict(`${email} is the only administrator of this instance: make another one first`);
};

/** Everything that somebody comes in with. It does not come back. */
export const endAllWaysIn = async (tx: Tx, { id, email }: Pick<Account, 'id' | 'email'>): Promise<void> => {
  await deleteSessionsOf(tx, id);
  await deleteHalfSignInsOf(tx, id);
  await deleteAuthorizationsOf(tx, id);
  await deleteTransactionsOf(tx, id);
  await deleteAccessTokensOf(tx, id);
  await deleteEmailCodesOf(tx, { userId: id, email });
};

/** False when the account was in that state already. Of an organisation (null: the operator and administrators), which does not take back their word. */
export const changeActive = async (
  tx: Tx,
  doer: Doer,
  user: Account,
  active: boolean,
  organizationId: string | null = null,
): Promise<boolean> => {
  if (!active) await demandOtherAdmin(tx, user);
  const wasShut = active || organizationId === null ? await forgetShut(tx, user.id, organizationId) : false;
  if (active && organizationId !== null && (await isDeleted(tx, user.id)))
    throw forbidden(`User ${user.id} was deleted by the operator of this instance`);
  if (!(await updateDeactivated(tx, user.id, !active))) return false;
  if (active && organizationId !== null && !wasShut)
    throw forbidden(`User ${user.id} was shut out by the operator of this instance`);
  if (!active) {
    if (organizationId !== null) await rememberShut(tx, user.id, organizationId);
    await endAllWaysIn(tx, user);
  }
  await writeAudit(tx, doer, active ? 'user.activated' : 'user.deactivated', { member: user.id }, { userId: user.id });
  await bumpEpochs(tx, [user.id]);
  return true;
};

/** For the operator. */
export const setUserActive = (db: Db, email: string, active: boolean): Promise<boolean> =>
  retriedTransaction(db, async (tx) => {
    const userId = await selectUserIdByEmail(tx, email);
    const user = userId === undefined ? undefined : await selectUser(tx, userId);
    if (user === undefined) throw notFound('User', email);
    if (active && (await isDeleted(tx, user.id)))
      throw conflict(`The account of ${email} is deleted: an administrator restores it in the app`);
    return changeActive(tx, operator, user, active);
  });
