// Automations of all bases and counts of their runs. Those in the trash, or in a base or space that is, are left out.
import type { Definition } from '@rowhouse/contract/automation-definition.ts';
import type { RunState } from '@rowhouse/contract/automation.ts';
import { many, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { AutomationState } from '../automation/automation.sql.ts';

/** Runs that were made in this time. Null: since ever, until now. */
export interface Span {
  start: string | null;
  end: string | null;
}

interface Choice {
  ids: readonly string[] | null;
  baseIds: readonly string[] | null;
  spaceIds: readonly string[] | null;
  triggerTypes: readonly string[] | null;
  isActive: boolean | null;
}

export const everything: Choice = { ids: null, baseIds: null, spaceIds: null, triggerTypes: null, isActive: null };

const among = (column: Sql, values: readonly string[] | null): Sql =>
  values === null ? sql`true` : sql`${column} = any(${values}::text[])`;

const inSpan = ({ start, end }: Span): Sql =>
  sql`(${start}::timestamptz is null or r.created_time >= ${start}::timestamptz) and (${end}::timestamptz is null or r.created_time < ${end}::timestamptz)`;

const present = sql`a.deleted_time is null and b.deleted_time is null and s.deleted_time is null`;
const from = sql`rowhouse.automations a join rowhouse.bases b on b.id = a.base_id join rowhouse.spaces s on s.id = b.space_id
  left join rowhouse.automation_versions v on v.automation_id = a.id and v.version = a.version`;

const chosen = ({ ids, baseIds, spaceIds, triggerTypes, isActive }: Choice): Sql => sql`${present}
  and ${among(sql`a.id`, ids)} and ${among(sql`a.base_id`, baseIds)} and ${among(sql`b.space_id`, spaceIds)}
  and ${among(sql`coalesce(v.definition, a.draft) -> 'trigger' ->> 'type'`, triggerTypes)}
  and (${isActive}::boolean is null or (a.state = 'on') = ${isActive}::boolean)`;

export interface Observed {
  id: string;
  name: string;
  state: AutomationState;
  createdTime: string;
  trigger: Definition['trigger'];
  baseId: string;
  baseName: string;
  baseIcon: string | null;
  /** Of all runs that are kept. */
  lastRunTime: string | null;
  /** Of the runs in the span, by state. */
  counts: { state: RunState; count: number; spent: number | null }[];
}

const counted = (span: Span): Sql => sql`left join lateral (
    select json_agg(json_build_object('state', c.state, 'count', c.count, 'spent', c.spent)) as counts from (
      select r.state, count(*)::int as count,
             (avg(extract(epoch from r.ended_time - r.started_time)) filter (where r.ended_time >= r.started_time) * 1000)::double precision as spent
      from rowhouse.automation_runs r where r.automation_id = a.id and ${inSpan(span)} group by r.state) c
  ) n on true`;

/** The latest first. */
export const selectObserved = (
  db: Queryable,
  choice: Choice,
  span: Span,
  { skip, take }: { skip: number; take: number | null },
): Promise<Observed[]> =>
  many<Observed>(
    db,
    sql`select a.id, a.name, a.state, a.created_time as "createdTime", coalesce(v.definition, a.draft) -> 'trigger' as trigger,
               b.id as "baseId", b.name as "baseName", b.icon as "baseIcon", coalesce(n.counts, '[]'::json) as counts,
               (select r.created_time from rowhouse.automation_runs r where r.automation_id = a.id order by r.seq desc limit 1) as "lastRunTime"
        from ${from} ${counted(span)}
        where ${chosen(choice)} order by a.created_time desc, a.id offset ${skip} limit ${take}`,
  );

export const countObserved = async (db: Queryable, choice: Choice): Promise<number> =>
  (await one<{ count: number }>(db, sql`select count(*)::int as count from ${from} where ${chosen(choice)}`)).count;

interface ObservedRun {
  id: string;
  state: RunState;
  createdTime: string;
  spent: number | null;
}

const ofRuns = (automationId: string, state: RunState | null, span: Span): Sql =>
  sql`rowhouse.automation_runs r where r.automation_id = ${automationId} and (${state}::text is null or r.state = ${state}) and ${inSpan(span)}`;

export const selectObservedRuns = (
  db: Queryable,
  automationId: string,
  state: RunState | null,
  span: Span,
  { skip, take }: { skip: number; take: number },
): Promise<ObservedRun[]> =>
  many<ObservedRun>(
    db,
    sql`select r.id, r.state, r.created_time as "createdTime",
               case when r.ended_time >= r.started_time then (extract(epoch from r.ended_time - r.started_time) * 1000)::double precision end as spent
        from ${ofRuns(automationId, state, span)} order by r.seq desc offset ${skip} limit ${take}`,
  );

export const countObservedRuns = async (
  db: Queryable,
  automationId: string,
  state: RunState | null,
  span: Span,
): Promise<number> =>
  (await one<{ count: number }>(db, sql`select count(*)::int as count from ${ofRuns(automationId, state, span)}`))
    .count;
