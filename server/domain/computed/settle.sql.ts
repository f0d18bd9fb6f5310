// Brings everything that depends on a write up to date, in one statement whatever the number of steps: the cells of all steps first, each from those
// before, then one update per table. It touches locked records only; when it meets another, it is taken back.
import { arrayLiteral } from '../../db/array.ts';
import { drawnBy } from '../../catalog/operation.sql.ts';
import type { Ask } from '../../db/ask.ts';
import { pushedInsert } from '../../db/cluster-form.ts';
import type { Queryable } from '../../db/db.ts';
import { type Sql, sql, template } from '../../db/sql.ts';
import { createTemplateStore } from '../../db/template-store.ts';
import { linkedIds } from '../cell/kind/link.sql.ts';
import { recordsOf } from '../cell/linked.sql.ts';
import { columnName } from '../cell/types.ts';
import { countOrTakeBack } from '../../pipeline/guard.sql.ts';
import { affectedBy, type Ids } from './affected.sql.ts';
import { given, type Locked } from './lock.sql.ts';
import { limits, type SettlePlan, type Step } from './plan.ts';
import { moves, type NewCells, valuesOf } from './values.sql.ts';

const templates = createTemplateStore();

/** Above it an operation names no records: those who listen read again. */
const mostNamed = sql.integer(1_000);

/** Entries of cells that the write itself changed are numbered from 1 in the same operation. */
const firstSeq = sql.integer(1_000_000_000);

const named = (step: number, field: number): string => `c${step}_${field}`;

interface Placed {
  at: number;
  step: Step;
}

/** Of one table: fields whose links changed, whose cells belong into the history. */
const movedIn = (
  { relinked }: SettlePlan,
  { step }: Placed,
): { index: number; fieldId: string; isWritten: boolean; isMultiple: boolean }[] =>
  step.dependents.flatMap(({ field }, index) => {
    const moved = relinked.filter(({ linked }) => linked.field.id === field.id);
    return moved.length === 0
      ? []
      : [
          {
            index,
            fieldId: field.id,
            isWritten: moved.some(({ slot }) => slot === 'own'),
            isMultiple: moved.some(({ linked }) => linked.isMultiple),
          },
        ];
  });

/** A list that is longer than this is in the history of the end that was written only: every record that joins it would write all of it twice. */
const isShort = (cell: Sql): Sql => sql`coalesce(jsonb_array_length(${cell}), 0) <= ${sql.integer(limits.listed)}`;

