import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { columnOf } from '../cell/types.ts';
import { seenRows } from '../record/read/read.sql.ts';

const most = 10_000;

/** Records that are seen, and whose date lies in between. */
export const selectReached = async (
  db: Queryable,
  sight: Sight,
  field: FieldSchema,
  from: string,
  to: string,
): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select r.__id as id from ${seenRows(sight)} r
          where ${columnOf(field, 'r')} >= ${from}::timestamptz and ${columnOf(field, 'r')} < ${to}::timestamptz order by r.__id limit ${most}`,
    )
  ).map(({ id }) => id);
