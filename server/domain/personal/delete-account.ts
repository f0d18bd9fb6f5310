// An account ends. Everything that is somebody's alone hangs on their row and goes with it; a row of the same id without a name stays in its
// place, because records, comments and histories of others name it.
import { ApiError, conflict } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { Answer } from '../../endpoint/route.ts';
import { clearSessionCookie } from '../auth/session-cookie.ts';
import { lockOwnSpaces } from '../collaborator/collaborator.sql.ts';
import { deletePublicFiles } from '../file/public-file.sql.ts';
import { deleteOwnClient, selectClients } from '../oauth/client.sql.ts';
import { selectGrantors } from '../oauth/grant.sql.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { limitAttempts } from '../user/limit-attempts.ts';
import { verifyPassword } from '../user/password.ts';
import { forgetUser, hasOtherAdmin, hasSignedInLately, selectPasswordHash } from '../user/user.sql.ts';

/** The password, or a sign-in of just now: a browser that somebody left open is not enough. */
const demandProof = async ({ db, principal }: Context, password: string | undefined, ip: string): Promise<void> => {
  if (password === undefined) {
    if (principal.kind === 'session' && (await hasSignedInLately(db, principal.userId))) return;
    throw new ApiError(
      'invalid_credentials',
      'Deleting an account needs its password, or a sign-in within the last ten minutes',
    );
  }
  const attempt = await limitAttempts(db, principal.email, ip);
  if (!(await verifyPassword(password, await selectPasswordHash(db, principal.userId))))
    throw new ApiError('invalid_credentials', 'The password is wrong');
  await db.transaction((tx) => attempt.succeeded(tx));
};

const demandNoSpaces = async (tx: Tx, userId: string): Promise<void> => {
  const spaces = await lockOwnSpaces(tx, userId);
  if (spaces.length === 0) return;
  const names = spaces
    .map(({ name, deletedTime }) => `${JSON.stringify(name)}${deletedTime === null ? '' : ' (in the trash)'}`)
    .join(', ');
  throw new ApiError(
    'validation_error',
    `These spaces have no other owner: ${names}. Hand them over or delete them for good first`,
    { spaces },
  );
};

export const deleteAccount = async (context: Context, password: string | undefined, ip: string): Promise<Answer> => {
  const { db, principal, config } = context;
  const { userId } = principal;
  demandUnrestricted(principal);
  await demandProof(context, password, ip);
  await retriedTransaction(db, async (tx) => {
    if (principal.isAdmin && !(await hasOtherAdmin(tx, userId)))
      throw conflict('You are the only administrator of this instance: make another one first');
    await demandNoSpaces(tx, userId);
    await writeAudit(
      tx,
      doerOf(context),
      'collaborator.removed',
      { member: userId },
      { userId, because: 'account deleted' },
    );
    const concerned = new Set([userId]);
    for (const { clientId } of await selectClients(tx, userId)) {
      for (const grantor of await selectGrantors(tx, clientId, null)) concerned.add(grantor);
      await deleteOwnClient(tx, userId, clientId);
    }
    await deletePublicFiles(tx, userId);
    await forgetUser(tx, userId);
    await bumpEpochs(tx, [...concerned]);
  });
  return new Answer({ headers: { 'set-cookie': clearSessionCookie(config) } });
};
