// Cells of a chain of lookups and rollups that a job still fills are computed when they are read, from the far end of the chain. With many records that takes longer than
// anybody waits for a page. So it has 0.4 seconds: then the page comes without these cells, which the field says by `isPending`, and has them when the job is done.
import type { Sight } from '../../../catalog/sight.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import type { Handle, Queryable } from '../../../db/db.ts';
import { OutOfTime } from '../../../db/error.ts';
import { isNested } from '../../cell/looked-up.sql.ts';
import { limits } from '../../computed/plan.ts';
import type { Shape } from './json.sql.ts';

const bounded = (db: Handle): Queryable => ({
  query: (statement, options) => db.query(statement, { ...options, within: limits.pageTime }),
});

/** For statements that cannot do without these fields: with cells that are still being filled they fail with `OutOfTime`. */
export const boundedFor = (db: Handle, fields: readonly FieldSchema[]): Queryable =>
  db.kind === 'transaction' || !fields.some(isNested) ? db : bounded(db);

/** `read` may run twice; `isWhole` is false the second time. What is filtered, sorted or grouped by such cells cannot do without them, and fails with `OutOfTime`. */
export const readSoon = async <T>(
  db: Handle,
  sight: Sight,
  shape: Shape,
  read: (db: Queryable, shape: Shape, isWhole: boolean) => Promise<T>,
): Promise<T> => {
  // What reads in a transaction, such as a copy, wants all of it.
  if (db.kind === 'transaction' || !sight.table.fields.some(isNested)) return read(db, shape, true);
  const soon = bounded(db);
  try {
    return await read(soon, shape, true);
  } catch (error) {
    if (!(error instanceof OutOfTime) || !shape.fields.some(isNested)) throw error;
    return read(soon, { ...shape, fields: shape.fields.filter((field) => !isNested(field)) }, false);
  }
};
