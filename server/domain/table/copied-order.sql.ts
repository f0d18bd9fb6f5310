// The order that people gave the records of a view by hand, in the copy of its table.
import type { TableSchema, ViewSchema } from '../../catalog/table.ts';
import type { Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { addOrderColumn, orderColumnName, positionOf } from '../record/order/order.sql.ts';
import type { CopiedIds } from './copied-links.sql.ts';

/** Whole numbers from 1 on: what is added to the copy later comes after them. `ids`: which record is the copy of which; null when they have the same ids. */
export const copyOrders = async (
  tx: Queryable,
  from: TableSchema,
  to: TableSchema,
  views: readonly (readonly [ViewSchema, ViewSchema])[],
  ids: CopiedIds | null,
): Promise<void> => {
  for (const [source, copy] of views) {
    if (!source.hasOrder) continue;
    await addOrderColumn(tx, to, copy.id);
    const pairs =
      ids === null
        ? sql`(select __id as old, __id as copy from ${sql.id(from.baseId, from.dbTableName)})`
        : sql`unnest(${ids.old}::text[], ${ids.copies}::text[])`;
    await tx.query(
      // By itself: the two may be in different bases.
      sql`with n as materialized (
            select p.copy, row_number() over (order by ${positionOf(source.id, 'r')}, r.__auto_number)::double precision as rank
            from ${sql.id(from.baseId, from.dbTableName)} r join ${pairs} as p(old, copy) on p.old = r.__id
          )
          update ${sql.id(to.baseId, to.dbTableName)} c set ${sql.id(orderColumnName(copy.id))} = n.rank from n where c.__id = n.copy`,
    );
  }
};
