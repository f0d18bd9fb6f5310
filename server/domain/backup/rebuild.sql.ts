// Makes the tables of bases again from what a backup says about them.
import { createSchemaOfBase } from '../../db/base-schema.ts';
import { many, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { columnType, constantDefault, indexMethod, type Manifest, type Shape } from './manifest.ts';

const columnOf = (
  schema: string,
  { name, type, notNull, default: fallback, identity }: Shape['columns'][number],
): Sql => {
  const made =
    identity !== null
      ? sql` generated ${sql.raw(identity.kind)} as identity (sequence name ${sql.id(schema, identity.sequence)})`
      : fallback !== null
        ? sql` default ${sql.matching(fallback, constantDefault)}`
        : sql.empty;
  return sql`${sql.id(name)} ${sql.matching(type, columnType)}${notNull ? sql` not null` : sql.empty}${made}`;
};

export const createTables = async (db: Queryable, schema: string, tables: readonly Shape[]): Promise<void> => {
  await createSchemaOfBase(db, schema);
  for (const { name, columns, fillFactor } of tables) {
    const options = fillFactor === null ? sql.empty : sql` with (fillfactor = ${sql.integer(fillFactor)})`;
    await db.query(
      sql`create table ${sql.id(schema, name)} (${sql.join(columns.map((column) => columnOf(schema, column)))})${options}`,
    );
  }
};

/** After the rows are in, which is several times as fast. */
export const createKeys = async (db: Queryable, schema: string, tables: readonly Shape[]): Promise<void> => {
  for (const { name: table, keys, checks, indexes } of tables) {
    const on = sql.id(schema, table);
    for (const { name, isPrimary, columns } of keys) {
      await db.query(
        sql`alter table ${on} add constraint ${sql.id(name)} ${sql.raw(isPrimary ? 'primary key' : 'unique')} (${sql.join(columns.map((column) => sql.id(column)))})`,
      );
    }
    for (const { name, column } of checks)
      await db.query(sql`alter table ${on} add constraint ${sql.id(name)} check (${sql.id(column)})`);
    for (const { name, isUnique, method } of indexes) {
      await db.query(
        sql`create ${sql.raw(isUnique ? 'unique index' : 'index')} ${sql.id(name)} on ${on} using ${sql.matching(method, indexMethod)}`,
      );
    }
  }
};

export const setSequences = async (db: Queryable, sequences: Manifest['sequences']): Promise<void> => {
  for (const { schema, name, value } of sequences) {
    await db.query(sql`select setval(format('%I.%I', ${schema}::text, ${name}::text)::regclass, ${value}::bigint)`);
  }
};

export const selectSchemas = async (db: Queryable, names: readonly string[]): Promise<string[]> =>
  (
    await many<{ name: string }>(
      db,
      sql`select nspname as name from pg_namespace where nspname = any(${names}::text[]) order by 1`,
    )
  ).map(({ name }) => name);
