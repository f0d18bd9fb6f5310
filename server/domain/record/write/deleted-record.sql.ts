// Deleted records are kept in the history of their table: each as a whole, under the negative of the operation that
// deleted it. Anyone who reads the history goes by positive operations and never comes across them; whatever keeps, backs up
// or removes the history does the same with them.
import { arrayLiteral } from '../../../db/array.ts';
import { type InsertPart, type OperationFacts, operationPart } from '../../../catalog/operation.sql.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { FieldSchema, TableSchema } from '../../../catalog/table.ts';
import { inTwoPhases, pushedInsert } from '../../../db/cluster-form.ts';
import { many, maybe, type Queryable } from '../../../db/db.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { columnOf, fieldTypeOf, ownColumnOf } from '../../cell/types.ts';
import { takeRows } from '../../plan/quota.sql.ts';
import type { Column } from './cells.ts';
import { computedWithRows } from './formulas.sql.ts';
import { type Guard, holds } from '../../../pipeline/guard.sql.ts';
import { type ArrayType, columnArray } from './insert.sql.ts';
import { storedJson } from '../read/json.sql.ts';
import { trackingFields } from './tracked.sql.ts';
import { orderColumnName } from '../order/order.sql.ts';
import { parseInSlices } from '../../../work/parse-slices.ts';
import { createPause } from '../../../work/slices.ts';

/** A record as the API shows it, by field id, and what the API does not show. */
export interface DeletedRecord {
  id: string;
  fields: Record<string, unknown>;
  autoNumber: number;
  createdBy: string;
  lastModifiedBy?: string;
  row: {
    version: number;
    createdTime: string;
    lastModifiedTime: string | null;
    /** By view; null at its autoNumber. */
    positions: Record<string, number | null>;
    /** Cells of fields that were in the trash. */
    hidden: Record<string, unknown>;
  };
}

const historyOf = (table: Pick<TableSchema, 'baseId' | 'id'>): Sql => sql.id(table.baseId, `__history_${table.id}`);

const orderedViews = ({ views }: TableSchema): string[] => views.filter(({ hasOrder }) => hasOrder).map(({ id }) => id);

/** Those that have cells of their own. */
export const hiddenFields = ({ hidden }: TableSchema): FieldSchema[] =>
  hidden.filter(
    (field) =>
      ownColumnOf(field) !== null && (!fieldTypeOf(field).isComputed || fieldTypeOf(field).isOnlyKept === true),
  );

/** What `row` of a kept record holds, as SQL text. */
export const rowJson = (table: TableSchema, alias: string): Sql => {
  const of = (name: string): Sql => sql.id(alias, name);
  const positions = orderedViews(table).map(
    (viewId) => sql`json_build_object(${sql.literal(viewId)}, ${of(orderColumnName(viewId))})::jsonb`,
  );
  return sql`json_build_object('version', ${of('__version')}, 'createdTime', ${of('__created_time')}, 'lastModifiedTime', ${of('__last_modified_time')},
    'positions', ${positions.length === 0 ? sql`'{}'::jsonb` : sql.join(positions, ' || ')}, 'hidden', (${storedJson(hiddenFields(table), alias)})::json)::text`;
};

const deletedRows = (before: number): Sql =>
  sql`select -op.id, ${before}::int + row_number() over (order by shown.number), shown.id, 0, shown.json || ',"row":' || shown.rest || '}' from shown, op`;

/** Behind `op` and `shown`, which has `id`, `number`, `json` without its closing brace, and the `row` as `rest`. `before` them others are kept. */
export const insertDeletedRows = (table: TableSchema, before = 0): Sql =>
  sql`insert into ${historyOf(table)} (op_id, seq, record_id, meta_id, before)
      ${deletedRows(before)}`;

/** The same for a CTE. */
export const deletedRowsPart = (table: TableSchema): InsertPart => {
  const pushed = pushedInsert(table.baseId, 'kept', deletedRows(0), 5);
  return {
    before: pushed.before,
    insert: sql`insert into ${historyOf(table)} (op_id, seq, record_id, meta_id, before)
      ${pushed.select}`,
  };
};

/** The number of a deletion of this table; undefined when it is another operation. */
export const selectDeletion = async (
  db: Queryable,
  table: Pick<TableSchema, 'baseId' | 'id'>,
  operationId: string,
): Promise<number | undefined> =>
  (
    await maybe<{ id: number }>(
      db,
      sql`select id from ${sql.id(table.baseId, '__operation')} where public_id = ${operationId} and table_id = ${table.id} and kind = 'delete'`,
    )
  )?.id;

/** A kept record as an object of columns, with cells of these fields; `k` has it as `kept`, and its `record_id`. */
export const keptRow = (fields: readonly FieldSchema[]): Sql => {
  const cells = fields.map(
    ({ id, dbFieldName }) => sql`${sql.literal(dbFieldName)}, k.kept -> 'fields' -> ${sql.literal(id)}`,
  );
  const own = sql`'__id', k.record_id, '__auto_number', k.kept -> 'autoNumber', '__created_by', k.kept -> 'createdBy', '__created_time', k.kept -> 'row' -> 'createdTime'`;
  return sql`jsonb_build_object(${sql.join([own, ...cells])})`;
};

