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
import { demandProof } from '../user/demand-proof.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { forgetUser, hasOtherAdmin } from '../user/user.sql.ts';

/** Spaces without an owner would be nobody's. */
export const demandNoSpaces = async (tx: Tx, userId: string): Promise<void> => {
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

/** The caller has written the audit log, and looked at administrators. */
export const eraseAccount = async (tx: Tx, userId: string): Promise<void> => {
  const concerned = new Set([userId]);
  for (const { clientId } of await selectClients(tx, userId)) {
    for (const grantor of await selectGrantors(tx, clientId, null)) concerned.add(grantor);
    await deleteOwnClient(tx, userId, clientId);
  }
  await deletePublicFiles(tx, userId);
  await forgetUser(tx, userId);
  await bumpEpochs(tx, [...concerned]);
};

export const deleteAccount = async (context: Context, password: string | undefined, ip: string): Promise<Answer> => {
  const { db, principal, config } = context;
  const { userId } = principal;
  demandUnrestricted(principal);
  await demandProof(context, password, ip, 'Deleting an account');
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
    await eraseAccount(tx, userId);
  });
  return new Answer({ headers: { 'set-cookie': clearSessionCookie(config) } });
};
