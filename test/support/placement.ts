// Where a table of a base really is. On a cluster that is a node, where it has the number of its shard behind its name; a trigger can be made there alone.
import pg from 'pg';
import { inject } from 'vitest';
import { urlOn } from './cluster.ts';

interface Placement {
  databaseUrl: string;
  /** Quoted, with its schema. */
  table: string;
}

const quoted = (...names: string[]): string => names.map((name) => pg.escapeIdentifier(name)).join('.');

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
};

export const placementOf = async (databaseUrl: string, baseId: string, name: string): Promise<Placement> => {
  if ((inject('cluster') ?? null) === null) return { databaseUrl, table: quoted(baseId, name) };
  const client = await connect(databaseUrl);
  try {
    const {
      rows: [found],
    } = await client.query<{ host: string; port: number; shard: string }>(
      `select n.nodename as host, n.nodeport as port, s.shardid::text as shard from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
       join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary' where s.logicalrelid = $1::regclass`,
      [quoted(baseId, name)],
    );
    if (found === undefined) throw new Error(`${baseId}.${name} is on no node`);
    return {
      databaseUrl: urlOn(databaseUrl, new URL(databaseUrl).pathname.slice(1), found),
      table: quoted(baseId, `${name}_${found.shard}`),
    };
  } finally {
    await client.end();
  }
};

/** A connection to there, whose commands stay there. */
export const connectTo = async ({ databaseUrl }: Placement): Promise<pg.Client> => {
  const client = await connect(databaseUrl);
  await client.query(
    "select set_config('citus.enable_ddl_propagation', 'off', false) from pg_extension where extname = 'citus'",
  );
  return client;
};
