import { type Sight, sightForUse } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { seenRows } from '../record/read/read.sql.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { fieldsJson } from '../record/read/json.sql.ts';

/** The present cells as they are stored, by record and field id: to be compared, not to be shown. The rows stay locked, in id order, until the transaction ends. */
export const selectCurrent = async (
  tx: Queryable,
  sight: Sight,
  ids: readonly string[],
  fields: readonly FieldSchema[],
): Promise<Map<string, Record<string, unknown>>> => {
  const rows = await many<{ id: string; cells: string }>(
    tx,
    sql`select r.__id as id, ${fieldsJson(sightForUse(sight), fields, 'r', 'id', 'json')} as cells
        from ${seenRows(sight)} r where r.__id = any(${ids}::text[]) order by r.__id for update`,
  );
  return new Map(rows.map((row) => [row.id, JSON.parse(row.cells) as Record<string, unknown>]));
};
