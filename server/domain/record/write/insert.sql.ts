// Creates records: quota, rows and operation in one statement. Nothing is written when the guard does not hold, or
// when the slot of the quota has no room left.
import type { FieldSchema, TableSchema } from '../../../catalog/table.ts';
import { arrayLiteral, jsonArrayLiteral } from '../../../db/array.ts';
import { binaryArray } from '../../../db/binary-array.ts';
import type { Ask } from '../../../db/ask.ts';
import {
  asPart,
  byTheCoordinator,
  columnThere,
  inTwoPhases,
  nextNumber,
  pushedInsert,
} from '../../../db/cluster-form.ts';
import { eyesKey, type Sight } from '../../../catalog/sight.ts';
import { type Sql, sql, template } from '../../../db/sql.ts';
import { createTemplateStore, type Template } from '../../../db/template-store.ts';
import { formulasOf } from '../../cell/formula.sql.ts';
import type { ColumnType } from '../../cell/type.ts';
import { columnOf, ownColumnOf } from '../../cell/types.ts';
import type { SettlePlan } from '../../computed/plan.ts';
import { cellsOf, keyColumns, keyTexts, type NewLink, type Written } from '../../computed/with-rows.sql.ts';
import type { Column } from './cells.ts';
import { computedWithRows } from './formulas.sql.ts';
import { type ComputedCells, gainedBy, type GainedTexts, readComputed } from './gained.sql.ts';
import { refusedIn } from './permits.sql.ts';
import { takeRows } from '../../plan/quota.sql.ts';
import { type Guard, holds } from '../../../pipeline/guard.sql.ts';
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import { type OperationFacts, operationFrom, stepColumns } from '../../../catalog/operation.sql.ts';

/** What PostgreSQL adds to new records. The lists are in the order of the ids. */
export interface Inserted {
  createdTime: string;
  autoNumbers: readonly string[];
  /** The primary cells as text, when only PostgreSQL can tell. */
  names: readonly (string | null)[] | null;
  /** When the table has computed fields, or links were written. */
  computed: ComputedCells | null;
  /** Of the operation, where links were written. */
  opId?: number | undefined;
}

/** The cells of a column as one array parameter. */
export const columnArray = ({ field, values }: Column): Buffer | string => {
  const type = ownColumnOf(field) as ColumnType;
  return (
    (type === 'bigint' || type === 'boolean' ? undefined : binaryArray(type, values)) ??
    (type === 'jsonb' ? jsonArrayLiteral(values) : arrayLiteral(values as string[]))
  );
};

/** Texts as one array parameter. */
const textArray = (texts: readonly (string | null)[]): Buffer | string =>
  binaryArray('text', texts) ?? arrayLiteral(texts);

/** Ids as one array parameter. */
export const idArray = (ids: readonly string[]): Buffer | string => textArray(ids);

/** Of the items of an array parameter. */
export type ArrayType = ColumnType | 'int';

/** An array parameter. Behind a subselect the planner does not see how long it is: seeing it, it finds a plan made for this length a little cheaper than the general one, every time, and plans every request again. */
const hiddenArray = ({ values, type }: ArrayInput): Sql => sql`(select ${values}::${sql.raw(type)}[])`;

interface ArrayInput {
  values: unknown;
  type: ArrayType;
}

/** Array parameters for `unnest`. */
export const hiddenArrays = (inputs: readonly ArrayInput[]): Sql => sql.join(inputs.map(hiddenArray));

/**
 * The rows that arrays of one length make, for `from`. In a select list they are read one after the other; `unnest` of several arrays in `from` first writes each
 * of them into a store of its own, which took PostgreSQL a tenth of the time of a create.
 */
export const rowsOfArrays = (inputs: readonly (ArrayInput & { name: string })[]): Sql =>
  sql`(select ${sql.join(inputs.map((input) => sql`unnest(${hiddenArray(input)}) as ${sql.id(input.name)}`))})`;

