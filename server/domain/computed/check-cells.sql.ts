// Where there are computed cells to look at.
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** Bases in which a field leads to another table, or is computed. */
export const selectComputingBases = async (db: Queryable): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select distinct t.base_id as id from rowhouse.fields f join rowhouse.tables t on t.id = f.table_id where f.options ? 'foreignTableId' or f.computed is not null order by 1`,
    )
  ).map(({ id }) => id);

export const selectTableIds = async (db: Queryable, baseId: string): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select id from rowhouse.tables where base_id = ${baseId} and deleted_time is null order by id`,
    )
  ).map(({ id }) => id);
