// Steps of undo: the operations that a person did in one window of a table, by the names of their steps.
import type { WindowStep } from '../../catalog/operation.sql.ts';
import { maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** Whose window it is, on which table. */
export interface Window {
  baseId: string;
  tableId: string;
  userId: string;
  windowId: string;
}

export interface Step {
  name: string;
  /** In the order in which they were done. */
  operations: string[];
}

interface Wanted {
  /** This one instead of the last. */
  step?: string | undefined;
  /** Not these. */
  skip?: readonly string[] | undefined;
}

/** What was done or undone last, or the step that is wanted. What was undone before the window did something new cannot be done again. */
export const selectStep = (
  db: Queryable,
  { baseId, tableId, userId, windowId }: Window,
  which: 'done' | 'undone',
  { step, skip = [] }: Wanted,
  oldest: Date,
): Promise<Step | undefined> => {
  const states: WindowStep['state'][] = which === 'undone' ? ['undone'] : ['done', 'redone'];
  return maybe<Step>(
    db,
    sql`with own as (
          select id, public_id, step, step_state, time from ${sql.id(baseId, '__operation')}
          where table_id = ${tableId} and actor = ${userId} and window_id = ${windowId} and time > ${oldest.toISOString()}::timestamptz
        )
        select step as name, array_agg(public_id order by id) as operations from own
        where step_state = any(${states}::text[]) and (${step ?? null}::text is null or step = ${step ?? null}::text) and not step = any(${skip}::text[])
          and (${which === 'done'} or id > coalesce((select max(id) from own where step_state = 'done'), 0))
        group by step order by max(time) desc, max(id) desc limit 1`,
  );
};

/** These operations are undone: those that undid them are the step now. */
export const leaveStep = async (tx: Queryable, { baseId }: Window, operations: readonly string[]): Promise<void> => {
  await tx.query(
    sql`update ${sql.id(baseId, '__operation')} set window_id = null, step = null, step_state = null where public_id = any(${operations}::text[])`,
  );
};