const settleTemplate = (plan: SettlePlan) =>
  template((slot) => {
    const { table, kind, steps, stepOf, relinked } = plan;
    const parts: Sql[] = [];
    const slots = [...new Set(['own', ...relinked.map((one) => one.slot)])];
    for (const name of slots) parts.push(sql`${sql.id(name)} as materialized (${given(slot(name))})`);
    const cells: NewCells = (fieldId) => {
      const at = stepOf.get(fieldId);
      if (at === undefined) return undefined;
      return {
        rows: sql.id(`v${at}`),
        column: sql.id(
          named(
            at,
            (steps[at] as Step).dependents.findIndex(({ field }) => field.id === fieldId),
          ),
        ),
      };
    };
    const ids: Ids = {
      slot: (name) => sql`select id from ${sql.id(name)}`,
      step: (at) => sql`select id from ${sql.id(`v${at}`)}`,
    };
    steps.forEach((step, at) => {
      const { from, values } = valuesOf(
        step.dependents,
        (fieldId) => (stepOf.get(fieldId) === at ? undefined : cells(fieldId)),
        (fieldId) => `v${stepOf.get(fieldId)}`,
      );
      const moved = new Set(movedIn(plan, { at, step }).map(({ index }) => index));
      const columns = step.dependents.flatMap(({ field }, index) => [
        sql`${values[index] as Sql} as ${sql.id(named(at, index))}`,
        ...(moved.has(index) ? [sql`u.${columnName(field)} as ${sql.id(`o${at}_${index}`)}`] : []),
      ]);
      parts.push(sql`${sql.id(`a${at}`)} as materialized (${affectedBy(plan, step, ids)})`);
      // Behind `offset`, so that no plan works out the cells of all records and leaves most of them out afterwards: 8 s of 9,000 projects with 170,000 tasks.
      const affected = sql`(select * from ${recordsOf(step.table)} where __id in (select id from ${sql.id(`a${at}`)}) offset 0)`;
      parts.push(
        sql`${sql.id(`v${at}`)} as materialized (select u.__id as id, ${sql.join(columns)} from ${affected} u${from} where ${moves(step.dependents, values)})`,
      );
    });
    const byTable = new Map<string, Placed[]>();
    steps.forEach((step, at) => byTable.set(step.table.id, [...(byTable.get(step.table.id) ?? []), { at, step }]));
    const unlocked = steps.map(
      (step, at) =>
        sql`select a.id from ${sql.id(`a${at}`)} a join ${recordsOf(step.table)} r on r.__id = a.id where not exists (select 1 from ${sql.id(`locked_${step.table.id}`)} l where l.id = a.id)`,
    );
    for (const tableId of byTable.keys())
      parts.push(sql`${sql.id(`locked_${tableId}`)} as materialized (${given(slot(`locked_${tableId}`))})`);
    parts.push(sql`missing as materialized (${sql.join(unlocked, ' union all ')})`);
    const actor = sql`${slot('actor')}::text, ${slot('tokenId')}::text, ${slot('clientId')}::text`;
    for (const [tableId, placed] of byTable) {
      const [{ step: first }] = placed as [Placed, ...Placed[]];
      const [update, operation, history] = [sql.id(`u_${tableId}`), sql.id(`op_${tableId}`), sql.id(`h_${tableId}`)];
      const changed = sql.join(
        placed.map(({ at }) => sql`select id from ${sql.id(`v${at}`)}`),
        ' union ',
      );
      const joins = sql.join(
        placed.map(({ at }) => sql`left join ${sql.id(`v${at}`)} on ${sql.id(`v${at}`)}.id = n.id`),
        ' ',
      );
      const sets = placed.flatMap(({ at, step }) =>
        step.dependents.map(({ field }, index) => {
          const name = columnName(field);
          const value = sql`${sql.id(`v${at}`)}.${sql.id(named(at, index))}`;
          return sql`${name} = ${placed.length === 1 ? value : sql`case when ${sql.id(`v${at}`)}.id is not null then ${value} else p.${name} end`}`;
        }),
      );
      parts.push(
        sql`${update} as (update ${recordsOf(first.table)} p set ${sql.join(sets)} from (${changed}) n ${joins} where p.__id = n.id and not exists (select from missing) returning p.__id as id)`,
      );
      // New records are told of as such.
      const told =
        kind === 'create' && tableId === table.id ? sql`(select id from ${update} except select id from own)` : update;
      const fieldIds = placed.flatMap(({ step }) => step.dependents.map(({ field }) => field.id));
      const op = pushedInsert(
        table.baseId,
        `op_${tableId}`,
        sql`select ${slot(`public_${tableId}`)}::text, ${sql.literal(tableId)}, 'computed', ${actor}, case when n <= ${mostNamed} then ids else '{}' end, ${slot('cause')}::bigint, ${sql.literal(`{${fieldIds.join()}}`)}::text[], ${slot('causes')}::jsonb
        from (select count(*) as n, array_agg(t.id) as ids from ${told} t offset 0) counted where n > 0`,
        10,
        drawnBy(table.baseId),
      );
      parts.push(sql`${op.before}${operation} as (
        insert into ${sql.id(table.baseId, '__operation')} (public_id, table_id, kind, actor, token_id, client_id, record_ids, cause, field_ids, change${op.more})
        ${op.select} returning id)`);
      const moved = placed.flatMap(({ at, step }) =>
        movedIn(plan, { at, step }).map(({ index, fieldId, isWritten, isMultiple }) => {
          const [before, after] = [sql.id(`o${at}_${index}`), sql.id(named(at, index))];
          return sql`select v.id, ${slot(`meta_${fieldId}`)}::int as meta, v.${before}::text as before, v.${after}::text as after from ${sql.id(`v${at}`)} v where ${linkedIds(sql`v.${before}`)} is distinct from ${linkedIds(sql`v.${after}`)}${isWritten || !isMultiple ? sql.empty : sql` and ${isShort(sql`v.${before}`)} and ${isShort(sql`v.${after}`)}`}`;
        }),
      );
      if (moved.length === 0) continue;
      const isOwn = tableId === table.id;
      const isNew = isOwn && kind === 'create' ? sql`and not exists (select from own where own.id = e.id)` : sql.empty;
      const his = pushedInsert(
        table.baseId,
        `h_${tableId}`,
        sql`select ${isOwn ? sql`${slot('cause')}::bigint` : sql`o.id`}, ${isOwn ? firstSeq : sql.integer(0)} + row_number() over (), e.id, e.meta, e.before, e.after
        from (${sql.join(moved, ' union all ')}) e${isOwn ? sql.empty : sql`, ${operation} o`} where not exists (select from missing) ${isNew}`,
        6,
      );
      parts.push(sql`${his.before}${history} as (
        insert into ${sql.id(table.baseId, `__history_${tableId}`)} (op_id, seq, record_id, meta_id, before, after)
        ${his.select})`);
    }
    return sql`with ${sql.join(parts)} select ${countOrTakeBack(sql`n`, sql`n = 0`)} from (select count(*) as n from missing) counted`;
  });

