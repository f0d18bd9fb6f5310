// The one writer of runs, their steps, and how many there were.
import type { runStates, stepStates } from '@rowhouse/contract/automation.ts';
import type { TriggerType } from '@rowhouse/contract/automation-definition.ts';
import { many, maybe, one, type Queryable, type Tx } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';

type RunState = (typeof runStates)[number];

export interface RunRow {
  seq: number;
  id: string;
  automationId: string;
  baseId: string;
  version: number;
  state: RunState;
  triggerType: TriggerType;
  recordId: string | null;
  recordName: string | null;
  depth: number;
  chain: string[];
  startedBy: string | null;
  path: string;
  attempts: number;
  error: string | null;
  dueTime: string;
  createdTime: string;
  startedTime: string | null;
  endedTime: string | null;
}

export interface NewRun {
  id: string;
  automationId: string;
  baseId: string;
  version: number;
  event: string;
  triggerType: TriggerType;
  trigger: object;
  recordId: string | null;
  recordName: string | null;
  depth: number;
  chain: readonly string[];
  startedBy: string | null;
  state: 'waiting' | 'failed' | 'canceled';
  error: string | null;
  path: string;
}

const columns = sql`r.seq, r.id, r.automation_id as "automationId", r.base_id as "baseId", r.version, r.state, r.trigger_type as "triggerType", r.record_id as "recordId",
  r.record_name as "recordName", r.depth, to_json(r.chain) as chain, r.started_by as "startedBy", r.path, r.attempts, r.error, r.due_time as "dueTime",
  r.created_time as "createdTime", r.started_time as "startedTime", r.ended_time as "endedTime"`;

/** Those whose event has not started their automation yet. Answers the ids of these. */
export const insertRuns = async (tx: Queryable, spaceId: string, given: readonly NewRun[]): Promise<string[]> => {
  if (given.length === 0) return [];
  const rows = await many<{ id: string }>(
    tx,
    sql`with added as (
          insert into rowhouse.automation_runs (id, automation_id, base_id, version, event, trigger_type, trigger, record_id, record_name, depth, chain, started_by, state, error, path, ended_time)
          select id, "automationId", "baseId", version, event, "triggerType", trigger, "recordId", "recordName", depth, array(select jsonb_array_elements_text(chain)), "startedBy", state, error, path,
                 case when state <> 'waiting' then now() end
          from rows from (jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as (id text, "automationId" text, "baseId" text, version int, event text, "triggerType" text, trigger jsonb,
            "recordId" text, "recordName" text, depth int, chain jsonb, "startedBy" text, state text, error text, path text)) with ordinality
            as given (id, "automationId", "baseId", version, event, "triggerType", trigger, "recordId", "recordName", depth, chain, "startedBy", state, error, path, at)
          order by at
          on conflict (automation_id, event) do nothing returning id, seq, state
        ), counted as (
          insert into rowhouse.automation_months (space_id, month, runs)
          select ${spaceId}, date_trunc('month', now() at time zone 'UTC')::date, count(*) from added where state = 'waiting' having count(*) > 0
          on conflict (space_id, month) do update set runs = rowhouse.automation_months.runs + excluded.runs
        )
        select id from added order by seq`,
  );
  return rows.map(({ id }) => id);
};

const selectBy = (db: Queryable, where: Sql): Promise<RunRow[]> =>
  many<RunRow>(db, sql`select ${columns} from rowhouse.automation_runs r where ${where}`);

export const selectRun = async (db: Queryable, automationId: string, id: string): Promise<RunRow | undefined> =>
  (await selectBy(db, sql`r.id = ${id} and r.automation_id = ${automationId}`))[0];

/** For the rest of the transaction. */
export const lockRun = async (tx: Queryable, id: string): Promise<RunRow | undefined> =>
  (await selectBy(tx, sql`r.id = ${id} for update`))[0];

