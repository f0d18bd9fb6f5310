// Fills a fresh instance: an administrator, a space, a base, an example table, and a token for all of it.
// In one transaction, and credentials.json is on disk before it commits: a start that dies on the way
// leaves either nothing or everything.
import { actions } from '@rowhouse/contract/permission.ts';
import { resolveAccess } from '../../catalog/access.ts';
import type { Resource } from '../../catalog/access.sql.ts';
import type { Context, Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { credentialOf } from '../../endpoint/credential.ts';
import { createAccessToken } from '../access-token/create-access-token.ts';
import { createBase } from '../base/create-base.ts';
import { createSpaceFor } from '../space/create-space.ts';
import { createTable } from '../table/create-table.ts';
import { createUser } from '../user/create-user.ts';
import { hashPassword } from '../user/password.ts';
import { type Credentials, randomPassword, writeCredentials } from './credentials.ts';
import { exampleTable } from './example-table.ts';
import { anyAdminExists, lockSetup } from './setup.sql.ts';

const century = 36_525 * 86_400_000;

/** The context of a request with that token, inside of the transaction. */
const contextOf = async (services: Services, tx: Tx, token: string, resource: Resource | null): Promise<Context> => {
  const credential = credentialOf({ authorization: `Bearer ${token}` });
  if (credential === undefined) throw new Error('the token that was just made is not one');
  const access = await resolveAccess(tx, credential, resource);
  return {
    ...services,
    db: tx,
    principal: access.principal,
    access,
    requestId: 'setup',
    from: { ip: null, userAgent: null },
    refresh: () => resolveAccess(tx, credential, resource),
    noteOperation: () => undefined,
  };
};

/** Answers what it made; undefined when the instance has an administrator already. */
export const setUp = async (services: Services): Promise<Credentials | undefined> => {
  const { db, config, newId } = services;
  if (await anyAdminExists(db)) return undefined;
  const password = config.adminPassword ?? randomPassword();
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    await lockSetup(tx);
    if (await anyAdminExists(tx)) return undefined;
    const user = await createUser(tx, {
      email: config.adminEmail,
      name: 'Admin',
      passwordHash,
      isAdmin: true,
      isVerified: true,
    });
    const space = await createSpaceFor(tx, { userId: user.id, name: 'My space', newId });
    const expiredTime = new Date(services.now().getTime() + century);
    const { token } = await createAccessToken(tx, {
      userId: user.id,
      name: 'First start',
      scopes: actions,
      hasFullAccess: true,
      expiredTime,
    });
    const base = await createBase(await contextOf(services, tx, token, null), { spaceId: space.id, name: 'My base' });
    const inBase = await contextOf(services, tx, token, { type: 'base', id: base.id, trashed: false });
    const table = await createTable(inBase, exampleTable(user.id));
    const made = {
      url: services.publicUrl(),
      email: user.email,
      password,
      token,
      userId: user.id,
      spaceId: space.id,
      baseId: base.id,
      tableId: table.id,
    };
    writeCredentials(config.dataFolder, made);
    return made;
  });
};
