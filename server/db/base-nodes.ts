// Which node of a Citus cluster holds a base, and connections to it: a read of one base is asked there, and the coordinator has nothing to do with it. Every node
// knows where all bases are, so that one which is asked for a base that has moved on gives the same answer, only later. See ADR 75.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Connections } from './connections.ts';
import { databaseError, sqlState } from './error.ts';
import { type Sql, sql } from './sql.ts';

export interface NodeAddress {
  host: string;
  port: number;
}

export interface BaseNode {
  readonly connections: Connections;
  /** Told what a read failed with. True: it may be the fault of the node, and the coordinator is worth asking. */
  mayHaveCaused(error: unknown): boolean;
}

export interface BaseNodes {
  /** Undefined: the coordinator is asked. So it is while nobody knows yet where the base is, or whether its node can be reached. */
  of(baseId: string): BaseNode | undefined;
  close(): Promise<void>;
}

/** Where each base is, from the catalogues of Citus alone: also while a node does not answer. */
export const placed = sql`select distinct s.schemaid, p.groupid from pg_dist_schema s join pg_dist_partition t on t.colocationid = s.colocationid
  join pg_dist_shard h on h.logicalrelid = t.logicalrelid join pg_dist_placement p on p.shardid = h.shardid`;

/** Of the node that holds a base; no row when that is the coordinator. */
export const addressSql = (baseId: string): Sql =>
  sql`select n.nodename as host, n.nodeport as port from pg_namespace s join (${placed}) p on p.schemaid = s.oid
      join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary' and n.isactive where s.nspname = ${baseId} and n.groupid <> 0 limit 1`;

/** The same database under another address; undefined where the URL does not say it in the usual place. */
export const urlAt = (url: string, { host, port }: NodeAddress): string | undefined => {
  if (!URL.canParse(url)) return undefined;
  const there = new URL(url);
  if (
    there.hostname === '' ||
    there.hostname.includes(',') ||
    there.searchParams.has('host') ||
    there.searchParams.has('port')
  )
    return undefined;
  there.hostname = host.includes(':') ? `[${host}]` : host;
  there.port = String(port);
  return there.href;
};

/** The way to the node: it cannot be reached, or lets nobody in. */
const isOfTheWay = (error: unknown): boolean => {
  const known = databaseError(error);
  if (known instanceof ApiError) return known.code === 'database_connection_unavailable';
  return /^(?:28|3D)/.test(sqlState(error) ?? '');
};

/** Or of what it knows and does: a table, a right, a kind of statement. */
const isOfItsKnowledge = (error: unknown): boolean => /^(?:0A|3F|42|XX)/.test(sqlState(error) ?? '');

/** Milliseconds after which a place is asked for again, and for which a node that failed is left alone. */
const lasting = 60_000;
const absence = 30_000;
const maxKnown = 20_000;

interface Known {
  address: NodeAddress | null;
  since: number;
}

interface BaseNodesInput {
  locate(baseId: string): Promise<NodeAddress | null>;
  /** Undefined where it cannot be reached by what is known of the coordinator. */
  open(address: NodeAddress): Connections | undefined;
}

/** It is asked only after somebody has reached it, so that no read waits for an address that leads nowhere. */
class ReachableNode implements BaseNode {
  readonly connections: Connections;
  private isThere = false;
  private nextTry = 0;

  constructor(connections: Connections) {
    this.connections = connections;
  }

  mayHaveCaused(error: unknown): boolean {
    const isAway = isOfTheWay(error);
    if (isAway) this.isThere = false;
    return isAway || isOfItsKnowledge(error);
  }

  isReached(now: number): boolean {
    if (!this.isThere && now >= this.nextTry) {
      this.nextTry = now + absence;
      void this.connections.pool.connect().then(
        (client) => {
          client.release();
          this.isThere = true;
        },
        () => undefined,
      );
    }
    return this.isThere;
  }
}

export const createBaseNodes = ({ locate, open }: BaseNodesInput): BaseNodes => {
  const known = new Map<string, Known>();
  const asked = new Set<string>();
  const nodes = new Map<string, ReachableNode | null>();

  const find = async (baseId: string): Promise<void> => {
    if (asked.has(baseId)) return;
    asked.add(baseId);
    try {
      const address = await locate(baseId);
      if (known.size >= maxKnown) known.clear();
      known.set(baseId, { address, since: Date.now() });
    } catch {
      // The coordinator is asked until somebody can say.
      known.delete(baseId);
    } finally {
      asked.delete(baseId);
    }
  };

  const nodeAt = (address: NodeAddress): ReachableNode | null => {
    const name = `${address.host}:${address.port}`;
    let found = nodes.get(name);
    if (found === undefined) {
      const connections = open(address);
      found = connections === undefined ? null : new ReachableNode(connections);
      nodes.set(name, found);
    }
    return found;
  };

  return {
    of(baseId) {
      const place = known.get(baseId);
      const now = Date.now();
      if (place === undefined || now - place.since > lasting) void find(baseId);
      if (place === undefined || place.address === null) return undefined;
      const node = nodeAt(place.address);
      return node?.isReached(now) === true ? node : undefined;
    },
    async close() {
      for (const node of nodes.values()) await node?.connections.close();
    },
  };
};
