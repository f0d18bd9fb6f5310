import type { Press } from '@rowhouse/contract/button.ts';
import { maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** Of a run that this person started with this record. */
export const selectPress = (
  db: Queryable,
  of: { runId: string; baseId: string; recordId: string; userId: string },
): Promise<{ state: Press['state']; error: string | null } | undefined> =>
  maybe(
    db,
    sql`select state, error from rowhouse.automation_runs
        where id = ${of.runId} and base_id = ${of.baseId} and record_id = ${of.recordId} and started_by = ${of.userId} and trigger_type = 'buttonPressed'`,
  );
