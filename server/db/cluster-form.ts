// Every place where a statement of a base looks different because of Citus, with the reason. Some have another form on a cluster alone (a fork: `Forked` in sql.ts);
// others have the one form that Citus takes everywhere. Nothing else in the server makes a fork (test/architecture.test.ts). What Citus refuses is found in the statements that
// tests send, in both forms: test/support/citus-form.ts. See ADR 53, 76 and 94.
import { compile, Forked, type Sql, sql } from './sql.ts';

/**
 * Always true, for the condition of an `insert … select` from one table of a base into another. Citus 13.2 hands such a statement to the node in a form that is no
 * SQL ("syntax error at or near NOT"), unless something in it is volatile: then the rows go through the coordinator.
 */
export const byTheCoordinator = sql`clock_timestamp() is not null`;

/**
 * A value that an update sets from the columns of its row. Citus takes a function that is not immutable there only inside of a subselect, which the node works
 * out row by row.
 */
export const byTheNode = (value: Sql): Sql => sql`(select ${value})`;

/** What stands in the place of a fragment on a cluster. Not exported: every fork is a function of this file, with its reason. */
const onCluster = (usual: Sql, there: Sql): Sql => new Forked(usual, there);

/** A column that is filled when nothing is given for it. Citus would do that on the coordinator. */
export interface Drawn {
  column: Sql;
  value: Sql;
}

/** The next number of an identity column. */
export const nextNumber = (table: Sql, column: string): Sql =>
  sql`nextval((select pg_get_serial_sequence(${sql.literal(compile(table).text)}, ${sql.literal(column)}))::regclass)`;

/** The parts of an `insert … select` behind other parts of a statement. On one PostgreSQL they are `select` alone. */
export interface PushedInsert {
  /** Stands before the name of its part. */
  before: Sql;
  /** Stands behind its columns. */
  more: Sql;
  select: Sql;
}

/**
 * For an insert that reads what other parts of its statement have written. Citus runs it through the coordinator and sends what it reads to every node, so that
 * it costs the more the more nodes there are, and fails when one is away. On a cluster the rows are made on the coordinator first, whole; an insert of nothing but
 * them, with a look at a table of the base, is carried out by the base's node, and no other hears of it. `count`: of columns that are selected.
 */
export const pushedInsert = (
  baseId: string,
  name: string,
  select: Sql,
  count: number,
  drawn: readonly Drawn[] = [],
): PushedInsert => {
  const names = [...Array(count).keys()].map((at) => sql.id(`c${at}`));
  const more = drawn.map((_, at) => sql.id(`d${at}`));
  const rows = sql.id(`${name}_rows`);
  const values = drawn.map(({ value }, at) => sql`, ${value} as ${more[at] as Sql}`);
  return {
    before: onCluster(
      sql.empty,
      sql`${rows} as materialized (select s.*${sql.join(values, '')} from (${select}) as s(${sql.join(names)})), `,
    ),
    more: onCluster(
      sql.empty,
      sql.join(
        drawn.map(({ column }) => sql`, ${column}`),
        '',
      ),
    ),
    select: onCluster(
      select,
      sql`overriding system value select ${sql.join([...names, ...more].map((name) => sql`r.${name}`))} from ${rows} r where exists (select 1 from ${sql.id(baseId, '__table')})`,
    ),
  };
};

/**
 * For a statement that also writes on the coordinator, such as the quota: stands before one of its parts. Citus tells a single node to commit before the coordinator does, and a
 * crash in between would leave the one without the other. An insert through the coordinator, here of no row, makes it prepare the node's part first, and finish it
 * whatever happens.
 */
export const inTwoPhases = (baseId: string): Sql =>
  onCluster(
    sql.empty,
    sql`phases as (insert into ${sql.id(baseId, '__table')} (id) select '' where clock_timestamp() is null), `,
  );

/** How long a transaction waits for a lock; on a cluster also on the node of this base, where its rows are. */
export const waitAtMost = (baseId: string, time: '300ms'): Sql => {
  const limit = sql`set_config('lock_timeout', ${sql.literal(time)}, true)`;
  return onCluster(
    sql`select ${limit}`,
    sql`with there as materialized (select ${limit} as said from ${sql.id(baseId, '__table')} limit 1) select ${limit}, t.said from rowhouse.instance left join there t on true`,
  );
};

/**
 * Rows that parts of a statement read: there all columns of them are worked out in a part of their own. The node of the base does that, and the rest is put together on the
 * coordinator. `usual`: what stands in `from` elsewhere, `there`: the select of that part.
 */
export const asPart = (name: 'linked_rows', usual: Sql, there: Sql): { before: Sql; from: Sql } => ({
  before: onCluster(sql.empty, sql`${sql.raw(name)} as materialized (${there}), `),
  from: onCluster(usual, sql`${sql.raw(name)} i`),
});

/** A value of the rows `i` that is a column of theirs on a cluster, because it was worked out before. */
export const columnThere = (usual: Sql, column: string): Sql => onCluster(usual, sql.id('i', column));

/**
 * Rows `i` that are inserted, with the values `made` from them: there all are computed before the first is written. The coordinator would compute rows while it sends others to the
 * node of the base, and functions that catch errors cannot begin a subtransaction meanwhile.
 */
export const allMadeFirst = (from: Sql, made: Sql): Sql =>
  onCluster(
    from,
    sql`(select i.* from (select i.*, count(*) over () as __rows from (select i.*, ${made} from ${from} offset 0) i) i where i.__rows > 0) i`,
  );

/** What an insert returns, or reads of it behind: there nothing that is not immutable may stand in the insert, so that it is worked out behind. */
export const workedOutBehind = (usual: Sql, there: Sql): Sql => onCluster(usual, there);

/** At the end of a subquery that must not be pulled up: Citus refuses what is not immutable and is computed from a column in an update, unless it stands in such a one. */
export const fence = onCluster(sql.empty, sql`offset 0`);

/**
 * The epoch that a read brings along: there it is asked for afterwards. With a look at the coordinator, Citus would carry out every part of the read on its own, and put them
 * together there.
 */
export const epochInRead = (usual: Sql): Sql => onCluster(usual, sql`null::bigint`);

/** The same for the epochs of a page of the feed. */
export const epochsInPage = (usual: Sql): Sql => onCluster(usual, sql`true as "hasNoEpochs"`);
