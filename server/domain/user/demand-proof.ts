// What changes the ways into an account asks once more who it is: a browser that somebody left open is not enough.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { limitAttempts } from './limit-attempts.ts';
import { verifyPassword } from './password.ts';
import { hasSignedInLately, selectPasswordHash } from './user.sql.ts';

/** The password, or a sign-in of just now. `what` begins the sentence of a refusal. */
export const demandProof = async (
  { db, principal }: Context,
  password: string | undefined,
  ip: string,
  what: string,
): Promise<void> => {
  if (password === undefined) {
    if (principal.kind === 'session' && (await hasSignedInLately(db, principal.userId))) return;
    throw new ApiError(
      'invalid_credentials',
      `${what} needs the password of the account, or a sign-in within the last ten minutes`,
    );
  }
  const attempt = await limitAttempts(db, principal.email, ip);
  if (!(await verifyPassword(password, await selectPasswordHash(db, principal.userId))))
    throw new ApiError('invalid_credentials', 'The password is wrong');
  await attempt.succeeded(db);
};
