// Writes the positions of records in a view. It is no change of the records: versions and times stay.
import type { TableSchema } from '../../catalog/table.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { orderSql, type SortKey } from '../query/sort-key.sql.ts';
import { orderColumnName } from './order.sql.ts';
import { source } from './read.sql.ts';

/** Answers the ids of the records that exist. */
export const updatePositions = async (tx: Queryable, table: TableSchema, viewId: string, ids: readonly string[], positions: readonly number[]): Promise<string[]> => {
  const rows = await many<{ id: string }>(
    tx,
    sql`update ${source(table)} r set ${sql.id(orderColumnName(viewId))} = i.position
        from unnest(${ids}::text[], ${positions}::double precision[]) as i(id, position),
             (select __id from ${source(table)} where __id = any(${ids}::text[]) order by __id for update) locked
        where r.__id = i.id and locked.__id = r.__id returning r.__id as id`,
  );
  return rows.map(({ id }) => id);
};

/** Every record stands at its rank in the order of the keys: below every autoNumber to come. */
export const updateRanks = async (tx: Queryable, table: TableSchema, viewId: string, keys: readonly SortKey[]): Promise<void> => {
  await tx.query(
    sql`update ${source(table)} p set ${sql.id(orderColumnName(viewId))} = ranked.rank
        from (select r.__id, row_number() over (order by ${orderSql(keys)}) as rank from ${source(table)} r) ranked
        where p.__id = ranked.__id`,
  );
};
