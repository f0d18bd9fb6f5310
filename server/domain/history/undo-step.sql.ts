// The one writer of rowhouse.undo_steps.
import { maybe, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** Whose window it is, on which table. */
export interface Window {
  userId: string;
  tableId: string;
  windowId: string;
}

export interface Step {
  id: string;
  /** In the order they were done. */
  operationIds: string[];
}

const deepest = 200;
const lifetime = sql`interval '24 hours'`;

const ofWindow = ({ userId, tableId, windowId }: Window) => sql`user_id = ${userId} and table_id = ${tableId} and window_id = ${windowId}`;

/** A new step ends what could be done again. */
export const addStep = async (db: Queryable, window: Window, operationIds: readonly string[]): Promise<void> => {
  await db.query(
    sql`with gone as (
          delete from rowhouse.undo_steps where ${ofWindow(window)}
            and (is_undone or id <= (select id from rowhouse.undo_steps where ${ofWindow(window)} and not is_undone order by id desc offset ${sql.integer(deepest - 1)} limit 1))
        )
        insert into rowhouse.undo_steps (user_id, table_id, window_id, operation_ids) values (${window.userId}, ${window.tableId}, ${window.windowId}, ${operationIds}::text[])`,
  );
};

/** The newest step that is done, or the one that was undone last. It is gone until it is put back, so that nobody takes it twice. */
export const takeStep = (db: Queryable, window: Window, which: 'done' | 'undone'): Promise<Step | undefined> =>
  maybe<Step>(
    db,
    sql`delete from rowhouse.undo_steps where id = (
          select id from rowhouse.undo_steps where ${ofWindow(window)} and is_undone = ${which === 'undone'} and time > clock_timestamp() - ${lifetime}
          order by id ${which === 'undone' ? sql`asc` : sql`desc`} limit 1 for update)
        returning id::text as id, operation_ids as "operationIds"`,
  );

export const putStep = async (db: Queryable, window: Window, { id, operationIds }: Step, which: 'done' | 'undone'): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.undo_steps (id, user_id, table_id, window_id, operation_ids, is_undone) overriding system value
        values (${id}::bigint, ${window.userId}, ${window.tableId}, ${window.windowId}, ${operationIds}::text[], ${which === 'undone'})`,
  );
};

/** How many there were; at most `batch` at once. */
export const deleteOldSteps = async (db: Queryable, batch: number): Promise<number> =>
  (
    await one<{ count: number }>(
      db,
      sql`with gone as (delete from rowhouse.undo_steps where id in (select id from rowhouse.undo_steps where time < clock_timestamp() - ${lifetime} limit ${sql.integer(batch)}) returning 1)
          select count(*)::int as count from gone`,
    )
  ).count;
