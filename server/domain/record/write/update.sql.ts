// Changes records: rows locked in id order, new values, operation and history in one statement. The form of
// the statement is the one that also runs on a Citus cluster (the old values come from a locking subquery in
// FROM, not from a CTE; the time is that of the statement, which a node can be told, and never goes back).
import { arrayLiteral } from '../../../db/array.ts';
import type { Ask } from '../../../db/ask.ts';
import type { Queryable } from '../../../db/db.ts';
import { type Sql, sql, template } from '../../../db/sql.ts';
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import { eyesKey, rightsIdentity, type Sight, sightOfMany } from '../../../catalog/sight.ts';
import type { FieldSchema, TableSchema } from '../../../catalog/table.ts';
import { maskConditions, maskedRows, seenSql } from '../../query/condition.sql.ts';
import { all } from '../../query/filter.sql.ts';
import { largeCellBytes, recordJson, unlessTooLarge } from '../read/json.sql.ts';
import { seenRows } from '../read/read.sql.ts';
import { createTemplateStore, type Template } from '../../../db/template-store.ts';
import { linkedIds } from '../../cell/kind/link.sql.ts';
import { writtenRows } from '../../cell/level.sql.ts';
import { isLink } from '../../cell/linked.sql.ts';
import { forStorage } from '../../cell/type.ts';
import { cellTypeOf, columnName, columnOf, ownColumnOf } from '../../cell/types.ts';
import type { SettlePlan } from '../../computed/plan.ts';
import { cellsOf, keyColumns } from '../../computed/with-rows.sql.ts';
import type { Column } from './cells.ts';
import { computedOnUpdate } from './formulas.sql.ts';
import { refusedIn, type UpdatePermits, updatePermits } from './permits.sql.ts';
import { trackedSets } from './tracked.sql.ts';
import { countOrTakeBack, countUnlessRefused, type Guard, holds } from '../../../pipeline/guard.sql.ts';
import {
  type ArrayType,
  columnArray,
  hiddenArrays,
  idArray,
  linkArrays,
  linkText,
  linkTexts,
  type NewLinks,
  type OrderColumn,
  rowsOfArrays,
} from './insert.sql.ts';
import {
  type InsertPart,
  operationFrom,
  type OperationFacts,
  operationPart,
  stepColumns,
} from '../../../catalog/operation.sql.ts';
import { pushedInsert } from '../../../db/cluster-form.ts';

export interface UpdatedRow {
  id: string;
  version: number;
  /** The record without its closing brace. */
  json: string;
  /** Of the operation, where it is asked for; of the last one when there is one for each record. */
  opId?: number;
  /** Which grants held for the record before, where that is asked once more behind the write. */
  held?: boolean[];
}

export interface UpdateInput {
  ids: readonly string[];
  columns: readonly Column[];
  /** Links that are written beside it: they count for when a record was last changed. The statement then answers its operation. */
  links?: readonly Column[];
  /** Those among them that this statement writes. */
  keyed?: NewLinks | undefined;
  order: OrderColumn | null;
  /** Only when the (single) record still has this version. */
  version: number | null;
  /** Field id → row of `__field_version` that history entries point to. */
  metaIds: ReadonlyMap<string, number>;
  keyType: FieldKeyType;
}

interface Part {
  alias: string;
  type: ArrayType;
}

/** The parts of the statement that depend on which columns are written. */
const changedColumns = ({ columns, order }: UpdateInput): { parts: Part[]; sets: Sql[]; olds: Sql[] } => {
  const parts: Part[] = [{ alias: 'id', type: 'text' }];
  const sets: Sql[] = [];
  const olds: Sql[] = [];
  columns.forEach((column, at) => {
    const name = columnOf(column.field);
    const value = `c${at}`;
    parts.push({ alias: value, type: ownColumnOf(column.field) as ArrayType });
    olds.push(sql`${name} as ${sql.id(`__o${at}`)}`);
    if (column.given === undefined) sets.push(sql`${name} = i.${sql.id(value)}`);
    else {
      const given = `g${at}`;
      parts.push({ alias: given, type: 'boolean' });
      sets.push(sql`${name} = case when i.${sql.id(given)} then i.${sql.id(value)} else p.${name} end`);
    }
  });
  if (order !== null) {
    parts.push({ alias: 'ord', type: 'double precision' });
    sets.push(sql`${sql.id(order.name)} = i.ord`);
  }
  return { parts, sets, olds };
};

