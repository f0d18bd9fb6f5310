// Reads table schemas, and is the one place that moves a table's schema version on.
import { newId } from '@rowhouse/contract/id.ts';
import { pushedInsert } from '../db/cluster-form.ts';
import { many, maybe, one, type Queryable } from '../db/db.ts';
import { type Sql, sql, template } from '../db/sql.ts';
import { drawnBy, stepColumns, type WindowStep } from './operation.sql.ts';
import type { FieldSchema, RelatedTable, ViewSchema } from './table.ts';

export const selectVersion = async (db: Queryable, baseId: string, tableId: string): Promise<number | undefined> => {
  const row = await maybe<{ version: number }>(
    db,
    sql`select version from ${sql.id(baseId, '__table')} where id = ${tableId}`,
  );
  return row?.version;
};

/** Of the column of a field in the trash. No name of a field begins with two underscores. */
const hiddenPrefix = '__deleted_';

export const hiddenColumnName = (fieldId: string): string => hiddenPrefix + fieldId;

interface TableRow {
  name: string;
  dbTableName: string;
  fields: FieldSchema[];
  views: ViewSchema[];
  hidden: FieldSchema[];
  /** Which tables of the base are joined by a link, both out of the trash. */
  bridges: [from: string, to: string][];
}

const fieldsJson = sql`(select coalesce(json_agg(json_build_object(
                         'id', f.id, 'name', f.name, 'description', f.description, 'type', f.type, 'options', f.options,
                         'dbFieldName', f.db_field_name, 'isPrimary', f.is_primary, 'notNull', f.not_null,
                         'isUnique', f.is_unique, 'position', f.position, 'version', f.version, 'computed', f.computed, 'isLookup', f.is_lookup, 'lookupOptions', f.lookup_options, 'lineage', f.lineage)
                       order by f.position, f.id), '[]') from rowhouse.fields f where f.table_id = t.id)`;

// What is looked up without a link names its table beside its options.
const bridgesOf = (
  baseId: Sql,
): Sql => sql`(select coalesce(json_agg(distinct jsonb_build_array(l.table_id, far.id)), '[]')
                from rowhouse.fields l join rowhouse.tables near on near.id = l.table_id join rowhouse.tables far on far.id = coalesce(l.lookup_options ->> 'foreignTableId', l.options ->> 'foreignTableId')
                where (l.options ? 'foreignTableId' and not l.is_lookup or l.lookup_options ? 'foreignTableId' and not l.lookup_options ? 'linkFieldId') and near.base_id = ${baseId} and far.base_id = ${baseId} and near.deleted_time is null and far.deleted_time is null)`;

// Prepared: to plan one of them takes PostgreSQL several times as long as to run it, and a change of fields reads its table again and again.
const tableStatement = template(
  (slot) => sql`select t.name, t.db_table_name as "dbTableName",
               ${fieldsJson} as fields,
               (select coalesce(json_agg(json_build_object(
                         'id', v.id, 'name', v.name, 'description', v.description, 'type', v.type, 'options', v.options,
                         'filter', v.filter, 'sort', v.sort, 'group', v.group_by, 'columnMeta', v.column_meta,
                         'position', v.position, 'isLocked', v.is_locked, 'ownerId', v.owner_id, 'hasOrder', v.has_order, 'decided', v.decided)
                       order by v.position, v.id), '[]') from rowhouse.views v where v.table_id = t.id) as views,
               (select coalesce(json_agg(d.field || jsonb_build_object('dbFieldName', ${hiddenPrefix}::text || d.id, 'notNull', false, 'isUnique', false) order by d.id), '[]')
                from rowhouse.deleted_fields d where d.table_id = t.id) as hidden,
               ${bridgesOf(sql`t.base_id`)} as bridges
        from rowhouse.tables t where t.id = ${slot('tableId')} and t.base_id = ${slot('baseId')}`,
);
const bridgesStatement = template((slot) => sql`select ${bridgesOf(sql`${slot('baseId')}`)} as bridges`);
const relatedStatement = template(
  (slot) =>
    sql`select t.id, t.name, t.db_table_name as "dbTableName", ${fieldsJson} as fields from rowhouse.tables t where t.id = any(${slot('tableIds')}::text[]) order by t.id`,
);

export const selectTable = (db: Queryable, baseId: string, tableId: string): Promise<TableRow | undefined> =>
  maybe<TableRow>(db, tableStatement({ baseId, tableId }), { prepare: true });

export const selectBridges = async (db: Queryable, baseId: string): Promise<[from: string, to: string][]> =>
  (await one<{ bridges: [string, string][] }>(db, bridgesStatement({ baseId }), { prepare: true })).bridges;

/** Tables and their fields, without what only those who look at them need. */
export const selectRelated = (
  db: Queryable,
  tableIds: readonly string[],
): Promise<Pick<RelatedTable, 'id' | 'name' | 'dbTableName' | 'fields'>[]> =>
  many(db, relatedStatement({ tableIds }), { prepare: true });

/** What a change of the schema was, for those who follow the table. */
export interface SchemaChange {
  kind: 'schema' | 'view';
  /** The one who made it; '' when it came along with a change of records. */
  actor: string;
  /** The public id of its operation. */
  operationId?: string;
  /** What it changed, as JSON text, for those who want it undone. */
  change?: string | null;
  step?: WindowStep | undefined;
}

