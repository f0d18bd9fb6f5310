// Where somebody is signed in: shown to them, and ended by them or by an administrator.
import type { IncomingHttpHeaders } from 'node:http';
import { forbidden, notFound } from '@rowhouse/contract/error.ts';
import type { Session } from '@rowhouse/contract/session.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { credentialOf } from '../../endpoint/credential.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { selectUser } from '../user/user.sql.ts';
import { deleteOtherSessions, deleteSessionById, deleteSessionsOf, selectSessions } from './session.sql.ts';

const currentOf = (headers: IncomingHttpHeaders): Buffer | null => {
  const credential = credentialOf(headers);
  return credential?.kind === 'session' ? credential.hash : null;
};

export const listSessions = async (
  { db, principal }: Context,
  headers: IncomingHttpHeaders,
): Promise<{ sessions: Session[] }> => {
  demandUnrestricted(principal);
  return { sessions: await selectSessions(db, principal.userId, currentOf(headers)) };
};

/** Tells the audit log, and ends what the sessions have open. */
const tellEnded = async (tx: Tx, context: Context, userId: string): Promise<void> => {
  await writeAudit(tx, doerOf(context), 'user.sessionsEnded', { member: userId }, { userId });
  await bumpEpochs(tx, [userId]);
};

export const endSession = async (context: Context, sessionId: string): Promise<void> => {
  const { db, principal } = context;
  demandUnrestricted(principal);
  await retriedTransaction(db, async (tx) => {
    if (!(await deleteSessionById(tx, principal.userId, sessionId))) throw notFound('Session', sessionId);
    await tellEnded(tx, context, principal.userId);
  });
};

const endAll = (context: Context, userId: string, end: (tx: Tx) => Promise<number>): Promise<{ ended: number }> =>
  retriedTransaction(context.db, async (tx) => {
    const ended = await end(tx);
    if (ended > 0) await tellEnded(tx, context, userId);
    return { ended };
  });

export const endOtherSessions = (context: Context, headers: IncomingHttpHeaders): Promise<{ ended: number }> => {
  const { userId } = context.principal;
  const current = currentOf(headers);
  if (current === null) throw forbidden('Only a session has others beside it; with a token, end them one by one');
  return endAll(context, userId, (tx) => deleteOtherSessions(tx, userId, current));
};

export const endSessionsOfUser = async (context: Context, userId: string): Promise<{ ended: number }> => {
  if ((await selectUser(context.db, userId)) === undefined) throw notFound('User', userId);
  return endAll(context, userId, (tx) => deleteSessionsOf(tx, userId));
};
