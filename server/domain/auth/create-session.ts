// A session: the browser keeps the secret in a cookie, the database its hash.
import { randomBytes } from 'node:crypto';
import type { PublicContext } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { networkOf } from '../user/limit-attempts.ts';
import { tellAccount } from './account-notice.ts';
import { deviceName } from './device-name.ts';
import type { SessionOrigin } from './session-origin.ts';
import { deleteExpiredSessions, insertSession, noteDevice } from './session.sql.ts';

interface SessionInput {
  user: { id: string; email: string };
  userAgent?: string | undefined;
  /** Of a sign-in through a provider. */
  origin?: SessionOrigin | null;
}

/** Answers the secret, the value of the cookie. Somebody who has never signed in like this is told by e-mail. */
export const createSession = async (
  { config, from }: Pick<PublicContext, 'config' | 'from'>,
  tx: Queryable,
  { user, userAgent, origin = null }: SessionInput,
): Promise<string> => {
  const secret = randomBytes(32).toString('base64url');
  const device = deviceName(userAgent);
  // Anyone who signs in sweeps up: no timer needed, and sessions cannot pile up unless people sign in.
  await deleteExpiredSessions(tx);
  await insertSession(
    tx,
    {
      hash: hashSecret(secret),
      userId: user.id,
      userAgent: userAgent?.slice(0, 300) ?? null,
      device,
      ip: from.ip,
      origin,
    },
    config,
  );
  if (await noteDevice(tx, { userId: user.id, device, network: networkOf(from.ip ?? '') }))
    await tellAccount(tx, config, { to: user.email, notice: 'signedIn', device, ip: from.ip });
  return secret;
};
