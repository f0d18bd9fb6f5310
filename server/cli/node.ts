// rowhouse nodes, rowhouse base move: the nodes of a Citus cluster and which base stands on which.
import { setTimeout as sleep } from 'node:timers/promises';
import { notFound } from '@rowhouse/contract/error.ts';
import { readConfig } from '../config.ts';
import { type ClusterNode, hasCitus, moveBase, placeBase, selectNodes, selectPlace } from '../db/citus.ts';
import type { Db } from '../db/db.ts';
import { StartError } from '../db/error.ts';
import type { Command } from './command.ts';
import { withDatabase } from './database.ts';
import { printRows } from './print.ts';

const addressOf = ({ host, port }: ClusterNode): string => `${host}:${port}`;

const demandCluster = async (db: Db): Promise<ClusterNode[]> => {
  if (!(await hasCitus(db)))
    throw new StartError(
      'the database is one PostgreSQL and not a Citus cluster: it has no nodes (docs/guide/scale.md)',
    );
  return selectNodes(db);
};

/** Milliseconds between two looks at what the nodes have done. */
const between = 1_000;

const rateOf = (node: ClusterNode, before: ClusterNode | undefined): string => {
  if (node.state === null || before === undefined || before.state === null) return '-';
  return ((node.state.transactions - before.state.transactions) / (node.state.clock - before.state.clock)).toFixed(0);
};

const shown = (node: ClusterNode, before: ClusterNode | undefined): Record<string, string> => ({
  node: String(node.id),
  address: addressOf(node),
  kind: node.isCoordinator ? 'coordinator' : 'node',
  state:
    node.state === null
      ? 'does not answer'
      : node.takesBases
        ? 'takes bases'
        : node.isCoordinator
          ? 'answers'
          : 'takes no bases',
  bases: String(node.baseCount),
  megabytes: node.state === null ? '-' : (node.state.bytes / 1_000_000).toFixed(0),
  connections: node.state === null ? '-' : String(node.state.connections),
  active: node.state === null ? '-' : String(node.state.active),
  'transactions/s': rateOf(node, before),
});

const nodes: Command = {
  name: 'nodes',
  summary: 'List the nodes of a Citus cluster: how many bases each holds, its size and load',
  options: { json: { meaning: 'Print JSON' } },
  async run({ chosen }) {
    const [first, then] = await withDatabase(readConfig(process.env), async (db) => {
      const before = await demandCluster(db);
      await sleep(between);
      return [before, await selectNodes(db)] as const;
    });
    printRows(
      then.map((node) =>
        shown(
          node,
          first.find(({ id }) => id === node.id),
        ),
      ),
      chosen('json'),
      'The cluster has no nodes: select citus_add_node(host, port)',
    );
  },
};

const targetOf = (all: readonly ClusterNode[], name: string): ClusterNode => {
  const node = all.find((one) => String(one.id) === name || addressOf(one) === name);
  if (node === undefined)
    throw new StartError(
      `there is no node "${name}"; the nodes are ${all.map((one) => `${one.id} (${addressOf(one)})`).join(', ')}`,
    );
  if (node.state === null) throw new StartError(`node ${name} does not answer`);
  if (!node.takesBases)
    throw new StartError(
      `node ${name} takes no bases: select citus_set_node_property('${node.host}', ${node.port}, 'shouldhaveshards', true)`,
    );
  return node;
};

const move: Command = {
  name: 'base move',
  summary: 'Move a base to another node of a Citus cluster, while people use it',
  positionals: [
    { name: 'base', meaning: 'Id of the base: bse…' },
    { name: 'node', meaning: 'Number or address (host:port) of the node, as "rowhouse nodes" shows them' },
  ],
  options: {
    'block-writes': { meaning: 'Let writers wait until the base is there: for nodes without wal_level = logical' },
  },
  async run({ argument, chosen }) {
    const [baseId, name] = [argument('base'), argument('node')];
    await withDatabase(readConfig(process.env), async (db) => {
      const all = await demandCluster(db);
      const target = targetOf(all, name);
      let place = await selectPlace(db, baseId);
      if (!place.isThere) throw notFound('Base', baseId);
      if (place.nodeId === null) {
        await placeBase(db, baseId);
        place = await selectPlace(db, baseId);
      }
      if (place.nodeId === target.id) return console.log(`base ${baseId} is on ${addressOf(target)}`);
      const source = all.find(({ id }) => id === place.nodeId);
      const isLive = !chosen('block-writes');
      const lacking = [source, target].find((node) => isLive && node?.state?.walLevel !== 'logical');
      if (lacking !== undefined)
        throw new StartError(
          `node ${addressOf(lacking)} has no wal_level = logical, without which a base cannot be moved while people write to it: set it and restart the node, or choose --block-writes`,
        );
      await moveBase(db, baseId, target.id, isLive);
      console.log(`moved base ${baseId} to ${addressOf(target)}`);
    });
  },
};

export const nodeCommands: readonly Command[] = [nodes, move];