/** How the changed rows meet their operations: one for all of them, or one for each. */
interface Meeting {
  seq: Sql;
  from: Sql;
}

const oneForAll: Meeting = { seq: sql`row_number() over ()`, from: sql`op, upd` };
const oneForEach: Meeting = { seq: sql`cell.place`, from: sql`upd join op on op.public_id = upd.__operation` };

/** One entry per cell that really changed, of a link when it leads to others. `before` and `after` are JSON text, null when empty. */
const historyRows = (
  table: TableSchema,
  fields: readonly FieldSchema[],
  metaIds: readonly number[],
  { seq, from }: Meeting,
): Sql => {
  const cells = fields.map((field, at) => {
    const type = cellTypeOf(field);
    const old = sql`upd.${sql.id(`__o${at}`)}`;
    const now = columnOf(field, writtenRows.updated);
    const isOther = isLink(field)
      ? sql`${linkedIds(old)} is distinct from ${linkedIds(now)}`
      : sql`${old} is distinct from ${now}`;
    return sql`(${sql.integer(at + 1)}, ${metaIds[at]}::int, ${isOther}, ${type.json(old, field, forStorage)}, ${type.json(now, field, forStorage)})`;
  });
  const pushed = pushedInsert(
    table.baseId,
    'his',
    sql`select op.id, ${seq}, upd.__id, cell.meta_id, cell.before, cell.after
    from ${from}, lateral (values ${sql.join(cells)}) as cell(place, meta_id, changed, before, after)
    where cell.changed`,
    6,
  );
  return sql`${pushed.before}his as (insert into ${sql.id(table.baseId, `__history_${table.id}`)} (op_id, seq, record_id, meta_id, before, after)
    ${pushed.select})`;
};

/** What a field holds afterwards, told from what it held; the row of values is `i`. */
const writtenCells = (columns: readonly Column[]): Map<string, (before: Sql) => Sql> =>
  new Map(
    columns.map(({ field, given }, at) => {
      const value = sql.id('i', `c${at}`);
      return [
        field.id,
        given === undefined
          ? () => value
          : (before) => sql`case when ${sql.id('i', `g${at}`)} then ${value} else ${before} end`,
      ];
    }),
  );

interface LinkedRows {
  rows: Sql;
  sets: Sql[];
  written: ReadonlyMap<string, () => Sql>;
}

/** Keys and cells of links beside the rows `i`, as columns of these: what is set only copies. */
const rowsWithLinks = (plan: SettlePlan, slot: (name: string) => unknown, rows: Sql): LinkedRows => {
  const cells = cellsOf(plan, sql`i.id`, linkText).map((cell, at) => ({ ...cell, place: `__v${at}` }));
  const keys = keyColumns(plan.keyed, linkText, linkTexts(slot)).map((key, at) => ({ ...key, place: `__p${at}` }));
  const made = [...keys.filter(({ placeOf }) => placeOf !== undefined), ...cells].map(
    ({ value, place }) => sql`${value} as ${sql.id(place)}`,
  );
  const keySets = keys.map(
    ({ name, value, placeOf, place }) =>
      sql`${name} = ${placeOf === undefined ? value : sql`case when p.${placeOf.key} is distinct from ${placeOf.text} then ${sql.id('i', place)} else p.${name} end`}`,
  );
  return {
    rows: sql`(select i.*, ${sql.join(made)} from ${rows} i offset 0)`,
    sets: [...keySets, ...cells.map(({ name, place }) => sql`${name} = ${sql.id('i', place)}`)],
    written: new Map(cells.map(({ field, place }) => [field.id, () => sql.id('i', place)])),
  };
};

/** As `operationPart`: one operation for each record. */
const operationsPart = (
  table: TableSchema,
  { actor, tokenId, clientId }: Pick<OperationFacts, 'actor' | 'tokenId' | 'clientId'>,
  count: Sql,
  operations: Sql,
): InsertPart => {
  const select = sql`select o.public_id, ${table.id}, 'update', ${actor}, ${tokenId}::text, ${clientId}::text, 0, array[o.record_id], o.notify::jsonb, o.window_id, o.step, o.step_state
      from (select ${count} as n offset 0) written, unnest(${operations}) as o(public_id, record_id, notify, window_id, step, step_state)
      where n > 0`;
  return operationFrom(table.baseId, select, sql`returning id, public_id`);
};