/** Who deleted these records. */
export const selectDeleter = async (
  db: Queryable,
  table: Pick<TableSchema, 'baseId' | 'id'>,
  opId: number,
): Promise<string | undefined> =>
  (
    await maybe<{ actor: string }>(
      db,
      sql`select actor from ${sql.id(table.baseId, '__operation')} where id = ${opId}::bigint and table_id = ${table.id}`,
    )
  )?.actor;

/** Of a record that very many were linked to. */
const longText = 100_000;

/** The records that it deleted and that are still kept. From now on they are not. */
export const takeDeleted = async (
  tx: Queryable,
  table: TableSchema,
  opId: number,
  oldest: Date | null,
): Promise<DeletedRecord[]> => {
  const rows = await many<{ text: string }>(
    tx,
    sql`with taken as (
          delete from ${historyOf(table)} h using ${sql.id(table.baseId, '__operation')} o
          where h.op_id = -${opId}::bigint and o.id = ${opId}::bigint and o.table_id = ${table.id}
            and (${oldest?.toISOString() ?? null}::timestamptz is null or o.time >= ${oldest?.toISOString() ?? null}::timestamptz)
          returning h.seq, h.before
        )
        select before as text from taken order by seq`,
  );
  const pause = createPause();
  const records: DeletedRecord[] = [];
  for (const { text } of rows) {
    records.push((text.length > longText ? await parseInSlices(text, pause) : JSON.parse(text)) as DeletedRecord);
    await pause();
  }
  return records;
};

/** Of records that were deleted after the operation `since`: kept as `change` makes them; null: as they are. */
export const changeDeleted = async (
  tx: Queryable,
  table: Pick<TableSchema, 'baseId' | 'id'>,
  recordIds: readonly string[],
  since: number,
  change: (record: DeletedRecord) => DeletedRecord | null,
): Promise<void> => {
  const rows = await many<{ opId: number; seq: number; text: string }>(
    tx,
    sql`select op_id as "opId", seq, before as text from ${historyOf(table)} where record_id = any(${recordIds}::text[]) and op_id < -${since}::bigint order by op_id, seq for update`,
  );
  const changed = rows.flatMap(({ opId, seq, text }) => {
    const record = change(JSON.parse(text) as DeletedRecord);
    return record === null ? [] : [{ opId, seq, text: JSON.stringify(record) }];
  });
  if (changed.length === 0) return;
  await tx.query(
    sql`update ${historyOf(table)} h set before = c.text
        from unnest(${changed.map(({ opId }) => opId)}::bigint[], ${changed.map(({ seq }) => seq)}::int[], ${changed.map(({ text }) => text)}::text[]) as c(op_id, seq, text) where h.op_id = c.op_id and h.seq = c.seq`,
  );
};

/** When, or by whom, a field was last changed, from the cell of a kept record. */
const timeOrPerson = (cell: unknown): string | null =>
  typeof cell === 'string' ? cell : ((cell as { id?: string } | null | undefined)?.id ?? null);

