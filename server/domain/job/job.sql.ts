// What people see of jobs. They are written by work/job.sql.ts.
import type { jobStates } from '@rowhouse/contract/job.ts';
import { many, maybe, type Queryable, type Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { JobRight } from '../../work/job.ts';

export interface JobRow {
  id: string;
  kind: string;
  state: (typeof jobStates)[number];
  baseId: string | null;
  createdBy: string | null;
  right: JobRight | null;
  createdTime: string;
  startedTime: string | null;
  finishedTime: string | null;
  attempt: number;
  dueTime: string;
  done: number | null;
  total: number | null;
  result: Record<string, unknown> | null;
  error: string | null;
  isCancelling: boolean;
  /** Of `createdTime`, exactly. */
  micros: string;
}

const columns = sql`id, kind, state, base_id as "baseId", created_by as "createdBy", needed_right as right, created_time as "createdTime", started_time as "startedTime", finished_time as "finishedTime",
  attempt, due_time as "dueTime", done, total, result, error, cancel_requested and state = 'running' as "isCancelling", (extract(epoch from created_time) * 1000000)::bigint::text as micros`;

export const selectJob = (db: Queryable, id: string): Promise<JobRow | undefined> =>
  maybe<JobRow>(db, sql`select ${columns} from rowhouse.jobs where id = ${id}`);

/** What it was started with. */
export const selectPayload = async (db: Queryable, id: string): Promise<unknown> =>
  (await maybe<{ payload: unknown }>(db, sql`select payload from rowhouse.jobs where id = ${id}`))?.payload;

/** Holds its row until the transaction ends: it is neither continued nor undone by another. */
export const lockJob = (tx: Tx, id: string): Promise<Pick<JobRow, 'state' | 'result'> | undefined> =>
  maybe(tx, sql`select state, result from rowhouse.jobs where id = ${id} for update`);

/** Whether one of this kind and key waits, runs or has done its work. */
export const hasJobOf = async (tx: Tx, kind: string, key: string): Promise<boolean> =>
  (
    await many(
      tx,
      sql`select 1 as one from rowhouse.jobs where kind = ${kind} and key = ${key} and state in ('waiting', 'running', 'done') limit 1`,
    )
  ).length > 0;

export const selectBaseJobs = (
  db: Queryable,
  baseId: string,
  page: {
    state: string | undefined;
    createdBy: string | undefined;
    after: { micros: string; id: string } | null;
    take: number;
  },
): Promise<JobRow[]> =>
  many<JobRow>(
    db,
    sql`select ${columns} from rowhouse.jobs where base_id = ${baseId}
          ${page.state === undefined ? sql.empty : sql`and state = ${page.state}`}
          ${page.createdBy === undefined ? sql.empty : sql`and created_by = ${page.createdBy}`}
          ${page.after === null ? sql.empty : sql`and (created_time, id) < (timestamptz 'epoch' + ${page.after.micros}::bigint * interval '1 microsecond', ${page.after.id})`}
        order by created_time desc, id desc limit ${page.take}`,
  );
