// Exact numbers of records, for what moves whole tables in or out of a space. Writers are locked out until the
// transaction ends: those that wait see the new access epoch and start over.
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

interface CountedTable {
  baseId: string;
  id: string;
  dbTableName: string;
}

/** Tables of a base, or one of them, that count: neither they nor the base are in the trash. */
export const selectCountedTables = (db: Queryable, baseId: string, tableId?: string): Promise<CountedTable[]> =>
  many<CountedTable>(
    db,
    sql`select t.id, t.base_id as "baseId", t.db_table_name as "dbTableName" from rowhouse.tables t join rowhouse.bases b on b.id = t.base_id
        where t.base_id = ${baseId} and t.deleted_time is null and b.deleted_time is null
          and (${tableId ?? null}::text is null or t.id = ${tableId ?? null}) order by t.id`,
  );

/** Fields and names of the tables of a base stay as they are. */
export const lockSchemas = async (db: Queryable, baseId: string): Promise<void> => {
  await db.query(sql`select version from ${sql.id(baseId, '__table')} order by id for update`);
};

export const lockAndCount = async (db: Queryable, tables: readonly CountedTable[]): Promise<number> => {
  if (tables.length === 0) return 0;
  const names = tables.map(({ baseId, dbTableName }) => sql.id(baseId, dbTableName));
  await db.query(sql`lock table ${sql.join(names)} in share row exclusive mode`);
  let total = 0;
  for (const name of names) total += (await db.query<{ n: number }>(sql`select count(*) as n from ${name}`))[0]?.n ?? 0;
  return total;
};

export const selectSpaceId = async (db: Queryable, baseId: string): Promise<string> => {
  const rows = await many<{ spaceId: string }>(
    db,
    sql`select space_id as "spaceId" from rowhouse.bases where id = ${baseId}`,
  );
  return rows[0]?.spaceId as string;
};
