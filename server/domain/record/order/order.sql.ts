// Positions of records in a view: a column per view, null where a record stands at its autoNumber.
import type { Order } from '@rowhouse/contract/record.ts';
import type { TableSchema } from '../../../catalog/table.ts';
import { many, maybe, type Queryable } from '../../../db/db.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { Standing } from './placement.ts';

export const orderColumnName = (viewId: string): string => `__order_${viewId}`;

export const positionOf = (viewId: string, alias: string): Sql =>
  sql`coalesce(${sql.id(alias, orderColumnName(viewId))}, ${sql.id(alias, '__auto_number')}::double precision)`;

export const addOrderColumn = async (tx: Queryable, table: TableSchema, viewId: string): Promise<void> => {
  const target = sql.id(table.baseId, table.dbTableName);
  const column = sql.id(orderColumnName(viewId));
  await tx.query(sql`alter table ${target} add column ${column} double precision`);
  await tx.query(
    sql`create index on ${target} ((coalesce(${column}, __auto_number::double precision)), __auto_number)`,
  );
  await tx.query(sql`update rowhouse.views set has_order = true where id = ${viewId}`);
};

/** Of one view for another of the same table. */
export const copyOrderColumn = async (
  tx: Queryable,
  { baseId, dbTableName }: TableSchema,
  fromViewId: string,
  toViewId: string,
): Promise<void> => {
  await tx.query(
    sql`update ${sql.id(baseId, dbTableName)} set ${sql.id(orderColumnName(toViewId))} = ${sql.id(orderColumnName(fromViewId))} where ${sql.id(orderColumnName(fromViewId))} is not null`,
  );
};

/** One arrangement of a view at a time; the lock ends with the transaction. */
export const lockOrder = async (tx: Queryable, viewId: string): Promise<void> => {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${viewId}, 0))`);
};

/**
 * The open interval next to the anchor. Behind the last record it ends below the next autoNumber, so that
 * records created later still come last.
 */
export const selectGap = (
  tx: Queryable,
  table: TableSchema,
  order: Order,
): Promise<{ low: number; high: number } | undefined> => {
  const target = sql.id(table.baseId, table.dbTableName);
  const position = positionOf(order.viewId, 'r');
  const beyond = (compare: '<' | '>', direction: 'asc' | 'desc'): Sql =>
    sql`(select ${position} from ${target} r where (${position}, r.__auto_number) ${sql.raw(compare)} (anchor.position, anchor.number)
         order by ${position} ${sql.raw(direction)}, r.__auto_number ${sql.raw(direction)} limit 1)`;
  return maybe<{ low: number; high: number }>(
    tx,
    order.position === 'before'
      ? sql`select coalesce(${beyond('<', 'desc')}, anchor.position - 1) as low, anchor.position as high
            from (select ${position} as position, r.__auto_number as number from ${target} r where r.__id = ${order.anchorId}) anchor`
      : sql`select anchor.position as low,
                   coalesce(${beyond('>', 'asc')}, greatest(floor(anchor.position), (select max(__auto_number) from ${target})) + 1) as high
            from (select ${position} as position, r.__auto_number as number from ${target} r where r.__id = ${order.anchorId}) anchor`,
  );
};

/** Where records stand, from top to bottom. */
export const selectStanding = (
  tx: Queryable,
  table: TableSchema,
  viewId: string,
  recordIds: readonly string[],
): Promise<Standing[]> => {
  const target = sql.id(table.baseId, table.dbTableName);
  const [position, other] = [positionOf(viewId, 'r'), positionOf(viewId, 'o')];
  return many<Standing>(
    tx,
    sql`select r.__id as id,
               (select o.__id from ${target} o where (${other}, o.__auto_number) < (${position}, r.__auto_number)
                order by ${other} desc, o.__auto_number desc limit 1) as above,
               (select o.__id from ${target} o where (${other}, o.__auto_number) > (${position}, r.__auto_number) and o.__id <> all(${recordIds}::text[])
                order by ${other}, o.__auto_number limit 1) as below
        from ${target} r where r.__id = any(${recordIds}::text[]) order by ${position}, r.__auto_number`,
  );
};

/** Whole numbers again. At most as many as there are records, so below every autoNumber to come. */
export const renumber = async (tx: Queryable, table: TableSchema, viewId: string): Promise<void> => {
  const target = sql.id(table.baseId, table.dbTableName);
  await tx.query(
    sql`update ${target} r set ${sql.id(orderColumnName(viewId))} = ranked.rank
        from (select r.__id, row_number() over (order by ${positionOf(viewId, 'r')}, r.__auto_number) as rank from ${target} r) ranked,
             (select __id from ${target} order by __id for update) locked
        where r.__id = ranked.__id and locked.__id = r.__id`,
  );
};