export interface OrderColumn {
  name: string;
  /** One position per record, in request order. */
  positions: readonly number[];
}

export interface NewRows {
  /** Of those who are answered. */
  sight: Sight;
  ids: readonly string[];
  columns: readonly Column[];
  order: OrderColumn | null;
  /** What rules ask of the records, on the row `r`; absent or null: nothing. */
  permits?: Sql | null;
  /** Everything that they lead to is locked. */
  links?: NewLinks | undefined;
}

/** Of the keyed links of the plan, in their order. */
export interface NewLinks {
  plan: SettlePlan;
  links: readonly NewLink[];
}

/** A request that takes part in the statement: the next `count` of the ids are its records. */
export interface CreateOperation extends OperationFacts {
  count: number;
}

interface Target {
  name: Sql;
  type: ArrayType;
  /** Whose cells they are. */
  field?: FieldSchema;
}

const recordId = sql`i.c0`;

/** The keys that a statement is given for the rows `i`: those of the link at this place as `k0`, `k1`, … */
export const linkText = (at: number): Sql => sql.id('i', `k${at}`);
export const linkTexts =
  (slot: (name: string) => unknown) =>
  (at: number): Sql =>
    hiddenArray({ values: slot(`k${at}`), type: 'text' });
export const linkArrays = (links: readonly NewLink[]): Record<string, unknown> =>
  Object.fromEntries(links.map((link, at) => [`k${at}`, textArray(keyTexts(link, arrayLiteral))]));

interface WrittenLinks {
  /** Stands before the part of the statement that inserts. */
  before: Sql;
  from: Sql;
  columns: readonly Written[];
  /** By the id of their field: cells that formulas name. */
  named: ReadonlyMap<string, Sql>;
}

/**
 * What is written of the links of new records. Cells that formulas name are columns `__v0`, `__v1`, … of the rows, so that they are worked out once. On a cluster all of them are, in a part of
 * their own: the node of the base works it out, and the rest is put together on the coordinator.
 */
const writtenLinks = (
  table: TableSchema,
  plan: SettlePlan,
  slot: (name: string) => unknown,
  rows: Sql,
): WrittenLinks => {
  const needed = new Set([...formulasOf(table.fields).values()].flatMap((formula) => formula?.references ?? []));
  const all = [...keyColumns(plan.keyed, linkText, linkTexts(slot)), ...cellsOf(plan, recordId, linkText)].map(
    (cell: Written & { field?: FieldSchema }, at) => ({ ...cell, place: `__v${at}` }),
  );
  const first = all.filter(({ field }) => field !== undefined && needed.has(field.id));
  const withColumns = (cells: typeof all): Sql =>
    sql`select i.*, ${sql.join(cells.map(({ value, place }) => sql`${value} as ${sql.id(place)}`))} from ${rows}`;
  return {
    ...asPart('linked_rows', first.length === 0 ? rows : sql`(${withColumns(first)} offset 0) i`, withColumns(all)),
    columns: all.map((cell) => ({
      name: cell.name,
      value: columnThere(first.includes(cell) ? sql.id('i', cell.place) : cell.value, cell.place),
    })),
    named: new Map(first.map(({ field, place }) => [field?.id as string, sql.id('i', place)])),
  };
};