/** A cell that is hidden in a record cannot be written there: the record must meet the condition of each field that it names. */
const writtenSeen = (
  sight: Sight,
  { ids, columns, links }: Pick<UpdateInput, 'ids' | 'columns'> & { links?: UpdateInput['links'] },
): Sql[] =>
  !sight.isMasked
    ? []
    : maskConditions(sight, 'r').flatMap(({ fieldIds, condition }) => {
        const written = [...columns, ...(links ?? [])].filter(({ field }) => fieldIds.includes(field.id));
        if (written.length === 0) return [];
        const others = ids.filter((_, at) => !written.some(({ given }) => given === undefined || given[at] === true));
        return [others.length === 0 ? condition : sql`(r.__id = any(${others}::text[]) or ${condition})`];
      });

/**
 * The values of column `n` are given as `cn`, which of them count as `gn`, the row of its field as `mn`. With an operation for
 * each record their ids are given as `operations`, and whom they tell as `notify`, both in the order of the records.
 */
const updateTemplate = (of: Sight, input: UpdateInput, forEach = false) =>
  template((slot, derived) => {
    // Who asks is a value of each run, as of pages (ADR 161).
    const sight = isFree(of, input)
      ? of
      : sightOfMany(of, (value) => derived((given) => value(given['asker'] as Sight['asker'])));
    const { table } = sight;
    const { columns } = input;
    const target = sql.id(table.baseId, table.dbTableName);
    const permits = permitsOf(sight, input);
    const { parts, sets, olds } = changedColumns(input);
    if (forEach) parts.push({ alias: 'operations', type: 'text' });
    const { keyed } = input;
    keyed?.plan.keyed.forEach((_, at) => parts.push({ alias: `k${at}`, type: 'text' }));
    // Links whose cells it writes: they are in the history, too.
    const linkFields = keyed?.plan.keyed.map(({ field }) => field) ?? [];
    linkFields.forEach((field, at) => olds.push(sql`${columnName(field)} as ${sql.id(`__o${columns.length + at}`)}`));
    const told = [...columns.map(({ field }) => field), ...linkFields];
    const linked = (rows: Sql): LinkedRows =>
      keyed === undefined ? { rows, sets: [], written: new Map() } : rowsWithLinks(keyed.plan, slot, rows);
    const withLinks = linked(sql.empty);
    const computed = computedOnUpdate(
      table,
      new Map([...writtenCells(columns), ...withLinks.written]),
      'o',
      sql`o.old_id`,
    );
    sets.push(...withLinks.sets);
    for (const { name, value } of computed?.columns ?? []) sets.push(sql`${name} = ${value}`);
    const { links } = input;
    links?.forEach(({ given }, at) => {
      if (given !== undefined) parts.push({ alias: `g${columns.length + at}`, type: 'boolean' });
    });
    const tracked = trackedSets(
      table,
      links === undefined ? columns : [...columns, ...links],
      (at) => sql.id('i', `g${at}`),
      slot('actor'),
    );
    sets.push(...tracked);
    // As a row of its own: Citus takes no function of the time within a condition.
    const moment = tracked.length === 0 ? sql.empty : sql`, (select statement_timestamp() as moment) w`;
    for (const { column, name } of computed?.needed ?? []) olds.push(sql`${column} as ${sql.id(name)}`);
    const given = linked(
      rowsOfArrays(parts.map(({ alias, type }) => ({ values: slot(alias), type, name: alias }))),
    ).rows;
    const ids = sql`any((select ${slot('id')}::text[])::text[])`;
    const returned = [
      sql`p.*`,
      ...told.map((_, at) => sql.id('o', `__o${at}`)),
      ...(forEach ? [sql`i.operations as __operation`] : []),
      ...permits.held.map(({ column }) => sql.id('o', column)),
    ];
    const atVersion = input.version === null ? sql.empty : sql`and __version = ${slot('version')}`;
    const condition = all([seenSql(sight), ...writtenSeen(sight, input), permits.before]);
    // What the caller does not see is not there. As a `case`: among the conditions it would make the planner expect one row, which took 1,000 records five times as long.
    const [oldId, isSeen] =
      condition === null
        ? [sql`__id`, sql.empty]
        : [sql`case when ${condition} then __id end`, sql` filter (where ${condition})`];
    for (const { column, before } of permits.held) olds.push(sql`${before} as ${sql.id(column)}`);
    // What follows from a write of links comes behind it, and then is asked for.
    const isAskedBehind = permits.held.length > 0 && links !== undefined;
    const after = links === undefined ? permits.after('w', 'w') : null;
    const history =
      told.length === 0
        ? sql.empty
        : sql`, ${historyRows(
            table,
            told,
            told.map((_, at) => slot(`m${at}`)),
            forEach ? oneForEach : oneForAll,
          )}`;
    const operation: Parameters<typeof operationPart>[1] = {
      publicId: slot('publicId'),
      kind: slot('kind'),
      actor: slot('actor'),
      tokenId: slot('tokenId'),
      clientId: slot('clientId'),
      notify: slot('notify'),
      columns: { windowId: slot('windowId'), step: slot('step'), stepState: slot('stepState') },
    };
    const wanted = sql`${slot('wanted')}::int`;
    const isWhole = sql`count(*) in (0, ${wanted})`;
    const written =
      after === null
        ? sql`(select ${countOrTakeBack(sql`count(*)`, isWhole)} from upd)`
        : sql`(select ${countUnlessRefused(sql`count(*)`, isWhole, refusedIn('w', after))} from upd w)`;
    const added = forEach
      ? operationsPart(
          table,
          operation,
          written,
          hiddenArrays([
            { values: slot('operations'), type: 'text' },
            { values: slot('id'), type: 'text' },
            { values: slot('notify'), type: 'text' },
            { values: slot('windowId'), type: 'text' },
            { values: slot('step'), type: 'text' },
            { values: slot('stepState'), type: 'text' },
          ]),
        )
      : operationPart(table, operation, written, sql`0`, sql`${slot('id')}::text[]`);
    const json = recordJson(sight, writtenRows.updated, {
      fields: sight.fields,
      keyType: input.keyType,
      format: 'json',
    });
    const bytes = largeCellBytes(sight.fields, writtenRows.updated);
    // A record that vanishes between the count and the lock must not leave half a request behind: the whole statement is
    // taken back, and planned again.
    return sql`with upd as (
          update ${target} p
          set ${sql.join([...sets, sql`__last_modified_time = greatest(statement_timestamp(), p.__last_modified_time)`, sql`__last_modified_by = ${operation.actor}`, sql`__version = p.__version + 1`])}
          from ${given} i,
               (select ${oldId} as old_id${olds.length === 0 ? sql.empty : sql`, ${sql.join(olds)}`} from ${target} r where __id = ${ids} ${atVersion}  order by __id for update) o${moment}${computed?.from ?? sql.empty}
          where p.__id = i.id and o.old_id = p.__id
            and ${holds({ table, epoch: slot('epoch'), userId: slot('userId'), spaceId: slot('spaceId') })}
            and (select count(*)${isSeen} from ${target} r where __id = ${ids} ${atVersion} ) = ${wanted}
          returning ${sql.join(returned)}
        ), ${added.before}op as (
          ${added.insert}
        )${history}
        select upd.__id as id, upd.__version as version, ${unlessTooLarge(bytes === null ? null : sql`(sum(${bytes}) over ())::bigint`, json)} as json${links === undefined ? sql.empty : sql`, (select ${forEach ? sql`max(id)` : sql`id`} from op) as "opId"`}${isAskedBehind ? sql`, array[${sql.join(permits.held.map(({ column }) => sql.id(writtenRows.updated, column)))}] as held` : sql.empty} from ${maskedRows(sight, sql`upd`, writtenRows.updated)}`;
  });

