import { forbidden } from '@rowhouse/contract/error.ts';
import type { PublicContext } from '../../context.ts';
import { Answer } from '../../endpoint/route.ts';
import { createAccount } from './create-account.ts';
import { createSession } from './create-session.ts';
import { limitSignUps } from './limit-sign-ups.ts';
import { setSessionCookie } from './session-cookie.ts';

export interface SignUpInput {
  email: string;
  password: string;
  defaultSpaceName?: string | undefined;
  invitationId?: string | undefined;
  invitationCode?: string | undefined;
  ip: string;
  userAgent?: string | undefined;
}

export const signUp = async ({ db, config }: PublicContext, input: SignUpInput): Promise<Answer> => {
  if (config.signUp === 'closed') throw forbidden('Creating an account is switched off here; an administrator can make one');
  await limitSignUps(db, input.ip);
  const { user, also: secret } = await createAccount(
    db,
    { email: input.email, password: input.password, spaceName: input.defaultSpaceName, onlyInvited: config.signUp === 'invited', invitation: { id: input.invitationId ?? '', code: input.invitationCode ?? '' } },
    (tx, { id }) => createSession(tx, { userId: id, userAgent: input.userAgent }),
  );
  return new Answer({ body: user, headers: { 'set-cookie': setSessionCookie(config, secret as string) } });
};