/** `targets` are the columns that are written, the id first; their values are given as `c0`, `c1`, …, and what links lead to as `k0`, `k1`, … */
const insertTemplate = (
  sight: Sight,
  targets: readonly Target[],
  keyType: FieldKeyType,
  plan: SettlePlan | undefined,
  permits: Sql | null,
) =>
  template((slot) => {
    const { table } = sight;
    const { returning, rows, answer } = gainedBy(
      sight,
      keyType,
      plan?.written.map(({ field }) => field) ?? [],
      sql`${slot('boundary')}::text`,
      permits !== null,
    );
    const written =
      permits === null
        ? sql`(select count(*) as n from ins offset 0)`
        : sql`(select case when ${refusedIn('r', permits)} is not null then rowhouse.refuse(${refusedIn('r', permits)}) else count(*) end as n from ins r offset 0)`;
    const aliases = sql.join(targets.map((_, at) => sql.id(`c${at}`)));
    const keys = plan?.keyed.map((_, at) => ({ values: slot(`k${at}`), type: 'text' as const, name: `k${at}` })) ?? [];
    const given = sql`${rowsOfArrays([...targets.map(({ type }, at) => ({ values: slot(`c${at}`), type, name: `c${at}` })), ...keys])} i`;
    const links = plan === undefined ? undefined : writtenLinks(table, plan, slot, given);
    const places = new Map(
      targets.flatMap(({ field }, at) => (field === undefined ? [] : [[field.id, sql.id('i', `c${at}`)]])),
    );
    const computed = computedWithRows(
      table,
      ({ id }) => places.get(id) ?? links?.named.get(id),
      recordId,
      links?.from ?? given,
    );
    const added = [...(computed?.columns ?? []), ...(links?.columns ?? [])];
    const operations = hiddenArrays([
      { values: slot('publicIds'), type: 'text' },
      { values: slot('firsts'), type: 'int' },
      { values: slot('counts'), type: 'int' },
      { values: slot('notify'), type: 'text' },
      { values: slot('windows'), type: 'text' },
      { values: slot('steps'), type: 'text' },
      { values: slot('states'), type: 'text' },
    ]);
    const target = sql.id(table.baseId, table.dbTableName);
    const columns = [...targets, ...added].map(({ name }) => name);
    const ins = pushedInsert(
      table.baseId,
      'ins',
      sql`select ${sql.join([aliases, ...added.map(({ value }) => value)])}, ${slot('actor')}::text
        from ${computed?.from ?? links?.from ?? given}
        where exists (select from quota)${links === undefined ? sql.empty : sql` and ${byTheCoordinator}`}`,
      columns.length + 1,
      [
        { column: sql`__auto_number`, value: nextNumber(target, '__auto_number') },
        { column: sql`__created_time`, value: sql`now()` },
      ],
    );
    const op = operationFrom(
      table.baseId,
      sql`select o.public_id, ${table.id}, 'create', ${slot('actor')}::text, ${slot('tokenId')}::text, ${slot('clientId')}::text,
               o.delta, (${slot('c0')}::text[])[o.first : o.first + o.delta - 1], o.notify::jsonb, o.window_id, o.step, o.step_state
        from ${written} written, unnest(${operations}) as o(public_id, first, delta, notify, window_id, step, step_state)
        where n > 0`,
      links === undefined ? sql.empty : sql`returning id`,
    );
    return sql`with quota as (
        ${takeRows(slot('spaceId'), slot('count'), holds({ table, epoch: slot('epoch'), userId: slot('userId'), spaceId: slot('spaceId') }))}
      ), ${inTwoPhases(table.baseId)}${links?.before ?? sql.empty}${ins.before}ins as (
        insert into ${target} as r (${sql.join(columns)}, __created_by${ins.more})
        ${ins.select}
        returning ${returning}
      ), ${op.before}op as (
        ${op.insert}
      )
      select ${answer}${links === undefined ? sql.empty : sql`, (select id::text from op) as "opId"`} from ${rows}`;
  });

interface Answer {
  createdTime: string;
  /** In the order in which the rows came; null when there are none. The other lists have the same order. */
  ids: string | null;
  autoNumbers: string;
  names: Inserted['names'];
  opId?: string;
}

const templates = createTemplateStore();

