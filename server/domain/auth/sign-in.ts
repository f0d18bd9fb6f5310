import { ApiError } from '@rowhouse/contract/error.ts';
import { personAt, writeAudit } from '../../catalog/audit.sql.ts';
import type { PublicContext } from '../../context.ts';
import { Answer } from '../../endpoint/route.ts';
import { verifyPassword } from '../user/password.ts';
import { selectForSignIn, updateLastSignIn } from '../user/user.sql.ts';
import { createSession } from './create-session.ts';
import { limitAttempts } from '../user/limit-attempts.ts';
import { setSessionCookie } from './session-cookie.ts';

export interface SignInInput {
  email: string;
  password: string;
  ip: string;
  userAgent?: string | undefined;
}

// The same words and the same work whether the address is unknown or the password wrong.
const refused = (): ApiError => new ApiError('invalid_credentials', 'The e-mail address or the password is wrong');

export const signIn = async ({ db, config, from }: PublicContext, input: SignInInput): Promise<Answer> => {
  const attempt = await limitAttempts(db, input.email, input.ip);
  const found = await selectForSignIn(db, input.email);
  const fits = await verifyPassword(input.password, found?.passwordHash ?? null);
  if (found === undefined || !fits) throw refused();
  const { user, secret } = await db.transaction(async (tx) => {
    // Locks the user: a password changed or an account deactivated since then wins.
    const signedIn = await updateLastSignIn(tx, found.id, found.passwordHash as string);
    if (signedIn === undefined) throw refused();
    await attempt.succeeded(tx);
    await writeAudit(tx, personAt(found.id, from), 'user.signedIn', { member: found.id });
    return { user: signedIn, secret: await createSession(tx, { userId: found.id, userAgent: input.userAgent }) };
  });
  return new Answer({ body: user, headers: { 'set-cookie': setSessionCookie(config, secret) } });
};
