// Databases on a Citus cluster that TEST_DATABASE_URL names, for tests: each is made on the coordinator and on every node. The user has to be
// superuser, and known to the nodes by the same password.
import pg from 'pg';

export interface ClusterNodes {
  /** As the nodes reach each other. */
  coordinator: { host: string; port: number };
  nodes: { host: string; port: number }[];
}

const ask = async <T extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<T[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client
    .query<T>(text, values)
    .then(({ rows }) => rows)
    .finally(() => client.end());
};

export const urlOn = (server: string, database: string, node?: { host: string; port: number }): string => {
  const url = new URL(server);
  url.pathname = `/${database}`;
  if (node !== undefined) [url.hostname, url.port] = [node.host, String(node.port)];
  return url.href;
};

/** Null where it is one PostgreSQL. */
export const findCluster = async (url: string): Promise<ClusterNodes | null> => {
  if ((await ask(url, "select from pg_extension where extname = 'citus'")).length === 0) return null;
  const rows = await ask<{ host: string; port: number; is_coordinator: boolean }>(
    url,
    "select nodename as host, nodeport as port, groupid = 0 as is_coordinator from pg_dist_node where noderole = 'primary' order by groupid",
  );
  const coordinator = rows.find((row) => row.is_coordinator);
  if (coordinator === undefined)
    throw new Error(
      'the nodes of the cluster of TEST_DATABASE_URL do not know its coordinator: select citus_set_coordinator_host(host, port)',
    );
  const place = ({ host, port }: { host: string; port: number }) => ({ host, port });
  return { coordinator: place(coordinator), nodes: rows.filter((row) => !row.is_coordinator).map(place) };
};

const maintenance = (server: string): string => new URL(server).pathname.slice(1);

/** Adding a node alters the roles there, which are those of all of its databases: somebody else who does it at that moment ends it, and nothing has happened. */
const addNode = async (url: string, { host, port }: { host: string; port: number }): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      await ask(url, 'select citus_add_node($1, $2)', [host, port]);
      return;
    } catch (error) {
      if (!(error as Error).message.startsWith('failure on connection marked as essential') || tries >= 20) throw error;
    }
  }
};

/** For one database after the other. */
const addNodes = async (server: string, name: string, nodes: ClusterNodes['nodes']): Promise<void> => {
  const turn = new pg.Client({ connectionString: server });
  await turn.connect();
  try {
    await turn.query("select pg_advisory_lock(hashtext('add nodes'))");
    for (const node of nodes) await addNode(urlOn(server, name), node);
  } finally {
    await turn.end();
  }
};

/** Nobody may be connected to a database that is copied, and Citus has a process in each of its own. */
const close = async (server: string, name: string, node?: { host: string; port: number }): Promise<void> => {
  const root = urlOn(server, maintenance(server), node);
  await ask(root, `alter database ${name} allow_connections false`);
  await ask(root, 'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name]);
};

/**
 * `<prefix>template` on the coordinator and on every node, as a cluster; `fill` makes what is in it, on the coordinator. Its clones are one as well: Citus knows nodes by their
 * address, and looks there for a database of the name that its own has. Adding the nodes to each of them would take longer, and alter the roles of all others.
 */
export const createTemplates = async (
  server: string,
  prefix: string,
  { coordinator, nodes }: ClusterNodes,
  fill: (url: string) => Promise<unknown>,
): Promise<void> => {
  const name = `${prefix}template`;
  for (const node of [undefined, ...nodes]) {
    await ask(urlOn(server, maintenance(server), node), `create database ${name}`);
    await ask(urlOn(server, name, node), 'create extension citus');
  }
  await ask(urlOn(server, name), 'select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
  await addNodes(server, name, nodes);
  await fill(urlOn(server, name));
  for (const node of [undefined, ...nodes]) await close(server, name, node);
};

/** Nodes on which there is no such database yet, for one of the cluster that is in use. */
export const addNewNodes = async (server: string, name: string, nodes: ClusterNodes['nodes']): Promise<void> => {
  for (const node of nodes) {
    await ask(urlOn(server, maintenance(server), node), `create database ${name}`);
    await ask(urlOn(server, name, node), 'create extension citus');
  }
  await addNodes(server, name, nodes);
};

/** Makes a database of the coordinator one of the cluster, with what is in it. */
export const joinCluster = async (
  server: string,
  name: string,
  { coordinator, nodes }: ClusterNodes,
): Promise<void> => {
  await ask(urlOn(server, name), 'create extension citus');
  await ask(urlOn(server, name), 'select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
  await addNewNodes(server, name, nodes);
};

/** An empty one on the coordinator and on every node. */
export const createEmptyOnCluster = async (server: string, name: string, cluster: ClusterNodes): Promise<void> => {
  await ask(urlOn(server, maintenance(server)), `create database ${name}`);
  await joinCluster(server, name, cluster);
};

export const dropOnCluster = async (server: string, name: string, cluster: ClusterNodes): Promise<void> => {
  await ask(urlOn(server, maintenance(server)), `drop database if exists ${name} with (force)`);
  await dropOnNodes(server, name, cluster);
};

export const createOnCluster = async (
  server: string,
  prefix: string,
  name: string,
  { nodes }: ClusterNodes,
): Promise<void> => {
  await Promise.all(
    [undefined, ...nodes].map((node) =>
      ask(urlOn(server, maintenance(server), node), `create database ${name} template ${prefix}template`),
    ),
  );
};

export const dropOnNodes = async (server: string, name: string, { nodes }: ClusterNodes): Promise<void> => {
  for (const node of nodes)
    await ask(urlOn(server, maintenance(server), node), `drop database if exists ${name} with (force)`);
};
