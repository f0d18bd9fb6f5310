// Rows that change because a record elsewhere did, by a link or a rollup: an operation of kind `computed` in each table
// that such a change reaches. `cause` is the id of the write behind it, `field_ids` the fields whose cells changed.
import type { Queryable } from '../db.ts';
import { sql } from '../sql.ts';

export const causedOperations = async (db: Queryable, baseId: string): Promise<void> => {
  await db.query(
    sql`alter table ${sql.id(baseId, '__operation')} add column cause bigint, add column field_ids text[]`,
  );
};