/** Calls of one automation with the same key wait for each other. */
export const lockCall = async (tx: Tx, automationId: string, key: string): Promise<void> => {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`rowhouse call ${automationId} ${key}`}, 0))`);
};

/** The id of the run that one of these calls started after that moment. */
export const selectCall = async (
  tx: Tx,
  automationId: string,
  events: readonly string[],
  after: Date,
): Promise<string | undefined> =>
  (
    await maybe<{ id: string }>(
      tx,
      sql`select id from rowhouse.automation_runs
          where automation_id = ${automationId} and event = any(${events}::text[]) and (trigger ->> 'time')::timestamptz > ${after} order by seq desc limit 1`,
    )
  )?.id;

export const selectTrigger = async (db: Queryable, seq: number): Promise<Record<string, unknown>> =>
  (
    await one<{ trigger: Record<string, unknown> }>(
      db,
      sql`select trigger || jsonb_build_object('by', (select u.name from rowhouse.users u where u.id = r.started_by)) as trigger from rowhouse.automation_runs r where seq = ${seq}`,
    )
  ).trigger;

export const selectRuns = (
  db: Queryable,
  automationId: string,
  page: { before: number | null; state: RunState | null; skip?: number; limit: number },
): Promise<RunRow[]> =>
  selectBy(
    db,
    sql`r.automation_id = ${automationId} and (${page.before}::bigint is null or r.seq < ${page.before}) and (${page.state}::text is null or r.state = ${page.state})
        order by r.seq desc limit ${page.limit} offset ${page.skip ?? 0}`,
  );

/** How many there are in each state, and how long those took on average that have ended, in milliseconds. */
export const countRuns = (
  db: Queryable,
  automationId: string,
): Promise<{ state: RunState; count: number; spent: number | null }[]> =>
  many(
    db,
    sql`select state, count(*)::int as count,
               (avg(greatest(0, extract(epoch from ended_time - started_time))) filter (where started_time is not null and ended_time is not null) * 1000)::double precision as spent
        from rowhouse.automation_runs where automation_id = ${automationId} group by state`,
  );

/** Neither it nor its automation has ended, and its base is out of the trash. One sentence for what is due and for when to look again: where they differ, jobs follow one another for nothing. */
const goesOn = sql`r.state in ('waiting', 'running')
  and exists (select from rowhouse.automations a where a.id = r.automation_id and a.state = 'on')
  and exists (select from rowhouse.bases b join rowhouse.spaces s on s.id = b.space_id where b.id = r.base_id and b.deleted_time is null and s.deleted_time is null)`;

/** What is due in a base, the oldest first. Runs whose call is under way have a due time ahead of them. */
export const selectDueRuns = (db: Queryable, baseId: string, limit: number): Promise<RunRow[]> =>
  selectBy(
    db,
    sql`r.base_id = ${baseId} and r.due_time <= now() and ${goesOn} order by r.state desc, r.seq limit ${limit}`,
  );

/** Seconds until the next one is due, below zero when it is already; null: there is none. */
export const selectNextDue = async (db: Queryable, baseId: string): Promise<number | null> =>
  (
    await one<{ seconds: number | null }>(
      db,
      // No greatest() over it: that of 0 and null is 0.
      sql`select extract(epoch from min(r.due_time) - now())::double precision as seconds from rowhouse.automation_runs r
          where r.base_id = ${baseId} and ${goesOn}`,
    )
  ).seconds;

/** Bases with runs that are due. */
export const selectDueBases = (db: Queryable): Promise<{ baseId: string; spaceId: string }[]> =>
  many(
    db,
    sql`select distinct r.base_id as "baseId", b.space_id as "spaceId" from rowhouse.automation_runs r join rowhouse.bases b on b.id = r.base_id
        where r.due_time <= now() - interval '5 seconds' and ${goesOn}`,
  );

/** Where a run goes on, and when. It began with the transaction, before its first step. */
export const moveRun = async (
  tx: Queryable,
  seq: number,
  { path, seconds = 0 }: { path: string; seconds?: number },
): Promise<void> => {
  await tx.query(
    sql`update rowhouse.automation_runs set state = case when ${path} = '' then 'success' else 'running' end, path = ${path}, attempts = 0, error = null,
          started_time = coalesce(started_time, now()), ended_time = case when ${path} = '' then clock_timestamp() end,
          due_time = clock_timestamp() + ${seconds}::double precision * interval '1 second'
        where seq = ${seq}`,
  );
};

/** The next attempt of the same step; while one is under way this is its lease. */
export const delayRun = async (
  tx: Queryable,
  seq: number,
  { seconds, attempts, error }: { seconds: number; attempts: number; error: string | null },
): Promise<void> => {
  await tx.query(
    sql`update rowhouse.automation_runs set state = 'running', attempts = ${attempts}, error = ${error}, started_time = coalesce(started_time, now()),
          due_time = clock_timestamp() + ${seconds}::double precision * interval '1 second' where seq = ${seq}`,
  );
};

/** The lease of an attempt goes on. False: the run was canceled, or another process has it. */
export const extendLease = async (
  db: Queryable,
  { seq, path }: Pick<RunRow, 'seq' | 'path'>,
  { seconds, attempts }: { seconds: number; attempts: number },
): Promise<boolean> =>
  (await maybe(
    db,
    sql`update rowhouse.automation_runs set due_time = clock_timestamp() + ${seconds}::double precision * interval '1 second'
        where seq = ${seq} and state = 'running' and path = ${path} and attempts = ${attempts} returning seq`,
  )) !== undefined;

export const endRun = async (
  tx: Queryable,
  seq: number,
  state: 'failed' | 'canceled',
  error: string,
): Promise<void> => {
  await tx.query(
    sql`update rowhouse.automation_runs set state = ${state}, error = ${error}, started_time = coalesce(started_time, now()), ended_time = clock_timestamp() where seq = ${seq}`,
  );
};

/** Due now, at the step where it failed. */
export const resumeRunRow = async (tx: Queryable, seq: number): Promise<void> => {
  await tx.query(
    sql`update rowhouse.automation_runs set state = 'running', attempts = 0, error = null, ended_time = null, due_time = now() where seq = ${seq}`,
  );
};

export const cancelRuns = async (tx: Queryable, automationId: string, reason: string): Promise<void> => {
  await tx.query(
    sql`update rowhouse.automation_runs set state = 'canceled', error = ${reason}, ended_time = clock_timestamp() where automation_id = ${automationId} and state in ('waiting', 'running')`,
  );
};

export interface StepRow {
  path: string;
  stepId: string;
  type: string;
  name: string | null;
  state: (typeof stepStates)[number];
  input: unknown;
  output: unknown;
  error: string | null;
  attempts: number;
  time: string;
  milliseconds: number;
}

export const writeStep = async (tx: Queryable, run: number, step: Omit<StepRow, 'time'>): Promise<void> => {
  const { path, stepId, type, name, state, input, output, error, attempts, milliseconds } = step;
  const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
  await tx.query(
    sql`insert into rowhouse.automation_steps (run, path, step_id, type, name, state, input, output, error, attempts, milliseconds)
        values (${run}, ${path}, ${stepId}, ${type}, ${name}, ${state}, ${json(input)}::jsonb, ${json(output)}::jsonb, ${error}, ${attempts}, ${milliseconds})
        on conflict (run, path) do update set state = excluded.state, input = excluded.input, output = excluded.output, error = excluded.error, attempts = excluded.attempts,
          time = clock_timestamp(), milliseconds = excluded.milliseconds`,
  );
};

export const selectSteps = (db: Queryable, run: number): Promise<StepRow[]> =>
  many<StepRow>(
    db,
    sql`select path, step_id as "stepId", type, name, state, input, output, error, attempts, time, milliseconds from rowhouse.automation_steps where run = ${run} order by seq`,
  );

/** The last output of each of these steps. */
export const selectOutputs = async (
  db: Queryable,
  run: number,
  stepIds: readonly string[],
): Promise<Map<string, unknown>> => {
  if (stepIds.length === 0) return new Map();
  const rows = await many<{ stepId: string; output: unknown }>(
    db,
    sql`select distinct on (step_id) step_id as "stepId", output from rowhouse.automation_steps
        where run = ${run} and step_id = any(${stepIds}::text[]) and state = 'success' order by step_id, seq desc`,
  );
  return new Map(rows.map(({ stepId, output }) => [stepId, output]));
};

/** The runs that wrote operations, as far as they are known. */
export const selectCauses = (
  db: Queryable,
  ids: readonly string[],
): Promise<{ id: string; automationId: string; depth: number; chain: string[] }[]> =>
  many(
    db,
    sql`select id, automation_id as "automationId", depth, to_json(chain) as chain from rowhouse.automation_runs where id = any(${ids}::text[])`,
  );

/** How many of `wanted` runs may start in a base this minute. */
export const takeFromMinute = async (tx: Queryable, baseId: string, wanted: number, limit: number): Promise<number> => {
  const { taken } = await one<{ taken: number }>(
    tx,
    sql`with before as (
          insert into rowhouse.automation_minutes as m (base_id, minute, runs) values (${baseId}, date_trunc('minute', now()), 0)
          on conflict (base_id) do update set runs = case when m.minute = excluded.minute then m.runs else 0 end, minute = excluded.minute
          returning runs
        )
        select least(${wanted}::int, greatest(0, ${limit}::int - runs)) as taken from before`,
  );
  if (taken > 0)
    await tx.query(sql`update rowhouse.automation_minutes set runs = runs + ${taken} where base_id = ${baseId}`);
  return taken;
};

export const selectSpacesWithRuns = (db: Queryable): Promise<{ spaceId: string }[]> =>
  many(
    db,
    sql`select distinct b.space_id as "spaceId" from rowhouse.automations a join rowhouse.bases b on b.id = a.base_id`,
  );

export const selectSpaceOf = async (db: Queryable, baseId: string): Promise<string> =>
  (await one<{ spaceId: string }>(db, sql`select space_id as "spaceId" from rowhouse.bases where id = ${baseId}`))
    .spaceId;

/** Runs of a space that ended longer ago. */
export const deleteOldRuns = async (
  db: Queryable,
  { spaceId, days }: { spaceId: string; days: number },
  limit: number,
): Promise<number> =>
  (
    await many(
      db,
      sql`delete from rowhouse.automation_runs where seq in (
            select r.seq from rowhouse.automation_runs r join rowhouse.bases b on b.id = r.base_id
            where b.space_id = ${spaceId} and r.ended_time < now() - ${days}::double precision * interval '1 day' order by r.seq limit ${limit}) returning seq`,
    )
  ).length;

export const selectRunById = async (db: Queryable, id: string): Promise<RunRow | undefined> =>
  (await selectBy(db, sql`r.id = ${id}`))[0];

export const countWaiting = async (db: Queryable, automationId: string, most: number): Promise<number> =>
  (
    await one<{ count: number }>(
      db,
      sql`select count(*)::int as count from (select from rowhouse.automation_runs where automation_id = ${automationId} and state = 'waiting' limit ${most}) few`,
    )
  ).count;
