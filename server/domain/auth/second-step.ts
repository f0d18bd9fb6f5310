// The time between the first step of a sign-in and the code of the second factor.
import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../db/db.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { insertHalfSignIn } from './second-factor.sql.ts';
import type { SessionOrigin } from './session-origin.ts';

const minutesForSecondStep = 10;

/** Answers the token that the code has to come with. */
export const beginSecondStep = async (
  tx: Queryable,
  userId: string,
  origin: SessionOrigin | null = null,
): Promise<string> => {
  const token = randomBytes(32).toString('base64url');
  await insertHalfSignIn(tx, { hash: hashSecret(token), userId, origin, minutes: minutesForSecondStep });
  return token;
};
