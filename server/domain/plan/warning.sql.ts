// The one writer of rowhouse.limit_warnings: which owners were told already.
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** False when this or a higher one was given already, perhaps by another process. */
export const claimWarning = async (db: Queryable, spaceId: string, percent: number): Promise<boolean> => {
  const rows = await many(
    db,
    sql`insert into rowhouse.limit_warnings as w (space_id, percent) values (${spaceId}, ${percent})
        on conflict (space_id) do update set percent = excluded.percent where w.percent < excluded.percent returning 1`,
  );
  return rows.length === 1;
};

export const selectWarned = async (db: Queryable): Promise<string[]> =>
  (await many<{ id: string }>(db, sql`select space_id as id from rowhouse.limit_warnings`)).map(({ id }) => id);

export const deleteWarnings = async (db: Queryable, spaceIds: readonly string[]): Promise<void> => {
  await db.query(sql`delete from rowhouse.limit_warnings where space_id = any(${spaceIds}::text[])`);
};
