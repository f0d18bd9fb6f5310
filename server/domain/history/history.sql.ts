// Reads history. Entries are found by operation (newest first), by record or by field, each through an index.
import { many, maybe, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Place } from './history-id.ts';

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

export interface HistoryFilter {
  recordIds?: readonly string[] | undefined;
  fieldIds?: readonly string[] | undefined;
  createdByIds?: readonly string[] | undefined;
  operationId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** Inclusive: the entry the page begins with. */
  start?: Place | undefined;
  take: number;
}

const historyOf = (table: TableSchema): Sql => sql.id(table.baseId, `__history_${table.id}`);
const operationsOf = (table: TableSchema): Sql => sql.id(table.baseId, '__operation');

const columns = sql`h.op_id as "opId", h.seq, h.record_id as "recordId", h.meta_id as "metaId", h.before_meta_id as "beforeMetaId",
  h.before, h.after, o.time, o.actor, o.public_id as "operationId"`;

// Times and ids of operations rise together but for requests that overlap: the index on time gives a bound on
// the ids, generous by this many, and the exact comparison stays.
const overlap = 1_000;

const timeConditions = (table: TableSchema, { from, to }: HistoryFilter): Sql[] => {
  const nearest = (bound: Date, compare: '<=' | '>=', direction: 'asc' | 'desc'): Sql =>
    sql`(select b.id from ${operationsOf(table)} b where b.table_id = ${table.id} and b.time ${sql.raw(compare)} ${bound.toISOString()}::timestamptz order by b.time ${sql.raw(direction)} limit 1)`;
  return [
    ...(from === undefined ? [] : [sql`o.time >= ${from.toISOString()}::timestamptz and h.op_id >= coalesce(${nearest(from, '>=', 'asc')}, 9223372036854775807) - ${overlap}`]),
    ...(to === undefined ? [] : [sql`o.time <= ${to.toISOString()}::timestamptz and h.op_id <= coalesce(${nearest(to, '<=', 'desc')}, 0) + ${overlap}`]),
  ];
};

export const selectEntries = (db: Queryable, table: TableSchema, filter: HistoryFilter): Promise<EntryRow[]> => {
  // Below zero stand records that were deleted.
  const conditions: Sql[] = [sql`o.table_id = ${table.id} and h.op_id > 0`, ...timeConditions(table, filter)];
  if (filter.recordIds !== undefined) conditions.push(sql`h.record_id = any(${filter.recordIds}::text[])`);
  if (filter.fieldIds !== undefined) {
    conditions.push(sql`h.meta_id = any(array(select v.id from ${sql.id(table.baseId, '__field_version')} v where v.field_id = any(${filter.fieldIds}::text[])))`);
  }
  if (filter.createdByIds !== undefined) conditions.push(sql`o.actor = any(${filter.createdByIds}::text[])`);
  if (filter.operationId !== undefined) conditions.push(sql`o.public_id = ${filter.operationId}`);
  if (filter.start !== undefined) conditions.push(sql`(h.op_id, h.seq) <= (${filter.start.opId}::bigint, ${filter.start.seq}::int)`);
  return many<EntryRow>(
    db,
    sql`select ${columns} from ${historyOf(table)} h join ${operationsOf(table)} o on o.id = h.op_id
        where ${sql.join(conditions, ' and ')}
        order by h.op_id desc, h.seq desc limit ${filter.take}`,
  );
};

export const selectEntriesAt = (db: Queryable, table: TableSchema, places: readonly Place[]): Promise<EntryRow[]> =>
  many<EntryRow>(
    db,
    sql`select ${columns} from unnest(${places.map((place) => place.opId)}::bigint[], ${places.map((place) => place.seq)}::int[]) as wanted(op_id, seq)
        join ${historyOf(table)} h on h.op_id = wanted.op_id and h.seq = wanted.seq
        join ${operationsOf(table)} o on o.id = h.op_id
        order by h.op_id desc, h.seq desc`,
  );

/** Undefined when there is no such operation on this table. */
export const selectEntriesOf = async (db: Queryable, table: TableSchema, operationId: string): Promise<EntryRow[] | undefined> => {
  const operation = await maybe<{ id: number }>(
    db,
    sql`select id from ${operationsOf(table)} where public_id = ${operationId} and table_id = ${table.id}`,
  );
  if (operation === undefined) return undefined;
  return many<EntryRow>(
    db,
    sql`select ${columns} from ${historyOf(table)} h join ${operationsOf(table)} o on o.id = h.op_id where h.op_id = ${operation.id} order by h.seq desc`,
  );
};

/** Everything that happened to a record after a moment, newest first. */
export const selectEntriesSince = (db: Queryable, table: TableSchema, recordId: string, at: Date): Promise<EntryRow[]> =>
  many<EntryRow>(
    db,
    sql`select ${columns} from ${historyOf(table)} h join ${operationsOf(table)} o on o.id = h.op_id
        where h.record_id = ${recordId} and h.op_id > 0 and o.time > ${at.toISOString()}::timestamptz
        order by h.op_id desc, h.seq desc`,
  );

/** The oldest entry of every field of a record: its `before` is what the cell was created with. */
export const selectFirstEntries = (db: Queryable, table: TableSchema, recordId: string): Promise<{ fieldId: string; before: string | null; metaId: number }[]> =>
  many(
    db,
    sql`select distinct on (v.field_id) v.field_id as "fieldId", h.before, coalesce(h.before_meta_id, h.meta_id) as "metaId"
        from ${historyOf(table)} h join ${sql.id(table.baseId, '__field_version')} v on v.id = h.meta_id
        where h.record_id = ${recordId} and h.op_id > 0 order by v.field_id, h.op_id, h.seq`,
  );

export interface MetaRow {
  id: number;
  fieldId: string;
  meta: { name: string; type: string; cellValueType: string; options: Record<string, unknown> };
}

export const selectMetas = (db: Queryable, table: TableSchema, ids: readonly number[]): Promise<MetaRow[]> =>
  many<MetaRow>(db, sql`select id, field_id as "fieldId", meta from ${sql.id(table.baseId, '__field_version')} where id = any(${ids}::int[])`);

export interface AuthorRow {
  id: string;
  name: string;
  email: string;
  avatar: string | null;
}

export const selectAuthors = (db: Queryable, ids: readonly string[]): Promise<AuthorRow[]> =>
  many<AuthorRow>(db, sql`select id, name, email, avatar from rowhouse.users where id = any(${ids}::text[])`);