/** What is asked of records before and after these cells of them are written. */
export const permitsOf = (
  sight: Sight,
  { ids, columns, links }: Pick<UpdateInput, 'ids' | 'columns' | 'links'>,
): UpdatePermits =>
  updatePermits(
    sight,
    [...columns, ...(links ?? [])].map(({ field, given }) => ({ fieldId: field.id, given })),
    ids,
  );

/** Nobody asks anything of the records that are written: the statement is that of those who are not bound. */
export const isFree = (sight: Sight, input: UpdateInput): boolean =>
  sight.isWhole && (sight.rule.may === undefined || isPermitted(permitsOf(sight, input)));

const isPermitted = ({ before, held }: UpdatePermits): boolean => before === null && held.length === 0;

/** Of the records that are seen those with a cell among the written ones that is hidden. */
export const selectHidden = async (
  db: Queryable,
  sight: Sight,
  input: Pick<UpdateInput, 'ids' | 'columns'>,
): Promise<string[]> => {
  const written = all(writtenSeen(sight, input));
  if (written === null) return [];
  const rows = await db.query<{ id: string }>(
    sql`select r.__id as id from ${seenRows(sight)} r where r.__id = any(${input.ids}::text[]) and (${written}) is not true order by r.__auto_number`,
  );
  return rows.map(({ id }) => id);
};

