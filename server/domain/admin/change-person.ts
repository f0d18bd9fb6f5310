// What administrators do to accounts: each act in one transaction with its entry in the audit log.
import type { updateAdminUser as endpoint } from '@rowhouse/contract/admin-user.ts';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { conflict, notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { revokeToken } from '../access-token/delete-access-token.ts';
import { tellAccount } from '../auth/account-notice.ts';
import { makePasswordLink, type PasswordLink } from '../auth/password-link.ts';
import { takeSecondFactorOff } from '../auth/second-factor.ts';
import { deleteSessionById } from '../auth/session.sql.ts';
import { changeActive, demandOtherAdmin, endAllWaysIn } from '../auth/set-user-active.ts';
import { demandNoSpaces, eraseAccount } from '../personal/delete-account.ts';
import { hasOtherAdmin, markDeleted, unmarkDeleted, updateAdmin, updateName } from '../user/user.sql.ts';
import { hasTokenOf, lockPerson } from './person.sql.ts';

type Locked = NonNullable<Awaited<ReturnType<typeof lockPerson>>>;

const withPerson = <T>(
  context: Context,
  userId: string,
  act: (tx: Tx, person: Locked) => Promise<T>,
  { mayShutOut = false } = {},
): Promise<T> =>
  retriedTransaction(context.db, async (tx) => {
    // All administrators before the one it is about: two who shut each other out wait in the same order.
    if (mayShutOut) await hasOtherAdmin(tx, userId);
    const person = await lockPerson(tx, userId);
    if (person === undefined) throw notFound('User', userId);
    return act(tx, person);
  });

const demandPresent = ({ email, isDeleted }: Locked): void => {
  if (isDeleted) throw conflict(`The account of ${email} is deleted: restore it first`);
};

const tell = (
  tx: Tx,
  context: Context,
  action: Parameters<typeof writeAudit>[2],
  { id }: Locked,
  more: Record<string, unknown> = {},
): Promise<void> => writeAudit(tx, doerOf(context), action, { member: id }, { userId: id, ...more });

export const updatePerson = (
  context: Context,
  userId: string,
  { name, isActivated }: BodyOf<typeof endpoint>,
): Promise<void> =>
  withPerson(
    context,
    userId,
    async (tx, person) => {
      demandPresent(person);
      if (name !== undefined && name !== person.name) {
        await updateName(tx, userId, name);
        await tell(tx, context, 'user.renamed', person, { name });
      }
      if (isActivated !== undefined) await changeActive(tx, doerOf(context), person, isActivated);
    },
    { mayShutOut: isActivated === false },
  );

export const setPersonAdmin = (context: Context, userId: string, isAdmin: boolean): Promise<void> =>
  withPerson(
    context,
    userId,
    async (tx, person) => {
      demandPresent(person);
      if (isAdmin && !person.isActive)
        throw conflict(`The account of ${person.email} is deactivated: activate it first`);
      if (!isAdmin && person.isActive) await demandOtherAdmin(tx, person);
      if (!(await updateAdmin(tx, userId, isAdmin))) return;
      await tell(tx, context, isAdmin ? 'user.madeAdmin' : 'user.unmadeAdmin', person);
      await bumpEpochs(tx, [userId]);
    },
    { mayShutOut: !isAdmin },
  );

export const deletePerson = (context: Context, userId: string): Promise<void> =>
  withPerson(
    context,
    userId,
    async (tx, person) => {
      if (person.isActive) await demandOtherAdmin(tx, person);
      if (!(await markDeleted(tx, userId))) throw conflict(`The account of ${person.email} is deleted already`);
      await endAllWaysIn(tx, person);
      await tell(tx, context, 'user.deleted', person);
      await bumpEpochs(tx, [userId]);
    },
    { mayShutOut: true },
  );

export const restorePerson = (context: Context, userId: string): Promise<void> =>
  withPerson(context, userId, async (tx, person) => {
    if (!(await unmarkDeleted(tx, userId))) throw conflict(`The account of ${person.email} is not deleted`);
    await tell(tx, context, 'user.restored', person);
    await bumpEpochs(tx, [userId]);
  });

export const erasePerson = (context: Context, userId: string): Promise<void> =>
  withPerson(context, userId, async (tx, person) => {
    if (!person.isDeleted) throw conflict(`The account of ${person.email} is not deleted: delete it first`);
    await demandNoSpaces(tx, userId);
    await tell(tx, context, 'user.erased', person);
    await eraseAccount(tx, userId);
  });

export const linkPerson = (context: Context, userId: string): Promise<PasswordLink> =>
  withPerson(context, userId, async (tx, person) => {
    demandPresent(person);
    if (!person.isActive) throw conflict(`The account of ${person.email} is deactivated: activate it first`);
    await tell(tx, context, 'user.passwordLinkMade', person);
    return makePasswordLink(context, tx, person);
  });

export const endPersonSession = (context: Context, userId: string, sessionId: string): Promise<void> =>
  withPerson(context, userId, async (tx, person) => {
    if (!(await deleteSessionById(tx, userId, sessionId))) throw notFound('Session', sessionId);
    await tell(tx, context, 'user.sessionsEnded', person);
    await bumpEpochs(tx, [userId]);
  });

export const revokePersonToken = (context: Context, userId: string, tokenId: string): Promise<void> =>
  withPerson(context, userId, async (tx) => {
    if (!(await hasTokenOf(tx, userId, tokenId))) throw notFound('Access token', tokenId);
    await revokeToken(tx, doerOf(context), tokenId);
  });

export const removePersonFactor = (context: Context, userId: string): Promise<void> =>
  withPerson(context, userId, async (tx, person) => {
    if (!(await takeSecondFactorOff(tx, doerOf(context), userId))) throw notFound('Second factor');
    await tellAccount(tx, context.config, { to: person.email, notice: 'secondFactorRemoved' });
  });
