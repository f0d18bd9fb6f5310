import type { Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';

/** For one transaction: its statements may take as long as those of a change of the schema. */
export const allowLong = async (tx: Queryable): Promise<void> => {
  await tx.query(sql`select set_config('statement_timeout', coalesce(current_setting('rowhouse.long_statement_timeout', true), '0'), true)`);
};