interface Cause {
  /** Of the operation that this follows from; the last one of several. */
  opId: number;
  /** All of several, by their public ids. */
  operationIds?: readonly string[] | undefined;
  actor: string;
  tokenId: string | null;
  clientId: string | null;
  newOperationId: () => string;
}

interface Settling {
  own: readonly string[];
  /** By slot: the records at the other ends of links that came or went. */
  ends: ReadonlyMap<string, readonly string[]>;
  locked: Locked;
  /** Field id → row of `__field_version` that history entries point to. */
  metaIds: ReadonlyMap<string, number>;
}

/** When a record is affected that is not locked, the statement is taken back, and everything begins again. Only for a plan with steps. */
export const settleAsk = (plan: SettlePlan, { own, ends, locked, metaIds }: Settling, cause: Cause): Ask<void> => {
  const values: Record<string, unknown> = {
    own: arrayLiteral(own),
    actor: cause.actor,
    tokenId: cause.tokenId,
    clientId: cause.clientId,
    cause: cause.opId,
    causes: cause.operationIds === undefined ? null : JSON.stringify({ causes: cause.operationIds }),
  };
  for (const { slot } of plan.relinked) if (slot !== 'own') values[slot] = arrayLiteral(ends.get(slot) ?? []);
  for (const { table } of plan.steps) {
    values[`locked_${table.id}`] = arrayLiteral([...(locked.get(table.id) ?? [])]);
    values[`public_${table.id}`] = cause.newOperationId();
  }
  for (const { linked } of plan.relinked) values[`meta_${linked.field.id}`] = metaIds.get(linked.field.id);
  return {
    statement: templates(plan.table, plan.key, () => settleTemplate(plan))(values),
    options: { prepare: true },
    read: () => undefined,
  };
};

interface Caused {
  publicId: string;
  tableId: string;
  cause: number;
  fieldIds: readonly string[];
  actor: string;
  tokenId: string | null;
  clientId: string | null;
}

/** An operation that follows from another one. Of cells of very many records, none is named. */
export const insertCaused = async (
  tx: Queryable,
  baseId: string,
  { publicId, tableId, cause, fieldIds, actor, tokenId, clientId }: Caused,
  recordIds: readonly string[] = [],
): Promise<void> => {
  await tx.query(
    sql`insert into ${sql.id(baseId, '__operation')} (public_id, table_id, kind, actor, token_id, client_id, record_ids, cause, field_ids)
        values (${publicId}, ${tableId}, 'computed', ${actor}, ${tokenId}, ${clientId}, ${recordIds}::text[], ${cause}, ${fieldIds}::text[])`,
  );
};
