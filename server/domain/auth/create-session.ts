// A session: the browser keeps the secret in a cookie, the database its hash.
import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../db/db.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { deleteExpiredSessions, insertSession } from './session.sql.ts';

/** Answers the secret, the value of the cookie. */
export const createSession = async (
  db: Queryable,
  input: { userId: string; userAgent?: string | undefined },
): Promise<string> => {
  const secret = randomBytes(32).toString('base64url');
  // Anyone who signs in sweeps up: no timer needed, and sessions cannot pile up unless people sign in.
  await deleteExpiredSessions(db);
  await insertSession(db, {
    hash: hashSecret(secret),
    userId: input.userId,
    userAgent: input.userAgent?.slice(0, 300) ?? null,
  });
  return secret;
};
