// Locks everything that a write can reach, before anything is written: tables in the order of their ids, records in theirs. So nobody who does the same
// waits for another in a circle. What is read here may be old by the time a lock is there; the statements that follow look again.
import type { Ask } from '../../db/ask.ts';
import { type Sql, sql, template } from '../../db/sql.ts';
import { createTemplateStore } from '../../db/template-store.ts';
import { arrayLiteral } from '../../db/array.ts';
import { linkedFrom, linkingTo, recordsOf } from '../cell/linked.sql.ts';
import { affectedBy, type Ids } from './affected.sql.ts';
import { endsSlot, type SettlePlan, startsSlot } from './plan.ts';

const templates = createTemplateStore();

/** Ids of a parameter; behind a subselect the planner does not see how many there are. */
export const given = (value: unknown): Sql => sql`select unnest((select ${value}::text[])) as id`;

const lockTemplate = (plan: SettlePlan) =>
  template((slot) => {
    const { table, kind, written, incoming, steps, tables } = plan;
    const own = kind === 'create' ? sql`select null::text as id where false` : given(slot('own'));
    const sets: { name: Sql; tableId: string; ids: Sql }[] = [{ name: sql`own`, tableId: table.id, ids: own }];
    for (const linked of written) {
      const present = kind === 'create' ? null : linkedFrom(linked, sql`(select id from own)`);
      const wanted = kind === 'delete' ? null : given(slot(endsSlot(linked)));
      sets.push({
        name: sql.id(endsSlot(linked)),
        tableId: linked.foreign.id,
        ids: sql.join(
          [present, wanted].filter((part) => part !== null),
          ' union ',
        ),
      });
    }
    for (const linked of incoming)
      sets.push({
        name: sql.id(startsSlot(linked)),
        tableId: linked.own.id,
        ids: linkingTo(linked, sql`(select id from own)`),
      });
    const ids: Ids = {
      slot: (name) => sql`select id from ${sql.id(name)}`,
      step: (at) => sql`select id from ${sql.id(`s${at}`)}`,
    };
    // One more than it may have: no limit where there is none.
    steps.forEach((step, at) =>
      sets.push({
        name: sql.id(`s${at}`),
        tableId: step.table.id,
        ids: sql`select id from (${affectedBy(plan, step, ids)}) reached limit ${slot('most')}::int + 1`,
      }),
    );
    const sizes = steps.map(
      (_, at) =>
        sql`select ${sql.integer(at)} as at from (select count(*) as n from ${sql.id(`s${at}`)}) counted where n > ${slot('most')}::int`,
    );
    const tooLarge = sizes.length === 0 ? sql`select null::int as at where false` : sql.join(sizes, ' union all ');
    const locked = tables.map((one, at) => {
      const reached = sets.filter(({ tableId }) => tableId === one.id).map(({ name }) => sql`select id from ${name}`);
      return sql`(select coalesce(json_agg(x.id), '[]') from (select r.__id as id from ${recordsOf(one)} r where r.__id = any(array(${sql.join(reached, ' union ')})) and not exists (select 1 from too_large) order by r.__id for no key update) x) as ${sql.id(`t${at}`)}`;
    });
    return sql`with ${sql.join(sets.map(({ name, ids: made }) => sql`${name} as materialized (${made})`))}, too_large as materialized (${tooLarge})
      select ${sql.join(locked)}, (select coalesce(json_agg(at), '[]') from too_large) as "tooLarge"`;
  });

/** By table, the ids of its records that are locked now. */
export type Locked = ReadonlyMap<string, ReadonlySet<string>>;

export interface LockAnswer {
  locked: Locked;
  /** Steps of the plan with more records than the limit. When there are any, nothing was locked. */
  tooLarge: readonly number[];
}

/** `ends`: by link, the records that it is to lead to. `most`: how many records a step may have; null for any number. */
export const lockAsk = (
  plan: SettlePlan,
  own: readonly string[],
  ends: ReadonlyMap<string, readonly string[]>,
  most: number | null,
): Ask<LockAnswer> => {
  const values: Record<string, unknown> = { own: arrayLiteral(own), most };
  for (const linked of plan.written) values[endsSlot(linked)] = arrayLiteral(ends.get(linked.field.id) ?? []);
  return {
    statement: templates(plan.table, plan.key, () => lockTemplate(plan))(values),
    options: { prepare: true },
    read([row]: (Record<string, string[]> & { tooLarge: number[] })[]) {
      const locked = new Map(plan.tables.map((table, at) => [table.id, new Set(row?.[`t${at}`] ?? [])]));
      // Nobody else knows of new records.
      if (plan.kind === 'create') for (const id of own) locked.get(plan.table.id)?.add(id);
      return { locked, tooLarge: row?.tooLarge ?? [] };
    },
  };
};