/**
 * In the transaction of every change to a table's fields or views. The row stays locked until it ends. The
 * operation beside it tells the live feed.
 */
export const bumpVersion = async (
  db: Queryable,
  baseId: string,
  tableId: string,
  change: SchemaChange = { kind: 'schema', actor: '' },
): Promise<number> => {
  // What changed nothing is nothing to undo.
  const { windowId, step, stepState } = stepColumns(tableId, { step: change.change == null ? undefined : change.step });
  const op = pushedInsert(
    baseId,
    'op',
    sql`select ${change.operationId ?? newId('opr')}, ${tableId}, ${change.kind}, ${change.actor}, ${change.change ?? null}::jsonb, ${windowId}::text, ${step}::text, ${stepState}::text from bumped`,
    8,
    drawnBy(baseId),
  );
  const row = await maybe<{ version: number }>(
    db,
    sql`with bumped as (
          update ${sql.id(baseId, '__table')} set version = version + 1 where id = ${tableId} returning version
        ), ${op.before}op as (
          insert into ${sql.id(baseId, '__operation')} (public_id, table_id, kind, actor, change, window_id, step, step_state${op.more})
          ${op.select}
        )
        select version from bumped`,
  );
  if (row === undefined) throw new Error(`table ${tableId} has no version row`);
  return row.version;
};

/** An operation on no record. */
const note = async (
  db: Queryable,
  baseId: string,
  { placeId, kind, actor }: { placeId: string; kind: 'tables' | 'dashboard'; actor: string },
): Promise<void> => {
  const op = pushedInsert(baseId, 'op', sql`select ${newId('opr')}, ${placeId}, ${kind}, ${actor}`, 4, drawnBy(baseId));
  await db.query(
    sql`with ${op.before}op as (
          insert into ${sql.id(baseId, '__operation')} (public_id, table_id, kind, actor${op.more}) ${op.select} returning 1
        )
        select 1 from op`,
  );
};

/**
 * In the transaction of every change to the list of tables and folders of a base: those who listen to any of its tables hear of it. The base stands in
 * place of a table.
 */
export const noteTables = (db: Queryable, baseId: string, actor: string): Promise<void> =>
  note(db, baseId, { placeId: baseId, kind: 'tables', actor });

/** In the transaction of every change to a dashboard: those who listen to the base hear of it. The dashboard stands in place of a table. */
export const noteDashboard = (db: Queryable, baseId: string, dashboardId: string, actor: string): Promise<void> =>
  note(db, baseId, { placeId: dashboardId, kind: 'dashboard', actor });

/**
 * The limits of a schema change, from when it has its locks on. On a Citus cluster the first part is worked out by the node of the base and the second one, which names
 * a table of the coordinator, by that: each has its own limits.
 */
const afterLocking = (locking: Sql): Sql =>
  sql`with locked as materialized (select set_config('lock_timeout', '5s', true) as there from (${locking}) l)
      select there, set_config('lock_timeout', '5s', true), set_config('statement_timeout', coalesce(current_setting('rowhouse.long_statement_timeout', true), '0'), true) from locked, rowhouse.instance`;

/**
 * The first statement of a schema change: changes of one table come one after the other. Whatever the change waits for
 * afterwards, everybody who uses the table waits behind it: so it gives up after a few seconds, as when a backup has
 * not copied the table yet. Its own statements may take long: they may rewrite every record.
 */
export const lockSchema = async (db: Queryable, baseId: string, tableId: string): Promise<void> => {
  await db.query(afterLocking(sql`select version from ${sql.id(baseId, '__table')} where id = ${tableId} for update`));
};

/** Several tables whose plans rest on each other: in the one order in which all take them. */
export const lockSchemasOf = async (db: Queryable, baseId: string, tableIds: readonly string[]): Promise<void> => {
  await db.query(
    afterLocking(
      sql`select version from ${sql.id(baseId, '__table')} where id = any(${tableIds}::text[]) order by id for update`,
    ),
  );
};

/** Of tables whose snapshots name something that changed in another one. Nobody is told: nothing of their own is other now. */
export const bumpQuietly = async (db: Queryable, baseId: string, tableIds: readonly string[]): Promise<void> => {
  if (tableIds.length > 0)
    await db.query(
      sql`update ${sql.id(baseId, '__table')} set version = version + 1 where id = any(${tableIds}::text[])`,
    );
};

/** For one transaction: those who wait behind it shall not wait for long. */
export const limitWaiting = async (tx: Queryable): Promise<void> => {
  await tx.query(sql`select set_config('lock_timeout', '5s', true)`);
};

/** Tables that a link leads to from this one, or from which one leads here, also while this one is in the trash. */
export const selectNeighbours = async (db: Queryable, baseId: string, tableId: string): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select t.id from rowhouse.tables t
          where t.base_id = ${baseId} and t.id <> ${tableId} and t.deleted_time is null and t.id in (
            select f.table_id from rowhouse.fields f where f.options ->> 'foreignTableId' = ${tableId}
            union select f.options ->> 'foreignTableId' from rowhouse.fields f where f.table_id = ${tableId})
          order by t.id`,
    )
  ).map(({ id }) => id);
