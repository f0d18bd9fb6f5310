// An operation is part of a step that undo and redo go through: which window of its actor it was done in, the name of the step, and whether
// it did it, undid it or did it again. An operation that was undone leaves its step to the one that undid it. `side_effects`: what the operation
// made beside its own cells and records, so that undoing it takes that back as well. See docs/adr/0084-steps-are-operations.md.
import type { Queryable } from '../db.ts';
import { sql } from '../sql.ts';

export const windowSteps = async (db: Queryable, baseId: string): Promise<void> => {
  const operation = sql.id(baseId, '__operation');
  await db.query(
    sql`alter table ${operation} add column window_id text, add column step text, add column step_state text, add column side_effects jsonb`,
  );
  await db.query(
    sql`create index __operation_window on ${operation} (table_id, actor, window_id, id) where window_id is not null`,
  );
};