const templateFor = (
  { sight, columns, order, links, permits = null }: Omit<NewRows, 'ids'>,
  keyType: FieldKeyType,
): Template => {
  let key = `${keyType} ${order?.name ?? ''}`;
  if (links !== undefined) key += ` linked by ${links.plan.key}`;
  for (const { field } of columns) key += ` ${field.id}`;
  key += eyesKey(sight);
  if (!sight.hasAllFields) key += ` of ${sight.fields.map(({ id, seenAs }) => seenAs ?? id).join()}`;
  const make = () => {
    const targets: Target[] = [
      { name: sql`__id`, type: 'text' },
      ...columns.map(({ field }) => ({ name: columnOf(field), type: ownColumnOf(field) as ArrayType, field })),
    ];
    if (order !== null) targets.push({ name: sql.id(order.name), type: 'double precision' });
    return insertTemplate(sight, targets, keyType, links?.plan, permits);
  };
  // What rules ask has the values of one request.
  return permits === null ? templates(sight.table, key, make) : make();
};

/** Nothing says in which order rows come out of an insert. They come in the order of the request, as a rule. */
export const inOrderOf = (wanted: readonly string[], came: string, inserted: Inserted): Inserted => {
  if (came === wanted.join()) return inserted;
  const places = new Map(came.split(',').map((id, at) => [id, at]));
  const at = wanted.map((id) => places.get(id) as number);
  const { autoNumbers, names, computed } = inserted;
  return {
    ...inserted,
    autoNumbers: at.map((place) => autoNumbers[place] as string),
    names: names === null ? null : at.map((place) => names[place] as string | null),
    computed: computed === null ? null : (index, pieces) => computed(at[index] as number, pieces),
  };
};

/** Writes nothing and answers undefined when the guard does not hold, or when there is no room. All operations are of one actor. */
export const insertAsk = (
  guard: Guard,
  rows: NewRows,
  keyType: FieldKeyType,
  operations: readonly CreateOperation[],
): Ask<Inserted | undefined> => {
  const { actor, tokenId, clientId, publicId } = operations[0] as CreateOperation;
  // Part of an id that was drawn after the request had come: nobody can have written it into a cell.
  const boundary = publicId.slice(-12);
  const firsts: number[] = [];
  let first = 1;
  for (const { count } of operations) {
    firsts.push(first);
    first += count;
  }
  const steps = operations.map((operation) => stepColumns(guard.table.id, operation));
  const cells = [
    idArray(rows.ids),
    ...rows.columns.map(columnArray),
    ...(rows.order === null ? [] : [arrayLiteral(rows.order.positions)]),
  ];
  const given: Record<string, unknown> = {
    spaceId: guard.spaceId,
    userId: guard.userId,
    count: rows.ids.length,
    epoch: guard.epoch,
    actor,
    tokenId,
    clientId,
    boundary,
    publicIds: arrayLiteral(operations.map(({ publicId }) => publicId)),
    firsts: arrayLiteral(firsts),
    counts: arrayLiteral(operations.map(({ count }) => count)),
    notify: arrayLiteral(operations.map(({ notify }) => notify ?? null)),
    windows: arrayLiteral(steps.map(({ windowId }) => windowId)),
    steps: arrayLiteral(steps.map(({ step }) => step)),
    states: arrayLiteral(steps.map(({ stepState }) => stepState)),
  };
  cells.forEach((array, at) => (given[`c${at}`] = array));
  Object.assign(given, linkArrays(rows.links?.links ?? []));
  return {
    statement: templateFor(rows, keyType)(given),
    options: { prepare: rows.permits == null },
    read([answer]: (Answer & GainedTexts)[]) {
      if (answer === undefined || answer.ids === null) return undefined;
      const { createdTime, autoNumbers, names, opId } = answer;
      const linkFields = rows.links?.plan.written.map(({ field }) => field) ?? [];
      return inOrderOf(rows.ids, answer.ids, {
        createdTime,
        autoNumbers: autoNumbers.split(','),
        names,
        computed: readComputed(rows.sight, keyType, linkFields, answer, boundary),
        opId: opId == null ? undefined : Number(opId),
      });
    },
  };
};
