// The one writer of rowhouse.jobs. Each step of a job's life is one statement; those of a job that runs name its token, so
// that a process which has lost the job changes nothing.
import { newId } from '@rowhouse/contract/id.ts';
import { many, type Queryable } from '../db/db.ts';
import { sqlState } from '../db/error.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { Candidate } from './choose-jobs.ts';
import { backOff, type JobRight, type NewJob, type Retry, type StepResult } from './job.ts';

/** Inside of the transaction that the job belongs to; afterwards `work.wake()`. Answers the id of the job that will run. */
export const addJob = async (tx: Queryable, job: NewJob): Promise<string> => (await addJobs(tx, [job]))[0] as string;

export const addJobs = async (db: Queryable, jobs: readonly NewJob[]): Promise<string[]> => {
  const given = jobs.map(
    ({ kind, key = null, payload = {}, baseId = null, spaceId = null, right = null, createdBy = null, delay = 0 }) => ({
      id: newId('job'),
      kind,
      key,
      payload,
      base_id: baseId,
      space_id: spaceId,
      needed_right: right,
      created_by: createdBy,
      delay,
    }),
  );
  const rows = await many<{ id: string }>(
    db,
    sql`insert into rowhouse.jobs (id, kind, key, payload, base_id, space_id, needed_right, created_by, due_time)
        select id, kind, key, payload, base_id, coalesce(space_id, (select b.space_id from rowhouse.bases b where b.id = given.base_id), ''), needed_right, created_by, now() + delay * interval '1 second'
        from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (id text, kind text, key text, payload jsonb, base_id text, space_id text, needed_right jsonb, created_by text, delay double precision)
        order by kind, key
        on conflict (kind, key) where state = 'waiting' and key is not null
        do update set due_time = least(rowhouse.jobs.due_time, excluded.due_time)
        returning id`,
  );
  return rows.map(({ id }) => id);
};

/** For a statement that adds jobs beside what they are about: `rows` gives id, kind and payload. */
export const insertJobs = (rows: Sql): Sql => sql`insert into rowhouse.jobs (id, kind, payload) ${rows}`;

/** One job for each kind that runs from time to time, due now: a server that starts looks for what was left behind. Of several that start together one does: `since` is for how many milliseconds this one has been starting, and what ran since then saw everything that was left. */
export const ensurePeriodic = async (
  db: Queryable,
  kinds: readonly { name: string; every: number }[],
  since: number,
): Promise<void> => {
  const given = kinds.map(({ name, every }) => ({ id: newId('job'), kind: name, every }));
  await db.query(
    sql`insert into rowhouse.jobs as j (id, kind, every)
        select id, kind, every from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (id text, kind text, every int) order by kind
        on conflict (kind) where every is not null do update
        set every = excluded.every, due_time = case when j.state = 'waiting' and (j.attempt > 0 or j.started_time is null or j.started_time < now() - ${since}::double precision * interval '1 millisecond') then now() else j.due_time end`,
  );
};

export const hurryPeriodic = async (db: Queryable, kinds: readonly string[]): Promise<void> => {
  await db.query(
    sql`update rowhouse.jobs set due_time = now() where kind = any(${kinds}::text[]) and every is not null and state = 'waiting' and due_time > now()`,
  );
};

export interface TakenJob {
  id: string;
  kind: string;
  payload: unknown;
  token: number;
  attempt: number;
  /** How often it has waited for something that passes since its last step. */
  waits: number;
  every: number | null;
  createdBy: string | null;
  cursor: unknown;
  result: unknown;
  seq: number;
  /** Empty: the server's own. */
  space: string;
}

const isDue = sql`j.state in ('waiting', 'running') and j.due_time <= now()
  and (j.key is null or j.state = 'running' or not exists (select from rowhouse.jobs r where r.kind = j.kind and r.key = j.key and r.state = 'running'))`;

