import type { Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export const updateOptions = async (db: Queryable, fieldId: string, options: Record<string, unknown>): Promise<void> => {
  await db.query(sql`update rowhouse.fields set options = ${JSON.stringify(options)}::jsonb, version = version + 1, last_modified_time = now() where id = ${fieldId}`);
};
