// The one writer of rowhouse.undo_steps. Where the client named a step, its name is the first of the operations, with a mark before it.
import { maybe, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** Whose window it is, on which table. */
export interface Window {
  userId: string;
  tableId: string;
  windowId: string;
}

export interface Step {
  id: string;
  /** As the client called it. */
  name: string | undefined;
  /** In the order they were done. */
  operations: string[];
  /** When it was done or undone; absent: now. */
  time?: string;
}

export interface Wanted {
  /** This one instead of the last. */
  step?: string | undefined;
  /** Not these. */
  skip?: readonly string[] | undefined;
}

const deepest = 200;
const lifetime = sql`interval '24 hours'`;
const mark = 'step ';

const ofWindow = ({ userId, tableId, windowId }: Window): Sql => sql`user_id = ${userId} and table_id = ${tableId} and window_id = ${windowId}`;
const marked = (name: string | undefined): string[] => (name === undefined ? [] : [`${mark}${name}`]);

/** A new step ends what could be done again. An answer that is given a second time is no second step. */
export const addStep = async (db: Queryable, window: Window, operations: readonly string[], name: string | undefined): Promise<void> => {
  await db.query(
    sql`with gone as (
          delete from rowhouse.undo_steps where ${ofWindow(window)}
            and (is_undone or id <= (select id from rowhouse.undo_steps where ${ofWindow(window)} and not is_undone order by id desc offset ${sql.integer(deepest - 1)} limit 1))
        ), known as (
          select 1 from rowhouse.undo_steps where ${ofWindow(window)} and operation_ids && ${operations}::text[]
        ), joined as (
          update rowhouse.undo_steps set operation_ids = operation_ids || ${operations}::text[]
          where ${ofWindow(window)} and not is_undone and operation_ids[1] = any(${marked(name)}::text[]) and not exists (select from known) returning 1
        )
        insert into rowhouse.undo_steps (user_id, table_id, window_id, operation_ids)
        select ${window.userId}, ${window.tableId}, ${window.windowId}, ${[...marked(name), ...operations]}::text[]
        where not exists (select from joined) and not exists (select from known)`,
  );
};

/** What was done or undone last, or the step that is wanted. It is gone until it is put back, so that nobody takes it twice. */
export const takeStep = async (db: Queryable, window: Window, which: 'done' | 'undone', { step, skip = [] }: Wanted): Promise<Step | undefined> => {
  const row = await maybe<{ id: string; operations: string[]; time: string }>(
    db,
    sql`delete from rowhouse.undo_steps where id = (
          select id from rowhouse.undo_steps where ${ofWindow(window)} and is_undone = ${which === 'undone'} and time > clock_timestamp() - ${lifetime}
            ${step === undefined ? sql`` : sql`and operation_ids[1] = any(${marked(step)}::text[])`} and not operation_ids[1] = any(${skip.flatMap(marked)}::text[])
          order by time desc, id desc limit 1 for update)
        returning id::text as id, operation_ids as operations, time::text as time`,
  );
  if (row === undefined) return undefined;
  const [first, ...rest] = row.operations;
  return first?.startsWith(mark) === true ? { ...row, name: first.slice(mark.length), operations: rest } : { ...row, name: undefined };
};

export const putStep = async (db: Queryable, window: Window, { id, name, operations, time }: Step, which: 'done' | 'undone'): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.undo_steps (id, user_id, table_id, window_id, operation_ids, is_undone, time) overriding system value
        values (${id}::bigint, ${window.userId}, ${window.tableId}, ${window.windowId}, ${[...marked(name), ...operations]}::text[], ${which === 'undone'}, coalesce(${time ?? null}::timestamptz, clock_timestamp()))`,
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