const takenColumns = sql`j.id, j.kind, j.payload, j.token, j.attempt, j.waits, j.every, j.created_by as "createdBy", j.cursor, j.result, j.seq, j.space_id as space`;

const asTaken = (worker: string, lease: number): Sql =>
  sql`state = 'running', token = j.token + 1, attempt = j.attempt + 1, worker = ${worker}, due_time = now() + ${lease}::double precision * interval '1 second', started_time = clock_timestamp()`;

/** Of these kinds, those of which something may be due. Mostly there are none, and this costs a sixth of asking for the jobs themselves. */
export const selectDueKinds = async (db: Queryable, kinds: readonly string[]): Promise<Set<string>> => {
  const rows = await db.query<{ kind: string }>(
    sql`select wanted.kind from unnest(${kinds}::text[]) as wanted (kind) where exists (
          select from rowhouse.jobs j where j.kind = wanted.kind and j.state in ('waiting', 'running') and j.due_time <= now())`,
    { prepare: true },
  );
  return new Set(rows.map(({ kind }) => kind));
};

/** What is due, the longest first: of each kind and space as many as the kind has room for. Spaces are found by the index one after the other, however many jobs one of them has. */
export const selectDue = (db: Queryable, kinds: readonly { name: string; room: number }[]): Promise<Candidate[]> =>
  db.query<Candidate>(
    sql`with recursive place (kind, room, space) as (
          select wanted.kind, wanted.room, (select j.space_id from rowhouse.jobs j where j.kind = wanted.kind and j.state in ('waiting', 'running') order by j.space_id limit 1)
          from unnest(${kinds.map(({ name }) => name)}::text[], ${kinds.map(({ room }) => room)}::int[]) as wanted (kind, room)
          union all
          select p.kind, p.room, (select j.space_id from rowhouse.jobs j where j.kind = p.kind and j.space_id > p.space and j.state in ('waiting', 'running') order by j.space_id limit 1)
          from place p where p.space is not null
        )
        select found.id, found.kind, found.space from place p cross join lateral (
          select j.id, j.kind, j.space_id as space, j.due_time, j.seq from rowhouse.jobs j
          where j.kind = p.kind and j.space_id = p.space and ${isDue} order by j.due_time, j.seq limit p.room
        ) found order by found.due_time, found.seq`,
    { prepare: true },
  );

/** Those of them that nobody else has taken meanwhile, in their order. */
export const takeJobs = async (
  db: Queryable,
  ids: readonly string[],
  { worker, lease }: { worker: string; lease: number },
): Promise<TakenJob[]> => {
  const taken = await db.query<TakenJob>(
    sql`with due as materialized (select j.id from rowhouse.jobs j where j.id = any(${ids}::text[]) and ${isDue} for update skip locked)
        update rowhouse.jobs j set ${asTaken(worker, lease)} from due where j.id = due.id returning ${takenColumns}`,
    { prepare: true },
  );
  return taken.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
};

/** Of kinds that are done in order: takes what is due, up to `room` of each kind. Answers them in the order in which they were added. */
export const takeInOrder = async (
  db: Queryable,
  kinds: readonly { name: string; room: number }[],
  { worker, lease }: { worker: string; lease: number },
): Promise<TakenJob[]> => {
  const taken = await db.query<TakenJob>(
    sql`with due as materialized (
          select found.id from unnest(${kinds.map(({ name }) => name)}::text[], ${kinds.map(({ room }) => room)}::int[]) as wanted (kind, room)
          cross join lateral (select j.id from rowhouse.jobs j where j.kind = wanted.kind and ${isDue} order by j.due_time, j.seq limit wanted.room for update skip locked) found
        )
        update rowhouse.jobs j set ${asTaken(worker, lease)} from due where j.id = due.id returning ${takenColumns}`,
    { prepare: true },
  );
  return taken.sort((one, other) => one.seq - other.seq);
};

interface Held {
  id: string;
  token: number;
}

