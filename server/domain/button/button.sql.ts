import type { TableSchema } from '../../catalog/table.ts';
import type { Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** Of a record that is locked; undefined when it is not there. */
export const selectPresses = async (
  tx: Queryable,
  { baseId, dbTableName }: Pick<TableSchema, 'baseId' | 'dbTableName'>,
  recordId: string,
  column: string,
): Promise<number | undefined> => {
  const [row] = await tx.query<{ count: number | null }>(
    sql`select (${sql.id(column)} ->> 'count')::int as count from ${sql.id(baseId, dbTableName)} where __id = ${recordId}`,
  );
  return row === undefined ? undefined : (row.count ?? 0);
};
