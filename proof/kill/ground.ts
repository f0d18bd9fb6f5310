// Where the killing takes place: a server on an embedded PostgreSQL, or on the one that TEST_DATABASE_URL names, a table, somebody to be told, and those who listen.
import { createAccessToken } from '@rowhouse/contract/access-token.ts';
import { signUp } from '@rowhouse/contract/auth.ts';
import { createBase } from '@rowhouse/contract/base.ts';
import { addSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import { actions } from '@rowhouse/contract/permission.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { createSpace } from '@rowhouse/contract/space.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { dirname } from 'node:path';
import { type Db, openDb } from '../../server/db/db.ts';
import { startEmbedded } from '../../server/db/embedded.ts';
import { openLine } from '../client.ts';
import { type GivenDatabase, newGivenDatabase } from '../database.ts';
import { credentialsIn, freePort, serve, type Served, usedDataFolder } from '../program.ts';
import { generousPlans } from '../ground.ts';
import { good } from '../stage.ts';

export interface Ground {
  data: string;
  /** Undefined: the server has a PostgreSQL of its own in the data folder. */
  given: GivenDatabase | undefined;
  openDb: () => Promise<Db>;
  origin: string;
  /** Of an administrator, who owns the space. */
  token: string;
  userId: string;
  spaceId: string;
  baseId: string;
  tableId: string;
  fieldIds: { name: string; count: string; person: string };
  /** Records that everyone changes. */
  shared: string[];
  /** Who is named in records. */
  named: { userId: string; token: string };
  start: () => Promise<Served>;
}

const signUpPerson = async (origin: string): Promise<{ userId: string; token: string }> => {
  const line = openLine(origin);
  const signed = good(await line.call(signUp, { body: { email: 'named@example.com', password: 'correct horse 1' } }));
  const cookie = (signed.headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ');
  const body = {
    name: 'proof',
    scopes: [...actions],
    hasFullAccess: true,
    expiredTime: new Date(Date.now() + 86_400_000).toISOString(),
  };
  const made = good(await line.call(createAccessToken, { body, headers: { cookie } }));
  line.hangUp();
  return { userId: signed.body.id, token: made.body.token };
};

export const layGround = async (more: Record<string, string> = {}): Promise<{ ground: Ground; server: Served }> => {
  const given = await newGivenDatabase();
  const data = given?.data ?? usedDataFolder();
  const openGroundDb = async (): Promise<Db> =>
    openDb(given?.url ?? (await startEmbedded(data)).urlOf('rowhouse'), { max: 2 });
  const env = {
    ...(given === undefined ? {} : { DATABASE_URL: given.url }),
    ROWHOUSE_DATA: data,
    PORT: String(await freePort()),
    ROWHOUSE_PLANS: generousPlans(dirname(data)),
    LOG_LEVEL: 'error',
    ...more,
  };
  const start = (): Promise<Served> => serve(env);
  const server = await start();
  const { token, userId } = credentialsIn(data) as { token: string; userId?: string };
  const named = await signUpPerson(server.origin);
  const line = openLine(server.origin, token);
  const { call } = line;
  const spaceId = good(await call(createSpace, { body: { name: 'Killing' } })).body.id;
  good(
    await call(addSpaceCollaborators, {
      params: { spaceId },
      body: { collaborators: [{ principalId: named.userId, principalType: 'user' }], role: 'editor' },
    }),
  );
  const baseId = good(await call(createBase, { body: { spaceId, name: 'Killing' } })).body.id;
  const fields = [
    { name: 'Name', type: 'singleLineText' as const },
    { name: 'Count', type: 'number' as const },
    { name: 'Person', type: 'user' as const, options: { shouldNotify: true } },
  ];
  const table = good(
    await call(createTable, { params: { baseId }, body: { name: 'Killing', fields, records: [] } }),
  ).body;
  const [name, count, person] = table.fields.map((field) => field.id) as [string, string, string];
  const records = Array.from({ length: 8 }, (_, at) => ({ fields: { Name: `shared ${at}`, Count: 0 } }));
  const shared = good(await call(createRecords, { params: { tableId: table.id }, body: { records } })).body.records.map(
    (record) => record.id,
  );
  line.hangUp();
  const ground: Ground = {
    data,
    given,
    openDb: openGroundDb,
    origin: server.origin,
    token,
    userId: userId as string,
    spaceId,
    baseId,
    tableId: table.id,
    fieldIds: { name, count, person },
    shared,
    named,
    start,
  };
  return { ground, server };
};
