// Writes the positions of records in a view. It is no change of the records: versions and times stay.
import { type OperationFacts, operationPart } from '../../../catalog/operation.sql.ts';
import type { TableSchema } from '../../../catalog/table.ts';
import { many, type Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';
import { type Guard, holds } from '../../../pipeline/guard.sql.ts';
import { orderSql, type SortKey } from '../../query/sort-key.sql.ts';
import { orderColumnName } from './order.sql.ts';
import { tableOf } from '../../field/column.sql.ts';

/** Answers the ids of the records that exist, none when the guard does not hold. Those who follow the table are told by the operation. */
export const updatePositions = async (
  tx: Queryable,
  guard: Guard,
  viewId: string,
  ids: readonly string[],
  positions: readonly number[],
  operation: OperationFacts,
): Promise<string[]> => {
  const { table } = guard;
  const op = operationPart(table, operation, sql`(select count(*) from moved)`, sql`0`, sql`${ids}::text[]`);
  const rows = await many<{ id: string }>(
    tx,
    sql`with moved as (
          update ${tableOf(table)} r set ${sql.id(orderColumnName(viewId))} = i.position
          from unnest(${ids}::text[], ${positions}::double precision[]) as i(id, position),
               (select __id from ${tableOf(table)} where __id = any(${ids}::text[]) order by __id for update) locked
          where r.__id = i.id and locked.__id = r.__id and ${holds(guard)} returning r.__id as id
        ), ${op.before}op as (
          ${op.insert}
        )
        select id from moved`,
  );
  return rows.map(({ id }) => id);
};

/**
 * Every record stands at its rank in the order of the keys: below every autoNumber to come. Rows are locked in id order, as
 * by everyone who changes several.
 */
export const updateRanks = async (
  tx: Queryable,
  table: TableSchema,
  viewId: string,
  keys: readonly SortKey[],
): Promise<void> => {
  await tx.query(
    sql`update ${tableOf(table)} p set ${sql.id(orderColumnName(viewId))} = ranked.rank
        from (select r.__id, row_number() over (order by ${orderSql(keys)}) as rank from ${tableOf(table)} r) ranked,
             (select __id from ${tableOf(table)} order by __id for update) locked
        where p.__id = ranked.__id and locked.__id = p.__id and p.${sql.id(orderColumnName(viewId))} is distinct from ranked.rank`,
  );
};
