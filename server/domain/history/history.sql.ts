// Reads history: entries by their positions, by operation or by record, and what they name. Pages are in page.sql.ts.
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { justAfter } from './moment.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { SchemaDifference } from '../field/schema-change.ts';
import { maskConditions } from '../query/condition.sql.ts';
import { seenRows } from '../record/read/read.sql.ts';
import type { SideEffects } from '../record/write/side-effects.ts';
import type { EntryPosition } from './history-id.ts';

export interface EntryRow {
  opId: number;
  seq: number;
  recordId: string;
  metaId: number;
  beforeMetaId: number | null;
  /** JSON text; null when the cell was empty. */
  before: string | null;
  after: string | null;
  time: string;
  actor: string;
  operationId: string;
}

export const historyOf = (table: TableSchema): Sql => sql.id(table.baseId, `__history_${table.id}`);
export const operationsOf = (table: TableSchema): Sql => sql.id(table.baseId, '__operation');

const columns = sql`h.op_id as "opId", h.seq, h.record_id as "recordId", h.meta_id as "metaId", h.before_meta_id as "beforeMetaId",
  h.before, h.after, o.time, o.actor, o.public_id as "operationId"`;

export const versionsOf = (table: TableSchema, fieldIds: readonly string[]): Sql =>
  sql`any(array(select v.id from ${sql.id(table.baseId, '__field_version')} v where v.field_id = any(${fieldIds}::text[])))`;

/** Entries of links hold titles as they were at the time: they are shown to those who see all records of the other table. */
const toldIn = ({ byId, rule: { items } }: Sight, withLinks: boolean): string[] =>
  [...byId.keys()].filter((id) => withLinks || items?.has(id) !== true);

/**
 * Which entries a caller sees: those of fields and records that they see now. Who does not see all records sees nothing of
 * those that are gone, since nobody can tell whether they would have been among them. `withLinks`: also those of links of which they see a part, to be used and not shown.
 */
export const seenConditions = (sight: Sight, withLinks = false): Sql[] => [
  ...(sight.hasAllFields ? [] : [sql`h.meta_id = ${versionsOf(sight.table, toldIn(sight, withLinks))}`]),
  ...maskConditions(sight, 'seen').map(
    ({ fieldIds, condition }) =>
      sql`(not (h.meta_id = ${versionsOf(sight.table, fieldIds)}) or (select ${condition} from ${sql.id(sight.table.baseId, sight.table.dbTableName)} seen where seen.__id = h.record_id))`,
  ),
  ...(sight.rows === true ? [] : [sql`(select true from ${seenRows(sight)} seen where seen.__id = h.record_id)`]),
];

const and = (conditions: readonly Sql[]): Sql =>
  sql.join(
    conditions.map((condition) => sql` and ${condition}`),
    '',
  );

export const selectEntriesAt = (
  db: Queryable,
  sight: Sight,
  positions: readonly EntryPosition[],
): Promise<EntryRow[]> =>
  many<EntryRow>(
    db,
    sql`select ${columns} from unnest(${positions.map((position) => position.opId)}::bigint[], ${positions.map((position) => position.seq)}::int[]) as wanted(op_id, seq)
        join ${historyOf(sight.table)} h on h.op_id = wanted.op_id and h.seq = wanted.seq${and(seenConditions(sight))}
        join ${operationsOf(sight.table)} o on o.id = h.op_id
        order by h.op_id desc, h.seq desc`,
  );

export interface OperationRow {
  id: number;
  publicId: string;
  kind: string;
  time: string;
  actor: string;
  /** How many records came or went. */
  rowDelta: number;
  change: SchemaDifference | null;
  sideEffects: SideEffects | null;
}

export const selectOperation = (
  db: Queryable,
  table: Pick<TableSchema, 'baseId' | 'id'>,
  operationId: string,
): Promise<OperationRow | undefined> =>
  maybe<OperationRow>(
    db,
    sql`select id, public_id as "publicId", kind, time, actor, row_delta as "rowDelta", change, side_effects as "sideEffects" from ${sql.id(table.baseId, '__operation')} where public_id = ${operationId} and table_id = ${table.id}`,
  );