const isLeaseOf = ({ id, token }: Held): Sql => sql`id = ${id} and token = ${token} and state = 'running'`;

/** Answers which of them are still held, and whether somebody wants them cancelled. */
export const renewLeases = (
  db: Queryable,
  jobs: readonly Held[],
  lease: number,
): Promise<{ id: string; isCancelled: boolean }[]> =>
  many(
    db,
    sql`update rowhouse.jobs j set due_time = now() + ${lease}::double precision * interval '1 second'
        from unnest(${jobs.map(({ id }) => id)}::text[], ${jobs.map(({ token }) => token)}::bigint[]) as held (id, token)
        where j.id = held.id and j.token = held.token and j.state = 'running'
        returning j.id, j.cancel_requested as "isCancelled"`,
  );

/** PostgreSQL stores neither: what a job says may hold what somebody sent. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

const resultText = (result: object): string =>
  JSON.stringify(result, (_key, value: unknown) => (typeof value === 'string' ? storable(value) : value));

/** The end of the transaction of a step. Undefined when the job is no longer held: then the step must not count. */
export const recordStep = async (
  tx: Queryable,
  job: Held,
  { cursor, done, total, result }: StepResult,
  lease: number,
): Promise<{ isCancelled: boolean } | undefined> =>
  (
    await many<{ isCancelled: boolean }>(
      tx,
      sql`update rowhouse.jobs set due_time = now() + ${lease}::double precision * interval '1 second', waits = 0, error = null,
                 cursor = ${cursor === undefined ? sql`cursor` : sql`${JSON.stringify(cursor)}::jsonb`},
                 done = coalesce(${done ?? null}, done), total = coalesce(${total ?? null}, total), result = coalesce(${result === undefined ? null : resultText(result)}::jsonb, result)
          where ${isLeaseOf(job)} returning cancel_requested as "isCancelled"`,
    )
  )[0];

const finishSql = (job: TakenJob, result: object | undefined): Sql => {
  if (job.every !== null) {
    return sql`update rowhouse.jobs set state = 'waiting', attempt = 0, waits = 0, cursor = null, error = null, cancel_requested = false, due_time = now() + every * interval '1 second', finished_time = clock_timestamp()
          where ${isLeaseOf(job)} returning id`;
  }
  if (job.createdBy === null) return sql`delete from rowhouse.jobs where ${isLeaseOf(job)} returning id`;
  return sql`update rowhouse.jobs set state = 'done', error = null, result = ${result === undefined ? null : resultText(result)}::jsonb, finished_time = clock_timestamp() where ${isLeaseOf(job)} returning id`;
};

/** What nobody owns is forgotten; what runs from time to time waits for the next time. False when the job is no longer held. */
export const finishJob = async (db: Queryable, job: TakenJob, result: object | undefined): Promise<boolean> =>
  (await many(db, finishSql(job, result))).length > 0;

/** To wait again is not possible for one whose key another waits with by now: that one does the work instead. */
const waitAgain = async (db: Queryable, job: TakenJob, change: Sql): Promise<void> => {
  const hasSuccessor = sql`exists (select from rowhouse.jobs w where w.kind = j.kind and w.key = j.key and w.state = 'waiting')`;
  const statement = sql`with replaced as (
      update rowhouse.jobs j set state = 'cancelled', error = 'Replaced by a newer one', finished_time = clock_timestamp() where ${isLeaseOf(job)} and ${hasSuccessor}
    )
    update rowhouse.jobs j set state = 'waiting', ${change} where ${isLeaseOf(job)} and not ${hasSuccessor}`;
  await db.query(statement).catch((error: unknown) => {
    // It was added between the look and the update: the second look finds it.
    if (sqlState(error) !== '23505') throw error;
    return db.query(statement);
  });
};

