// A Citus cluster in place of one PostgreSQL. It is recognised by the extension in the database, and nothing is set for it. Each base is
// a schema on one node (base-schema.ts), schema `rowhouse` stays on the coordinator. The one thing of it that statements of a base are
// joined with, what cells show of people, is copied to every node: `rowhouse.people`, elsewhere a view. See ADR 53. What statements look like because of it
// stands in cluster-form.ts.
import type pg from 'pg';
import { placed } from './base-nodes.ts';
import { type Db, type Queryable, many, maybe } from './db.ts';
import { isGone } from './error.ts';
import { type Sql, sql } from './sql.ts';

/** Undefined: one PostgreSQL. */
export const findCitus = async (client: pg.Client): Promise<string | undefined> =>
  (await client.query<{ version: string }>("select extversion as version from pg_extension where extname = 'citus'"))
    .rows[0]?.version;

/** Until the transaction ends new schemas stay on the coordinator, whatever the database is set to. */
export const stayOnCoordinator = async (client: pg.Client): Promise<void> => {
  await client.query(
    "select set_config('citus.enable_schema_based_sharding', 'off', true) from pg_extension where extname = 'citus'",
  );
};

// One at a time: Citus takes no list of commands that it has to pass on.
const copyOfPeople = [
  'drop view rowhouse.people',
  'create table rowhouse.people (id text primary key, name text not null, email text not null, avatar text)',
  'insert into rowhouse.people select id, name, email, avatar from rowhouse.users',
  "select create_reference_table('rowhouse.people')",
  `create function rowhouse.copy_person() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        delete from rowhouse.people where id = old.id;
      else
        insert into rowhouse.people (id, name, email, avatar) values (new.id, new.name, new.email, new.avatar)
        on conflict (id) do update set name = excluded.name, email = excluded.email, avatar = excluded.avatar;
      end if;
      return null;
    end $$`,
  'create trigger copy_person after insert or delete or update of name, email, avatar on rowhouse.users for each row execute function rowhouse.copy_person()',
];

/** Inside of a transaction, when all migrations have run. On one PostgreSQL nothing happens. */
export const prepareNodes = async (client: pg.Client): Promise<void> => {
  if ((await findCitus(client)) === undefined) return;
  // Those that were made before there was a cluster; others are passed on when they are made.
  await client.query(`select create_distributed_function(p.oid::regprocedure) from pg_proc p where p.pronamespace = 'rowhouse'::regnamespace and p.prorettype <> 'trigger'::regtype
    and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)`);
  const { rows } = await client.query<{ isView: boolean }>(
    `select relkind = 'v' as "isView" from pg_class where oid = to_regclass('rowhouse.people')`,
  );
  if (rows[0]?.isView !== true) return;
  for (const command of copyOfPeople) await client.query(command);
};

export interface ClusterNode {
  id: number;
  host: string;
  port: number;
  isCoordinator: boolean;
  /** New bases may be put there. */
  takesBases: boolean;
  baseCount: number;
  /** What it says of itself; null when it does not answer. */
  state: NodeState | null;
}

interface NodeState {
  bytes: number;
  connections: number;
  active: number;
  /** Since the statistics of the database began. */
  transactions: number;
  /** Seconds since 1970, by its own clock. */
  clock: number;
  walLevel: string;
  preparedTransactions: number;
}

const stateQuestion = `select json_build_object('bytes', pg_database_size(current_database()),
  'connections', (select count(*) from pg_stat_activity where datname = current_database() and backend_type = 'client backend'),
  'active', (select count(*) from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and state = 'active' and pid <> pg_backend_pid()),
  'transactions', (select xact_commit + xact_rollback from pg_stat_database where datname = current_database()), 'clock', extract(epoch from clock_timestamp()),
  'walLevel', current_setting('wal_level'), 'preparedTransactions', current_setting('max_prepared_transactions')::int)::text`;

export const hasCitus = async (db: Queryable): Promise<boolean> =>
  (await maybe(db, sql`select from pg_extension where extname = 'citus'`)) !== undefined;

