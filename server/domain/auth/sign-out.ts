import type { IncomingHttpHeaders } from 'node:http';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { credentialOf } from '../../endpoint/credential.ts';
import { Answer } from '../../endpoint/route.ts';
import { clearSessionCookie } from './session-cookie.ts';
import { deleteSession } from './session.sql.ts';

export const signOut = async ({ db, config }: Context, headers: IncomingHttpHeaders): Promise<Answer> => {
  const credential = credentialOf(headers);
  if (credential?.kind === 'session') {
    await retriedTransaction(db, async (tx) => {
      await bumpEpochs(tx, await deleteSession(tx, credential.hash));
    });
  }
  return new Answer({ headers: { 'set-cookie': clearSessionCookie(config) } });
};
