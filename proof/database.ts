// Where the servers of a part keep their data: in a PostgreSQL of their own, or in a database of their own on the one that TEST_DATABASE_URL names, which may be a
// Citus cluster.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { promisify } from 'node:util';
import pg from 'pg';
import { type ClusterNodes, createEmptyOnCluster, dropOnCluster, findCluster, urlOn } from '../test/support/cluster.ts';
import { atTheEnd, newDataFolder } from './program.ts';

export type PostgresAddress = ClusterNodes['coordinator'];

export interface GivenDatabase {
  url: string;
  /** A folder for the servers, as it is before their first start. */
  data: string;
  /** The coordinator and the nodes, or the one PostgreSQL. */
  places: PostgresAddress[];
  isCluster: boolean;
  /** Ends the postmaster of a place with all its processes, or starts it again. Undefined where TEST_NODE_COMMAND does not say how. */
  order: ((what: 'kill' | 'start', place: PostgresAddress) => Promise<unknown>) | undefined;
  /** Asks one of the places. */
  ask: <T extends pg.QueryResultRow>(place: PostgresAddress, text: string, values?: unknown[]) => Promise<T[]>;
}

const given = (): string => process.env['TEST_DATABASE_URL'] ?? '';

export const isGiven = (): boolean => given() !== '';

const askAt = async <T extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<T[]> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client
    .query<T>(text, values)
    .then(({ rows }) => rows)
    .finally(() => client.end());
};

/** It is dropped by `endPrograms`. Undefined: each part has a PostgreSQL of its own. */
export const newGivenDatabase = async (): Promise<GivenDatabase | undefined> => {
  const server = given();
  if (server === '') return undefined;
  const cluster = await findCluster(server);
  const name = `test_proof_${randomBytes(6).toString('hex')}`;
  atTheEnd(() =>
    cluster === null
      ? askAt(server, `drop database if exists ${name} with (force)`)
      : dropOnCluster(server, name, cluster),
  );
  if (cluster === null) await askAt(server, `create database ${name}`);
  else await createEmptyOnCluster(server, name, cluster);
  const { hostname, port } = new URL(server);
  const places =
    cluster === null ? [{ host: hostname, port: Number(port || 5432) }] : [cluster.coordinator, ...cluster.nodes];
  // What is acknowledged has to outlast the end of the process that wrote it. Each place is told itself: a node of a cluster would refuse to tell the others.
  for (const place of places)
    await askAt(
      urlOn(server, name, place),
      `set citus.enable_ddl_propagation = off; alter database ${name} set synchronous_commit = on`,
    );
  const data = newDataFolder();
  mkdirSync(data);
  const command = process.env['TEST_NODE_COMMAND'] ?? '';
  return {
    url: urlOn(server, name),
    data,
    places,
    isCluster: cluster !== null,
    order:
      command === ''
        ? undefined
        : (what, place) => promisify(execFile)(command, [what, place.host, String(place.port)]),
    ask: (place, text, values) => askAt(urlOn(server, name, place), text, values),
  };
};

/** For the report. */
export const describeGiven = ({ isCluster, places }: GivenDatabase): string =>
  isCluster ? `a Citus cluster with ${places.length - 1} nodes` : 'the PostgreSQL of TEST_DATABASE_URL';