/** In the order of their ids, as every write does. */
export const lockRows = async (
  tx: Queryable,
  { baseId, dbTableName }: Pick<TableSchema, 'baseId' | 'dbTableName'>,
  ids: readonly string[],
): Promise<void> => {
  await tx.query(
    sql`select from ${sql.id(baseId, dbTableName)} where __id = any(${ids}::text[]) order by __id for no key update`,
  );
};

const templates = createTemplateStore();

/** Of rules that ask something. Records that do not name a field are excepted by their ids, in a statement for one request. */
const isShared = ({ columns, links = [] }: UpdateInput): boolean =>
  [...columns, ...links].every(({ given }) => given === undefined);

const isRecurring = (sight: Sight, input: UpdateInput): boolean => isShared(input) || isFree(sight, input);

const templateFor = (sight: Sight, input: UpdateInput, forEach: boolean): Template => {
  if (!isRecurring(sight, input)) return updateTemplate(sight, input, forEach);
  const isOfMany = isFree(sight, input);
  let key = `${forEach} ${input.keyType} ${input.order?.name ?? ''} ${input.version === null}${eyesKey(sight)}`;
  for (const { field, given } of input.columns) key += ` ${field.id}${given === undefined ? '' : '?'}`;
  if (input.keyed !== undefined) key += ` keyed by ${input.keyed.plan.key}`;
  if (input.links !== undefined) key += ' linking';
  for (const { field, given } of input.links ?? []) key += ` ${field.id}${given === undefined ? '' : '?'}`;
  return templates(isOfMany ? sight.table : rightsIdentity(sight), key, () => updateTemplate(sight, input, forEach));
};

const valuesOf = (
  { epoch, userId, spaceId }: Guard,
  input: UpdateInput,
  { actor, tokenId, clientId }: OperationFacts,
): Record<string, unknown> => {
  const values: Record<string, unknown> = {
    id: idArray(input.ids),
    wanted: input.ids.length,
    version: input.version,
    epoch,
    userId,
    spaceId,
    actor,
    tokenId,
    clientId,
  };
  input.columns.forEach((column, at) => {
    values[`c${at}`] = columnArray(column);
    values[`m${at}`] = input.metaIds.get(column.field.id);
    if (column.given !== undefined) values[`g${at}`] = arrayLiteral(column.given);
  });
  input.links?.forEach(({ given }, at) => {
    if (given !== undefined) values[`g${input.columns.length + at}`] = arrayLiteral(given);
  });
  if (input.order !== null) values['ord'] = arrayLiteral(input.order.positions);
  input.keyed?.links.forEach(
    ({ linked: { field } }, at) => (values[`m${input.columns.length + at}`] = input.metaIds.get(field.id)),
  );
  return Object.assign(values, linkArrays(input.keyed?.links ?? []));
};

export const updateAsk = (
  sight: Sight,
  guard: Guard,
  input: UpdateInput,
  operation: OperationFacts,
): Ask<UpdatedRow[]> => {
  const { publicId, kind, notify = null } = operation;
  const { asker } = sight;
  return {
    statement: templateFor(
      sight,
      input,
      false,
    )({
      ...valuesOf(guard, input, operation),
      asker,
      publicId,
      kind,
      notify,
      ...stepColumns(sight.table.id, operation),
    }),
    options: { prepare: isRecurring(sight, input) },
    read: (rows: UpdatedRow[]) => rows,
  };
};

/** The same with an operation for each record, all of one actor. */
export const updateOfEachAsk = (
  sight: Sight,
  guard: Guard,
  input: UpdateInput,
  operations: readonly [OperationFacts, ...OperationFacts[]],
): Ask<UpdatedRow[]> => {
  const values: Record<string, unknown> = { ...valuesOf(guard, input, operations[0]), asker: sight.asker };
  values['operations'] = arrayLiteral(operations.map(({ publicId }) => publicId));
  values['notify'] = arrayLiteral(operations.map(({ notify }) => notify ?? null));
  const steps = operations.map((operation) => stepColumns(sight.table.id, operation));
  values['windowId'] = arrayLiteral(steps.map(({ windowId }) => windowId));
  values['step'] = arrayLiteral(steps.map(({ step }) => step));
  values['stepState'] = arrayLiteral(steps.map(({ stepState }) => stepState));
  return {
    statement: templateFor(sight, input, true)(values),
    options: { prepare: isRecurring(sight, input) },
    read: (rows: UpdatedRow[]) => rows,
  };
};