/** With their ids, numbers, authors, times and places. False when there is no room, or the guard does not hold. */
export const insertDeleted = async (
  db: Queryable,
  guard: Guard,
  records: readonly DeletedRecord[],
  columns: readonly Column[],
  operation: OperationFacts,
): Promise<boolean> => {
  const { table } = guard;
  const system = (name: string, type: ArrayType, value: (record: DeletedRecord) => string | number | null) => ({
    name: sql.id(name),
    type,
    values: arrayLiteral(records.map(value) as string[]),
  });
  const targets: { name: Sql; type: ArrayType; values: Buffer | string; field?: FieldSchema }[] = [
    system('__id', 'text', ({ id }) => id),
    system('__auto_number', 'bigint', ({ autoNumber }) => autoNumber),
    system('__created_by', 'text', ({ createdBy }) => createdBy),
    system('__created_time', 'timestamptz', ({ row }) => row.createdTime),
    system('__last_modified_by', 'text', ({ lastModifiedBy }) => lastModifiedBy ?? null),
    system('__last_modified_time', 'timestamptz', ({ row }) => row.lastModifiedTime),
    // Anyone who read it before it was deleted has not read this one.
    system('__version', 'int', ({ row }) => row.version + 1),
    ...orderedViews(table).map((viewId) =>
      system(orderColumnName(viewId), 'double precision', ({ row }) => row.positions[viewId] ?? null),
    ),
    ...trackingFields(table).map((field) =>
      system(field.dbFieldName, ownColumnOf(field) as ArrayType, ({ fields }) => timeOrPerson(fields[field.id])),
    ),
    ...table.fields
      .filter((field) => fieldTypeOf(field).isOnlyKept === true)
      .map((field) =>
        system(field.dbFieldName, 'jsonb', ({ fields, row }) => {
          const cell = fields[field.id] ?? row.hidden[field.id];
          return cell === undefined || cell === null ? null : JSON.stringify(cell);
        }),
      ),
    ...columns.map((column) => ({
      name: columnOf(column.field),
      type: ownColumnOf(column.field) as ArrayType,
      values: columnArray(column),
      field: column.field,
    })),
  ];
  const places = new Map(
    targets.flatMap(({ field }, at) => (field === undefined ? [] : [[field.id, sql.id('i', `c${at}`)]])),
  );
  const names = targets.map((_, at) => sql.id(`c${at}`));
  const given = sql`unnest(${sql.join(targets.map(({ values, type }) => sql`${values}::${sql.raw(type)}[]`))}) as i(${sql.join(names)})`;
  const computed = computedWithRows(table, ({ id }) => places.get(id), sql`i.c0`, given);
  const formulas = computed?.columns ?? [];
  const ins = pushedInsert(
    table.baseId,
    'ins',
    sql`select ${sql.join([...names, ...formulas.map(({ value }) => value)])} from ${computed?.from ?? given} where exists (select from quota)`,
    targets.length + formulas.length,
  );
  const op = operationPart(
    table,
    operation,
    sql`(select count(*) from ins)`,
    sql`(select count(*)::int from ins)`,
    sql`${records.map(({ id }) => id)}::text[]`,
  );
  const rows = await many<{ count: number }>(
    db,
    sql`with quota as (
          ${takeRows(guard.spaceId, records.length, holds(guard))}
        ), ${inTwoPhases(table.baseId)}${ins.before}ins as (
          insert into ${sql.id(table.baseId, table.dbTableName)} (${sql.join([...targets, ...formulas].map(({ name }) => name))})
          ${ins.select}
          returning 1
        ), ${op.before}op as (
          ${op.insert}
        )
        select count(*) as count from ins`,
  );
  return rows[0]?.count === records.length;
};

export interface Deletion {
  opId: number;
  time: string;
  actor: string;
  count: number;
}

/** Latest first, from before `before`. Steps from one to the next through the index, however many records each deleted. */
export const selectDeletions = (
  db: Queryable,
  table: Pick<TableSchema, 'baseId' | 'id'>,
  options: { before: number | null; oldest: Date | null; take: number },
): Promise<Deletion[]> => {
  const next = (after: Sql): Sql =>
    sql`(select h.op_id from ${historyOf(table)} h where h.op_id < 0 and h.op_id > ${after} order by h.op_id limit 1)`;
  return many<Deletion>(
    db,
    sql`with recursive kept as (
          select ${next(options.before === null ? sql`-9223372036854775807` : sql`-${options.before}::bigint`)} as op_id
          union all
          select ${next(sql`kept.op_id`)} from kept where kept.op_id is not null
        ), shown as (
          select -op_id as id from kept where op_id is not null limit ${options.take}
        )
        select o.id as "opId", o.time, o.actor, cardinality(o.record_ids) as count
        from shown join ${sql.id(table.baseId, '__operation')} o using (id)
        where ${options.oldest?.toISOString() ?? null}::timestamptz is null or o.time >= ${options.oldest?.toISOString() ?? null}::timestamptz
        order by o.id desc`,
  );
};

/** Undefined when it is older than the history. */
export const selectDeletionTime = async (
  db: Queryable,
  table: Pick<TableSchema, 'baseId' | 'id'>,
  opId: number,
): Promise<string | undefined> =>
  (
    await maybe<{ time: string }>(
      db,
      sql`select time from ${sql.id(table.baseId, '__operation')} where id = ${opId}::bigint and table_id = ${table.id}`,
    )
  )?.time;

/** The names are the primary cells that they had, for those who see that field. */
export const selectDeletedNames = (
  db: Queryable,
  { table, byId, seesCells }: Sight,
  opIds: readonly number[],
): Promise<{ opId: number; id: string; name: string | null }[]> =>
  many(
    db,
    sql`select -op_id as "opId", record_id as id, ${seesCells && byId.has(table.primary.id) ? sql`before::json ->> 'name'` : sql`null`} as name
        from ${historyOf(table)} where op_id = any(${opIds.map((id) => -id)}::bigint[]) order by op_id, seq`,
  );

/** They cannot be brought back any more; what was changed in them stays in the history. */
export const forgetDeleted = async (db: Queryable, table: Pick<TableSchema, 'baseId' | 'id'>): Promise<void> => {
  await db.query(sql`delete from ${historyOf(table)} where op_id < 0`);
};

/** Those that one request deleted. Answers how many there were. */
export const forgetDeletedBy = async (
  db: Queryable,
  table: Pick<TableSchema, 'baseId' | 'id'>,
  opId: number,
): Promise<number> =>
  (await many(db, sql`delete from ${historyOf(table)} where op_id = -${opId}::bigint returning op_id`)).length;
