// Users for tests, made through the operations rather than over HTTP, each with a token that may do
// whatever its user may.
import { newId } from '@rowhouse/contract/id.ts';
import { actions } from '@rowhouse/contract/permission.ts';
import { createAccessToken, type AccessTokenInput } from '../../server/domain/access-token/create-access-token.ts';
import { createSession } from '../../server/domain/auth/create-session.ts';
import { createUser } from '../../server/domain/user/create-user.ts';
import { hashPassword } from '../../server/domain/user/password.ts';
import { type Caller, caller } from './caller.ts';
import type { World } from './world.ts';

export interface Person {
  userId: string;
  name: string;
  email: string;
  password: string;
  /** Full access, all scopes. */
  token: string;
  call: Caller;
  /** A new session; answers the Cookie header. */
  cookie(): Promise<string>;
  /** A new session, and a caller that uses it. */
  withSession(): Promise<Caller>;
  /** A further token of this user: `await owner.withToken({ scopes: ['record|read'], spaceIds: [id] })`. */
  withToken(input: Partial<AccessTokenInput>): Promise<{ id: string; token: string; call: Caller }>;
}

const password = 'correct horse 1';
let passwordHash: Promise<string> | undefined;

const inADay = (): Date => new Date(Date.now() + 86_400_000);

/** `await person(world())`; administrator only when asked for. */
export const person = async (
  world: World,
  options: { name?: string; email?: string; admin?: boolean } = {},
): Promise<Person> => {
  passwordHash ??= hashPassword(password);
  const hash = await passwordHash;
  const email = options.email ?? `${newId('usr').toLowerCase()}@example.com`;
  const user = await world.db.transaction((tx) =>
    createUser(tx, { email, name: options.name, passwordHash: hash, isAdmin: options.admin ?? false }),
  );
  const { baseUrl } = world;
  const withToken = async (input: Partial<AccessTokenInput>): Promise<{ id: string; token: string; call: Caller }> => {
    const made = await createAccessToken(world.db, {
      userId: user.id,
      name: 'test',
      scopes: actions,
      expiredTime: inADay(),
      ...input,
    });
    return { id: made.id, token: made.token, call: caller({ baseUrl, token: made.token }) };
  };
  const nowhere = { ip: null, userAgent: null };
  const cookie = async (): Promise<string> =>
    `auth_session=${await createSession({ config: world.services.config, from: nowhere }, world.db, { user })}`;
  const { token, call } = await withToken({ hasFullAccess: true });
  return {
    userId: user.id,
    name: user.name,
    email: user.email,
    password,
    token,
    call,
    cookie,
    withSession: async () => caller({ baseUrl, headers: { cookie: await cookie() } }),
    withToken,
  };
};
