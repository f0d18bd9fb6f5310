// Background work as administrators see it. It is written by work/job.sql.ts.
import type { jobStates } from '@rowhouse/contract/job.ts';
import { many, maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface AdminJobRow {
  seq: string;
  id: string;
  kind: string;
  state: (typeof jobStates)[number];
  every: number | null;
  spaceId: string | null;
  baseId: string | null;
  creatorId: string | null;
  creatorName: string | null;
  createdTime: string;
  dueTime: string;
  startedTime: string | null;
  finishedTime: string | null;
  attempt: number;
  done: number | null;
  total: number | null;
  error: string | null;
}

interface JobFilter {
  state?: (typeof jobStates)[number] | 'failing' | undefined;
  kind?: string | undefined;
  before?: string | undefined;
  take: number;
}

const isFailing = sql`j.state in ('waiting', 'running') and j.error is not null`;

export const selectAdminJobs = (db: Queryable, { state, kind, before, take }: JobFilter): Promise<AdminJobRow[]> =>
  many<AdminJobRow>(
    db,
    sql`select j.seq::text, j.id, j.kind, j.state, j.every, nullif(j.space_id, '') as "spaceId", j.base_id as "baseId", j.created_by as "creatorId", u.name as "creatorName",
               j.created_time as "createdTime", j.due_time as "dueTime", j.started_time as "startedTime", j.finished_time as "finishedTime", j.attempt, j.done, j.total, j.error
        from rowhouse.jobs j left join rowhouse.users u on u.id = j.created_by
        where ${state === undefined ? sql`true` : state === 'failing' ? isFailing : sql`j.state = ${state}`}
          ${kind === undefined ? sql.empty : sql`and j.kind = ${kind}`}
          ${before === undefined ? sql.empty : sql`and j.seq < ${before}::bigint`}
        order by j.seq desc limit ${take}`,
  );

/** Until the transaction ends nobody else takes it, or tries it again. */
export const lockAdminJob = (
  tx: Queryable,
  id: string,
): Promise<
  | { kind: string; state: AdminJobRow['state']; payload: object; error: string | null; spaceId: string | null }
  | undefined
> =>
  maybe(
    tx,
    sql`select kind, state, payload, error, nullif(space_id, '') as "spaceId" from rowhouse.jobs where id = ${id} for update`,
  );
