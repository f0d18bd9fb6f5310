import type { Db } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';

export const commentCount = async (
  db: Db,
  baseId: string,
  tableId: string,
): Promise<{ comments: number; subscriptions: number }> => {
  const count = (name: string) => sql`(select count(*)::int from ${sql.id(baseId, name)} where table_id = ${tableId})`;
  const rows = await db.query<{ comments: number; subscriptions: number }>(
    sql`select ${count('__comment')} as comments, ${count('__comment_subscription')} as subscriptions`,
  );
  return rows[0] as { comments: number; subscriptions: number };
};
