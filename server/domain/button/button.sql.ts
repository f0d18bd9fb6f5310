import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { columnOf } from '../cell/types.ts';
import { seenRows } from '../record/read/read.sql.ts';

/** Of a record that is locked; undefined when it is not there for the caller. A cell that is hidden in it counts as not pressed, and cannot be written. */
export const selectPresses = async (
  tx: Queryable,
  sight: Sight,
  recordId: string,
  field: FieldSchema,
): Promise<number | undefined> => {
  const [row] = await tx.query<{ count: number | null }>(
    sql`select (${columnOf(field, 'r')} ->> 'count')::int as count from ${seenRows(sight)} r where r.__id = ${recordId}`,
  );
  return row === undefined ? undefined : (row.count ?? 0);
};