/** Tables of bases do, but for those on nodes. */
export const takesTriggers = async (db: Queryable): Promise<boolean> => !(await hasCitus(db));

/** The tables of schemas `n`, as what a statement joins, and the size of one. On a cluster what stands on the nodes, asked of each in one go; one that does not answer counts as empty until it does. */
export const tableSizes = async (db: Queryable): Promise<{ from: Sql; size: Sql }> =>
  (await hasCitus(db))
    ? {
        from: sql`(select p.relnamespace, s.size from citus_shard_sizes() s join pg_dist_shard h on h.shardid = s.shard_id join pg_class p on p.oid = h.logicalrelid) c on c.relnamespace = n.oid`,
        size: sql`c.size`,
      }
    : { from: sql`pg_class c on c.relnamespace = n.oid and c.relkind = 'r'`, size: sql`pg_total_relation_size(c.oid)` };

/** A statement about several bases may have failed because of one of them: a base that was deleted meanwhile, or one whose node does not answer. */
export const isOfOneBase = async (db: Queryable, error: unknown): Promise<boolean> =>
  isGone(error) || (await hasCitus(db));

export const selectNodes = async (db: Queryable): Promise<ClusterNode[]> => {
  const nodes = await many<Omit<ClusterNode, 'state'>>(
    db,
    sql`select n.nodeid as id, n.nodename as host, n.nodeport as port, n.groupid = 0 as "isCoordinator", n.isactive and n.shouldhaveshards as "takesBases",
               (select count(*)::int from (${placed}) b where b.groupid = n.groupid) as "baseCount"
        from pg_dist_node n where n.noderole = 'primary' order by n.groupid`,
  );
  const said = await many<{ nodeid: number; success: boolean; result: string }>(
    db,
    sql`select * from run_command_on_all_nodes(${stateQuestion}, give_warning_for_connection_errors => true)`,
  );
  const states = new Map(
    said.flatMap(({ nodeid, success, result }) => (success ? [[nodeid, JSON.parse(result) as NodeState]] : [])),
  );
  return nodes.map((node) => ({ ...node, state: states.get(node.id) ?? null }));
};

/** Bases that no node holds: made before there was a cluster. They work, on the coordinator. */
export const countUnplacedBases = async (db: Queryable): Promise<number> =>
  (
    await maybe<{ count: number }>(
      db,
      sql`select count(*)::int as count from rowhouse.bases b join pg_namespace n on n.nspname = b.id where n.oid not in (select schemaid from pg_dist_schema)`,
    )
  )?.count ?? 0;

type BasePlace = { isThere: boolean; nodeId: number | null };

export const selectPlace = async (db: Queryable, baseId: string): Promise<BasePlace> =>
  (await maybe<BasePlace>(
    db,
    sql`select true as "isThere", (select n.nodeid from (${placed}) p join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary' where p.schemaid = s.oid limit 1) as "nodeId"
        from rowhouse.bases b join pg_namespace s on s.nspname = b.id where b.id = ${baseId}`,
  )) ?? { isThere: false, nodeId: null };

/** Makes a base of the coordinator one that nodes can hold. Its readers and writers wait meanwhile. Citus copies the rows, and leaves the old ones on the coordinator's disk. */
export const placeBase = (db: Db, baseId: string): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query(sql`select citus_schema_distribute(format('%I', ${baseId}::text)::regnamespace)`);
    await tx.query(
      sql`select truncate_local_data_after_distributing_table(c.oid::regclass) from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = ${baseId} and c.relkind = 'r'`,
    );
  });

/** With its rows. People read and write it meanwhile, but for a moment at the end, where both nodes have wal_level logical. */
export const moveBase = async (db: Queryable, baseId: string, nodeId: number, isLive: boolean): Promise<void> => {
  await db.query(
    sql`select citus_schema_move(format('%I', ${baseId}::text)::regnamespace, ${nodeId}::int, ${sql.literal(isLive ? 'force_logical' : 'block_writes')})`,
  );
};
