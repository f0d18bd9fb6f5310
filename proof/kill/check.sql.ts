// What the API does not tell all of at once.
import type { Queryable } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';

export const selectOperations = async (db: Queryable, baseId: string, tableId: string): Promise<string[]> =>
  (
    await db.query<{ id: string }>(
      sql`select public_id as id from ${sql.id(baseId, '__operation')} o where table_id = ${tableId} order by o.id`,
    )
  ).map((row) => row.id);

interface Told {
  id: string;
  userId: string;
  path: string;
  message: string;
}

export const selectNotifications = (db: Queryable): Promise<Told[]> =>
  db.query<Told>(sql`select id, user_id as "userId", path, message from rowhouse.notifications order by seq`);