/** Of the records that an operation names, those that are there. */
export const selectRecordsOf = async (db: Queryable, sight: Sight, opId: number): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select r.__id as id from ${seenRows(sight)} r where r.__id = any((select record_ids from ${operationsOf(sight.table)} where id = ${opId}::bigint)::text[])`,
    )
  ).map(({ id }) => id);

export interface LaterChange {
  recordId: string;
  fieldId: string;
}

/**
 * Cells that were changed after an operation: of its records, or of a field. `butBy`: changes by this person do not count; nor do cells of the field that
 * are again what they were, because the changes were undone.
 */
export const selectLaterChanges = (
  db: Queryable,
  table: TableSchema,
  opId: number,
  what: { fieldId: string } | 'its records',
  butBy: string | null,
  take: number,
): Promise<LaterChange[]> => {
  const later = sql`from ${historyOf(table)} h join ${operationsOf(table)} o on o.id = h.op_id join ${sql.id(table.baseId, '__field_version')} v on v.id = h.meta_id
        where h.op_id > ${opId}::bigint and o.table_id = ${table.id} and (${butBy}::text is null or o.actor <> ${butBy}::text)`;
  return many<LaterChange>(
    db,
    what === 'its records'
      ? sql`select h.record_id as "recordId", v.field_id as "fieldId" ${later}
          and h.record_id = any((select record_ids from ${operationsOf(table)} where id = ${opId}::bigint)::text[])
        order by h.op_id, h.seq limit ${take}`
      : sql`select h.record_id as "recordId", v.field_id as "fieldId" ${later} and v.field_id = ${what.fieldId}
        group by 1, 2
        having (array_agg(h.before::text order by h.op_id, h.seq))[1] is distinct from (array_agg(h.after::text order by h.op_id desc, h.seq desc))[1]
        order by min(h.op_id), h.record_id limit ${take}`,
  );
};

/** Undefined when there is no such operation on this table. `isPart`: the caller made it, and rules hide some of it from them by now. */
export const selectEntriesOf = async (
  db: Queryable,
  sight: Sight,
  operationId: string,
): Promise<{ time: string; entries: EntryRow[]; isPart: boolean } | undefined> => {
  const { table } = sight;
  const operation = await maybe<{ id: number; time: string; actor: string }>(
    db,
    sql`select id, time, actor from ${operationsOf(table)} where public_id = ${operationId} and table_id = ${table.id}`,
  );
  if (operation === undefined) return undefined;
  const mayBePart = sight.rule.key !== undefined && operation.actor === sight.asker.userId;
  const entries = await many<EntryRow>(
    db,
    sql`select ${columns} from ${historyOf(table)} h join ${operationsOf(table)} o on o.id = h.op_id where h.op_id = ${operation.id}${and(seenConditions(sight, mayBePart))} order by h.seq desc`,
  );
  const isPart =
    mayBePart &&
    (
      await one<{ n: number }>(
        db,
        sql`select count(*)::int as n from ${historyOf(table)} h where h.op_id = ${operation.id}`,
      )
    ).n > entries.length;
  return { time: operation.time, entries, isPart };
};

/** Everything that was shown as later than a moment, newest first. */
export const selectEntriesSince = (db: Queryable, sight: Sight, recordId: string, at: Date): Promise<EntryRow[]> =>
  many<EntryRow>(
    db,
    sql`select ${columns} from ${historyOf(sight.table)} h join ${operationsOf(sight.table)} o on o.id = h.op_id
        where h.record_id = ${recordId} and h.op_id > 0 and o.time >= ${justAfter(at)}::timestamptz${and(seenConditions(sight))}
        order by h.op_id desc, h.seq desc`,
  );

/** Whether there is such a record, or was one whose history is still there. */
export const isKnownRecord = async (db: Queryable, sight: Sight, recordId: string): Promise<boolean> =>
  (
    await one<{ known: boolean }>(
      db,
      sql`select exists (select 1 from ${seenRows(sight)} r where r.__id = ${recordId})
              or exists (select 1 from ${historyOf(sight.table)} h where h.record_id = ${recordId} and h.op_id > 0${and(seenConditions(sight))}) as known`,
    )
  ).known;

/** Of those that began while the transaction that made the first records of a table was under way. */
const firstOperations = 1_000;

/**
 * Whether everything that happened to a record since it was made is still there. What is removed goes oldest first, so it is
 * when something older is, or the very operation that made it.
 */
export const hasAllSince = async (db: Queryable, table: TableSchema, recordId: string): Promise<boolean> => {
  const operations = sql`${operationsOf(table)} o where o.table_id = ${table.id}`;
  const row = await maybe<{ known: boolean }>(
    db,
    sql`select exists (select 1 from ${operations} and o.time < r.__created_time)
            or exists (select 1 from (select o.kind, o.record_ids from ${operations} and o.time >= r.__created_time order by o.time limit ${firstOperations}) first where first.kind = 'create' and r.__id = any(first.record_ids)) as known
        from ${sql.id(table.baseId, table.dbTableName)} r where r.__id = ${recordId}`,
  );
  return row?.known ?? false;
};

/** The oldest entry of every field of a record: its `before` is what the cell was created with. */
export const selectFirstEntries = (
  db: Queryable,
  sight: Sight,
  recordId: string,
): Promise<{ fieldId: string; before: string | null; metaId: number }[]> =>
  many(
    db,
    sql`select distinct on (v.field_id) v.field_id as "fieldId", h.before, coalesce(h.before_meta_id, h.meta_id) as "metaId"
        from ${historyOf(sight.table)} h join ${sql.id(sight.table.baseId, '__field_version')} v on v.id = h.meta_id
        where h.record_id = ${recordId} and h.op_id > 0${and(seenConditions(sight))} order by v.field_id, h.op_id, h.seq`,
  );

export interface MetaRow {
  id: number;
  fieldId: string;
  meta: { name: string; type: string; cellValueType: string; options: Record<string, unknown> };
}

export const selectMetas = (db: Queryable, table: TableSchema, ids: readonly number[]): Promise<MetaRow[]> =>
  many<MetaRow>(
    db,
    sql`select id, field_id as "fieldId", meta from ${sql.id(table.baseId, '__field_version')} where id = any(${ids}::int[])`,
  );

interface AuthorRow {
  id: string;
  name: string;
  email: string;
  avatar: string | null;
}

export const selectAuthors = (db: Queryable, ids: readonly string[]): Promise<AuthorRow[]> =>
  many<AuthorRow>(db, sql`select id, name, email, avatar from rowhouse.users where id = any(${ids}::text[])`);