export const retryJob = (db: Queryable, job: TakenJob, error: string, seconds: number): Promise<void> =>
  waitAgain(
    db,
    job,
    sql`error = ${storable(error)}, due_time = now() + ${seconds}::double precision * interval '1 second'`,
  );

/** For something that passes: it is no try. */
export const waitJob = (db: Queryable, job: TakenJob, error: string, how: Retry): Promise<void> =>
  waitAgain(
    db,
    job,
    sql`attempt = attempt - 1, waits = waits + 1, error = ${storable(error)}, due_time = now() + ${backOff(job.waits + 1, how)}::double precision * interval '1 second'`,
  );

/** Not its fault: it goes on elsewhere, or after the next start, as if it had not been tried. */
export const releaseJob = (db: Queryable, job: TakenJob): Promise<void> =>
  waitAgain(db, job, sql`attempt = attempt - 1, due_time = now()`);

export const endJob = async (
  db: Queryable,
  job: TakenJob,
  state: 'failed' | 'cancelled',
  error: string | null,
): Promise<void> => {
  await db.query(
    sql`update rowhouse.jobs set state = ${state}, error = ${error === null ? null : storable(error)}, finished_time = clock_timestamp() where ${isLeaseOf(job)}`,
  );
};

/** False when it has ended, or runs from time to time. One that runs hears of it when it next writes down that it does. */
export const requestCancel = async (db: Queryable, id: string): Promise<boolean> =>
  (
    await many(
      db,
      sql`update rowhouse.jobs set cancel_requested = true,
                 state = case when state = 'waiting' then 'cancelled' else state end, finished_time = case when state = 'waiting' then clock_timestamp() end
          where id = ${id} and state in ('waiting', 'running') and every is null returning id`,
    )
  ).length === 1;

/** One that has failed or was cancelled goes on from its cursor and result. Within a transaction that holds its row. */
export const resumeJob = async (tx: Queryable, id: string, payload: object): Promise<void> => {
  await tx.query(
    sql`update rowhouse.jobs set state = 'waiting', payload = ${JSON.stringify(payload)}::jsonb, cancel_requested = false, attempt = 0, waits = 0, error = null, due_time = now(), finished_time = null
        where id = ${id} and state in ('failed', 'cancelled')`,
  );
};

/** It waits for its next try after a fault: that is now. Within a transaction that holds its row. */
export const hurryJob = async (tx: Queryable, id: string): Promise<void> => {
  await tx.query(sql`update rowhouse.jobs set due_time = now() where id = ${id} and state = 'waiting'`);
};

/** With its base. One that runs finds out by itself. */
export const deleteJobsOf = async (tx: Queryable, baseId: string): Promise<void> => {
  await tx.query(sql`delete from rowhouse.jobs where base_id = ${baseId} and state <> 'running'`);
};

/** Answers how many went. */
export const deleteOldJobs = async (db: Queryable, days: number): Promise<number> =>
  (
    await many(
      db,
      sql`delete from rowhouse.jobs where state in ('done', 'failed', 'cancelled') and finished_time < now() - ${days}::int * interval '1 day' returning id`,
    )
  ).length;

/** For the operator: how many there are, and for how many seconds the oldest has been due. */
export const countJobs = (db: Queryable): Promise<{ kind: string; state: string; count: number; late: number }[]> =>
  many(
    db,
    sql`select kind, state, count(*)::int as count, greatest(0, coalesce(extract(epoch from now() - min(due_time) filter (where state = 'waiting')), 0))::double precision as late
        from rowhouse.jobs group by kind, state order by kind, state`,
  );

interface JobStart {
  right: JobRight | null;
  /** Who started it, and with what. */
  by: { userId: string; tokenId: string | null; clientId: string | null } | null;
}

export const selectStart = async (db: Queryable, id: string): Promise<JobStart | undefined> =>
  (
    await many<JobStart>(
      db,
      sql`select needed_right as right, payload -> 'by' as by from rowhouse.jobs where id = ${id}`,
    )
  )[0];
