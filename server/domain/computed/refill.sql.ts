// Fills the columns of computed fields in all records, as after a change of fields: step by step, each from the columns of those before. Cells that are
// right stay as they are.
import type { FieldSchema, RelatedTable } from '../../catalog/table.ts';
import { byTheNode } from '../../db/cluster-form.ts';
import { many, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { downstream } from '../../catalog/dependency.ts';
import { linkedIds } from '../cell/kind/link.sql.ts';
import { isLink, type Linked, recordsOf } from '../cell/linked.sql.ts';
import { columnName, columnOf } from '../cell/types.ts';
import { dropDanglingOf, dropOrphanedPairs } from './edge.sql.ts';
import { type Graph, graphOf, type DependentField, readThroughLinks, sourcesAndLinksIn } from './graph.ts';
import { limits, type Step, stepsFor } from './plan.ts';
import { differs, valuesOf } from './values.sql.ts';

/** Nobody writes records of these tables until the transaction ends. Readers do not wait. */
export const lockTables = async (tx: Queryable, tables: readonly RelatedTable[]): Promise<void> => {
  const ordered = tables.toSorted((one_, other) => (one_.id < other.id ? -1 : 1));
  if (ordered.length > 0)
    await tx.query(sql`lock table ${sql.join(ordered.map(recordsOf))} in share row exclusive mode`);
};

export interface Refilling {
  /** Fields whose cells are others, and right. */
  changed: ReadonlySet<string>;
  /** Fields whose cells are to be filled. */
  unfilled: ReadonlySet<string>;
  /** Those among them that the change has filled itself. */
  filled?: ReadonlySet<string> | undefined;
}

/** What is to be filled: what is told, and everything that is computed from it; of what changed only what is read through links. */
export const toFill = (graph: Graph, { changed, unfilled, filled }: Refilling): Set<string> => {
  const behindLinks = readThroughLinks(graph, ({ fieldId }) => changed.has(fieldId));
  const reached = downstream(sourcesAndLinksIn(graph), [...unfilled, ...behindLinks]);
  for (const id of filled ?? []) reached.delete(id);
  return reached;
};

/** `where`: which records, as a condition on `u`. */
const fillStep = async (tx: Queryable, { table, dependents }: Step, where: Sql): Promise<void> => {
  const { from, values } = valuesOf(
    dependents,
    () => undefined,
    () => '',
  );
  const columns = values.map((value, at) => sql`${value} as ${sql.id(`c${at}`)}`);
  await tx.query(
    sql`update ${recordsOf(table)} p set ${sql.join(dependents.map(({ field }, at) => sql`${columnName(field)} = n.${sql.id(`c${at}`)}`))}
        from (select u.__id as id, ${sql.join(columns)} from ${recordsOf(table)} u${from} where ${where} and ${differs(dependents, values)}) n where p.__id = n.id`,
  );
};

/** A link cell that leads to fewer records from now on, because of the deletion `cause`. */
export interface Lost {
  fieldId: string;
  recordId: string;
  before: string;
  after: string | null;
  cause: number;
}

const linkOf = ({ sources }: DependentField): Linked => sources[0]?.via as Linked;

/** Of some records: cells of a link that show records which were deleted, and are still in the trash. Their columns have not been filled since. */
const selectLost = (tx: Queryable, dependent: DependentField, recordIds: readonly string[]): Promise<Lost[]> => {
  const { table, field } = dependent;
  const { foreign } = linkOf(dependent);
  const { from, values } = valuesOf(
    [dependent],
    () => undefined,
    () => '',
  );
  const [column, value] = [sql`u.${columnName(field)}`, values[0] as Sql];
  return many(
    tx,
    sql`select ${field.id} as "fieldId", u.__id as "recordId", ${column}::text as before, (${value})::text as after, d.cause
        from ${recordsOf(table)} u cross join lateral (
          select max(-h.op_id) as cause from jsonb_path_query(${column}, '$[*].id') g(id) join ${sql.id(foreign.baseId, `__history_${foreign.id}`)} h on h.record_id = g.id #>> '{}' and h.op_id < 0
          where not exists (select 1 from ${recordsOf(foreign)} f where f.__id = g.id #>> '{}') offset 0) d${from}
        where u.__id = any(${recordIds}::text[]) and ${column} is not null and d.cause is not null and ${linkedIds(column)} is distinct from ${linkedIds(value)} order by u.__auto_number`,
  );
};

/** Of the next records by id, which it locks in that order, as every write does; values are looked at afterwards. Undefined when there is none. */
export const refillNext = async (
  tx: Queryable,
  step: Step,
  after: string,
  count: number,
): Promise<{ last: string; count: number; lost: Lost[] } | undefined> => {
  const ids = (
    await many<{ id: string }>(
      tx,
      sql`select __id as id from ${recordsOf(step.table)} where __id > ${after} order by __id limit ${count} for no key update`,
    )
  ).map(({ id }) => id);
  const last = ids.at(-1);
  const links = step.dependents.filter(({ field }) => isLink(field));
  if (last === undefined) {
    for (const dependent of links) await dropOrphanedPairs(tx, linkOf(dependent));
    return undefined;
  }
  const lost: Lost[] = [];
  for (const dependent of links) {
    await dropDanglingOf(tx, linkOf(dependent), ids);
    lost.push(...(await selectLost(tx, dependent, ids)));
  }
  await fillStep(tx, step, sql`u.__id = any(${ids}::text[])`);
  return { last, count: ids.length, lost };
};

export const countRecords = async (db: Queryable, table: RelatedTable): Promise<number> =>
  (await one<{ count: number }>(db, sql`select count(*)::int as count from ${recordsOf(table)}`)).count;

const hasMoreThan = async (db: Queryable, table: RelatedTable, count: number): Promise<boolean> =>
  (
    await one<{ more: boolean }>(
      db,
      sql`select count(*) > ${count} as more from (select 1 from ${recordsOf(table)} limit ${count + 1}) found`,
    )
  ).more;

/** Whether one of the tables of these steps has more records than are filled at once. */
export const isLarge = async (db: Queryable, steps: readonly Step[]): Promise<boolean> => {
  for (const table of new Set(steps.map((step) => step.table)))
    if (await hasMoreThan(db, table, limits.filledAtOnce)) return true;
  return false;
};

/** Ids of the tables whose records it looked at. */
export const refill = async (
  tx: Queryable,
  tables: Pick<RelatedTable, 'related'>,
  refilling: Refilling,
): Promise<Set<string>> => {
  const graph = graphOf(tables);
  const steps = stepsFor(graph, toFill(graph, refilling));
  if (steps.length === 0) return new Set();
  await lockTables(tx, [...tables.related.values()]);
  for (const step of steps) await fillStep(tx, step, sql`true`);
  return new Set(steps.map(({ table }) => table.id));
};

/** Cells that a job has not filled yet, in some records: before what they follow from goes. */
export const fillCells = async (
  tx: Queryable,
  table: Pick<RelatedTable, 'baseId' | 'dbTableName'>,
  fields: readonly FieldSchema[],
  recordIds: readonly string[],
): Promise<void> => {
  for (const field of fields)
    await tx.query(
      sql`update ${recordsOf(table)} r set ${columnName(field)} = ${byTheNode(columnOf(field, 'r'))} where r.__id = any(${recordIds}::text[])`,
    );
};

/** These and no others: what is computed from them follows later. */
export const fillOnly = async (
  tx: Queryable,
  tables: Pick<RelatedTable, 'related'>,
  fieldIds: ReadonlySet<string>,
): Promise<void> => {
  for (const step of stepsFor(graphOf(tables), fieldIds)) await fillStep(tx, step, sql`true`);
};

/** How many cells of these fields are not what they should be. */
export const countWrong = async (db: Queryable, { table, dependents }: Step): Promise<number> => {
  const { from, values } = valuesOf(
    dependents,
    () => undefined,
    () => '',
  );
  return (
    await one<{ count: number }>(
      db,
      sql`select count(*)::int as count from ${recordsOf(table)} u${from} where ${differs(dependents, values)}`,
    )
  ).count;
};
