import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { columnOf } from '../cell/types.ts';
import { recordJson } from '../record/read/json.sql.ts';
import { seenRows } from '../record/read/read.sql.ts';
import type { Cells } from '../webhook/record-states.ts';

const most = 10_000;

/** Records that are seen, and whose date lies in between. */
export const selectReached = async (
  db: Queryable,
  sight: Sight,
  field: FieldSchema,
  from: string,
  to: string,
): Promise<{ id: string; fields: Cells }[]> => {
  const shape = { fields: sight.fields, keyType: 'id' as const, format: 'json' as const };
  const rows = await many<{ json: string }>(
    db,
    sql`select ${recordJson(sight, 'r', shape)} || '}' as json from ${seenRows(sight)} r
        where ${columnOf(field, 'r')} >= ${from}::timestamptz and ${columnOf(field, 'r')} < ${to}::timestamptz order by r.__id limit ${most}`,
  );
  return rows.map(({ json }) => JSON.parse(json) as { id: string; fields: Cells });
};
