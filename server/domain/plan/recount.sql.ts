import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { selectNumRows } from './quota.sql.ts';

/** The first statement of a transaction in which everything is read as of one moment. */
export const stableSnapshot = async (db: Queryable): Promise<void> => {
  await db.query(sql`set transaction isolation level repeatable read, read only`);
};

export const selectSpaceIds = async (db: Queryable): Promise<string[]> =>
  (await many<{ id: string }>(db, sql`select id from rowhouse.spaces order by id`)).map(({ id }) => id);

export const selectRecount = async (db: Queryable, spaceId: string): Promise<{ counted: number; used: number }> => {
  const used = await selectNumRows(db, spaceId);
  const tables = await many<{ baseId: string; name: string }>(
    db,
    sql`select t.base_id as "baseId", t.db_table_name as name from rowhouse.tables t join rowhouse.bases b on b.id = t.base_id
        where b.space_id = ${spaceId} and b.deleted_time is null and t.deleted_time is null`,
  );
  let counted = 0;
  for (const { baseId, name } of tables)
    counted += (await many<{ n: number }>(db, sql`select count(*) as n from ${sql.id(baseId, name)}`))[0]?.n ?? 0;
  return { counted, used };
};
