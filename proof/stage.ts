// Several servers, as they are shipped, on one PostgreSQL, or on the one that TEST_DATABASE_URL names; plans that never limit; an owner with a space and a base.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createBase } from '@rowhouse/contract/base.ts';
import { createSpace } from '@rowhouse/contract/space.ts';
import { type Db, openDb } from '../server/db/db.ts';
import { startEmbedded } from '../server/db/embedded.ts';
import { ownDatabase } from '../server/db/embedded-handover.ts';
import { openLine, type Reply } from './client.ts';
import { describeGiven, newGivenDatabase } from './database.ts';
import { type Deadlocks, findDeadlocks, findGivenDeadlocks, readGivenLog } from './deadlocks.sql.ts';
import { generousPlans } from './ground.ts';
import { credentialsIn, freePort, serve, type Served, usedDataFolder } from './program.ts';

export { generousPlans };

export interface Stage {
  db: Db;
  servers: Served[];
  /** Another server on the same database, at the given port. */
  start: (port: number) => Promise<Served>;
  token: string;
  spaceId: string;
  baseId: string;
  deadlocks(): Promise<Deadlocks>;
  isCluster: boolean;
  /** For the report: nothing, unless it was given. */
  runsOn: Record<string, string>;
  close(): Promise<void>;
}

/** For what is no trial yet: an answer that is no success stops everything. */
export const good = <T>(reply: Reply<T>): Reply<T> => {
  if (reply.status >= 300) throw new Error(`the ground could not be laid: ${JSON.stringify(reply.body)}`);
  return reply;
};

/** Anyone who opens it calls `endPrograms` in the end. */
export const openStage = async (count: number, env: Record<string, string> = {}): Promise<Stage> => {
  const given = await newGivenDatabase();
  const data = given?.data ?? usedDataFolder();
  const databaseUrl = given?.url ?? (await ownDatabase(await startEmbedded(data, { durable: false }), 'rowhouse'));
  const log = given === undefined ? undefined : await readGivenLog(given);
  const settings = {
    DATABASE_URL: databaseUrl,
    ROWHOUSE_DATA: data,
    ROWHOUSE_PLANS: generousPlans(dirname(data)),
    LOG_LEVEL: 'error',
    ...env,
  };
  const start = (port: number): Promise<Served> => serve({ ...settings, PORT: String(port) });
  const servers: Served[] = [];
  for (let at = 0; at < count; at += 1) servers.push(await start(await freePort()));
  const { token } = credentialsIn(data);
  const line = openLine((servers[0] as Served).origin, token);
  const spaceId = good(await line.call(createSpace, { body: { name: 'Proof' } })).body.id;
  const baseId = good(await line.call(createBase, { body: { spaceId, name: 'Proof' } })).body.id;
  line.hangUp();
  const db = openDb(databaseUrl, { max: 2 });
  const deadlocks = (): Promise<Deadlocks> =>
    given === undefined
      ? findDeadlocks(db, readFileSync(join(data, 'postgres.log'), 'utf8'))
      : findGivenDeadlocks(given, log?.length ?? 0);
  const runsOn: Record<string, string> =
    given === undefined
      ? {}
      : {
          'runs on': describeGiven(given),
          ...(given.isCluster && log === undefined
            ? { 'deadlocks between nodes': 'not counted: the log of the coordinator cannot be read' }
            : {}),
        };
  return {
    db,
    servers,
    start,
    token,
    spaceId,
    baseId,
    deadlocks,
    isCluster: given?.isCluster ?? false,
    runsOn,
    close: () => db.close(),
  };
};
