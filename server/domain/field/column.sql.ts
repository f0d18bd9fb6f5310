// The column of a field in the table of its records, and the constraints on it.
import { invalid } from '@rowhouse/contract/error.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { byTheNode } from '../../db/cluster-form.ts';
import { many, one, type Queryable } from '../../db/db.ts';
import { sqlState } from '../../db/error.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { ColumnType } from '../cell/type.ts';
import { columnOf, hasNoEmptyCells, ownColumnOf } from '../cell/types.ts';

type PhysicalTable = Pick<TableSchema, 'baseId' | 'dbTableName'>;

export const tableOf = ({ baseId, dbTableName }: PhysicalTable): Sql => sql.id(baseId, dbTableName);

/** Indexes share one namespace with tables: theirs begin with two underscores, which no table of a user does. */
export const uniqueIndexName = (fieldId: string): string => `__unique_${fieldId}`;

export const addColumn = async (db: Queryable, table: PhysicalTable, name: string, type: ColumnType): Promise<void> => {
  try {
    await db.query(sql`alter table ${tableOf(table)} add column ${sql.id(name)} ${sql.raw(type)}`);
  } catch (error) {
    // PostgreSQL has room for 1,600 columns and counts those that were dropped.
    if (sqlState(error) === '54011')
      throw invalid({
        path: '',
        message: 'The table has had as many fields as it can ever hold; duplicate it and go on in the copy',
      });
    throw error;
  }
};

export const dropColumn = async (db: Queryable, table: PhysicalTable, name: string): Promise<void> => {
  await db.query(sql`alter table ${tableOf(table)} drop column ${sql.id(name)}`);
};

export const renameColumn = async (db: Queryable, table: PhysicalTable, from: string, to: string): Promise<void> => {
  await db.query(sql`alter table ${tableOf(table)} rename column ${sql.id(from)} to ${sql.id(to)}`);
};

/** Indexes of views, and of cells that are compared, may be on expressions that another type does not have. They are made again when a view is read, or at the end of the change. */
export const dropViewIndexes = async (
  db: Queryable,
  { baseId, dbTableName }: PhysicalTable,
  name: string,
): Promise<void> => {
  const indexes = await many<{ name: string }>(
    db,
    sql`select distinct i.relname as name
        from pg_namespace n join pg_class t on t.relnamespace = n.oid join pg_attribute a on a.attrelid = t.oid
             join pg_depend d on d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = t.oid and d.refobjsubid = a.attnum
             join pg_class i on i.oid = d.objid and i.relkind = 'i'
        where n.nspname = ${baseId} and t.relname = ${dbTableName} and a.attname = ${name} and (i.relname like '\\_\\_view\\_%' or i.relname like '\\_\\_same\\_%')`,
    { prepare: true },
  );
  for (const index of indexes) await db.query(sql`drop index if exists ${sql.id(baseId, index.name)}`);
};

/** What an index of texts says of the table: cells that get another type pass by the trigger that marks what is written. The job that makes the index locks the table first, too. */
const forgetSearched = async (db: Queryable, table: PhysicalTable): Promise<void> => {
  const { baseId, dbTableName } = table;
  await db.query(sql`lock table ${tableOf(table)} in access exclusive mode`);
  await db.query(
    sql`update rowhouse_search.state set coverage = '{}', epoch = epoch + 1
        where table_id in (select id from rowhouse.tables where base_id = ${baseId} and db_table_name = ${dbTableName})`,
  );
};

export const retypeColumn = async (
  db: Queryable,
  table: PhysicalTable,
  name: string,
  type: ColumnType,
  using: (column: Sql) => Sql,
): Promise<void> => {
  await dropViewIndexes(db, table, name);
  await forgetSearched(db, table);
  await db.query(
    sql`alter table ${tableOf(table)} alter column ${sql.id(name)} type ${sql.raw(type)} using ${using(sql.id(name))}`,
  );
};

export const copyColumn = async (db: Queryable, table: PhysicalTable, from: FieldSchema, to: string): Promise<void> => {
  await db.query(
    sql`update ${tableOf(table)} r set ${sql.id(to)} = ${byTheNode(columnOf(from, 'r'))} where ${byTheNode(sql`${columnOf(from, 'r')} is not null`)}`,
  );
};

export const countFilled = async (db: Queryable, table: PhysicalTable, field: FieldSchema): Promise<number> =>
  (await one<{ count: number }>(db, sql`select count(${columnOf(field, 'r')}) as count from ${tableOf(table)} r`))
    .count;

export const countRecords = async (db: Queryable, table: PhysicalTable): Promise<number> =>
  (await one<{ count: number }>(db, sql`select count(*) as count from ${tableOf(table)}`)).count;

// A text may be longer than an index entry can be (2,704 bytes), so texts are told apart by their digest.
const uniqueKey = (field: FieldSchema): Sql =>
  ownColumnOf(field) === 'text' ? sql`(md5(${sql.id(field.dbFieldName)})::uuid)` : sql.id(field.dbFieldName);

const refuse = (field: FieldSchema, count: number | null, what: string, at: string): Error =>
  invalid({
    path: at,
    message: `"${field.name}" cannot be made ${what}: ${count === null ? 'some' : count} record(s) stand in the way`,
    expected: 'cells that satisfy it already',
  });

export const setUnique = async (db: Queryable, table: PhysicalTable, field: FieldSchema, at: string): Promise<void> => {
  const column = sql.id(field.dbFieldName);
  const { count } = await one<{ count: number }>(
    db,
    sql`select coalesce(sum(n), 0)::bigint as count from (select count(*) as n from ${tableOf(table)} where ${column} is not null group by ${column} having count(*) > 1) same`,
  );
  if (count > 0) throw refuse(field, count, 'unique', at);
  try {
    await db.query(
      sql`create unique index ${sql.id(uniqueIndexName(field.id))} on ${tableOf(table)} (${uniqueKey(field)})`,
    );
  } catch (error) {
    throw sqlState(error) === '23505' ? refuse(field, null, 'unique', at) : error;
  }
};

export const unsetUnique = async (db: Queryable, table: PhysicalTable, field: FieldSchema): Promise<void> => {
  await db.query(sql`drop index if exists ${sql.id(table.baseId, uniqueIndexName(field.id))}`);
};

export const setNotNull = async (
  db: Queryable,
  table: PhysicalTable,
  field: FieldSchema,
  at: string,
): Promise<void> => {
  const column = sql.id(field.dbFieldName);
  const { count } = await one<{ count: number }>(
    db,
    sql`select count(*) as count from ${tableOf(table)} where ${column} is null`,
  );
  if (count > 0) throw refuse(field, count, 'required', at);
  if (!hasNoEmptyCells(field)) return;
  try {
    await db.query(sql`alter table ${tableOf(table)} alter column ${column} set not null`);
  } catch (error) {
    throw sqlState(error) === '23502' ? refuse(field, null, 'required', at) : error;
  }
};

export const unsetNotNull = async (db: Queryable, table: PhysicalTable, field: FieldSchema): Promise<void> => {
  await db.query(sql`alter table ${tableOf(table)} alter column ${sql.id(field.dbFieldName)} drop not null`);
};
