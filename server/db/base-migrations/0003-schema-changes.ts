// What an operation changed beside cells, so that it can be undone: fields and views before and after, and places of records
// in views that are arranged by hand. Null where nothing of the kind changed.
import type { Queryable } from '../db.ts';
import { sql } from '../sql.ts';

export const schemaChanges = async (db: Queryable, baseId: string): Promise<void> => {
  await db.query(sql`alter table ${sql.id(baseId, '__operation')} add column change jsonb`);
};
