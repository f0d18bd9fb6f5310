// Statements that carry the cells of a field over to another type.
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { many, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { tableOf } from './column.sql.ts';
import type { ColumnType } from './type.ts';
import { columnOf, fieldTypeOf } from './types.ts';

const worded: readonly string[] = ['singleLineText', 'longText', 'singleSelect', 'multipleSelect', 'user'];
const counted: readonly string[] = ['number', 'rating'];

/** The cell as JSON text, in the form that the new type makes the most of. `column` holds the old cell. */
export const carriedJson = (from: FieldSchema, to: FieldSchema, column: Sql): Sql => {
  const source = fieldTypeOf(from.type);
  // People are carried with their id; lists one by one.
  if (source.dbFieldType === 'JSON') return source.json(column, from);
  if (worded.includes(to.type)) return sql`to_json(${source.text(column, from)})::text`;
  if (source.cellValueType === 'boolean') return counted.includes(to.type) ? sql`case when ${column} then '1' end` : sql`null::text`;
  if (source.cellValueType === 'dateTime' && to.type === 'rating') return sql`null::text`;
  if (source.cellValueType === 'dateTime' && to.type === 'number') return sql`(extract(epoch from ${column}) * 1000)::bigint::text`;
  return source.json(column, from);
};

/** JSON text in `column` → what a column of the new type holds. */
export const fromJsonText = (type: ColumnType, column: Sql): Sql => {
  switch (type) {
    case 'text':
    case 'timestamptz':
      return sql`(${column}::jsonb #>> '{}')::${sql.raw(type)}`;
    default:
      return sql`${column}::${sql.raw(type)}`;
  }
};

/** Fills a column that is new from a field that has none of its own, as JSON text. */
export const seedColumn = async (db: Queryable, table: TableSchema, from: FieldSchema, to: FieldSchema): Promise<void> => {
  await db.query(sql`update ${tableOf(table)} r set ${sql.id(to.dbFieldName)} = ${carriedJson(from, to, columnOf(from, 'r'))}`);
};

export const updateCells = async (db: Queryable, table: TableSchema, name: string, value: Sql, where: Sql): Promise<void> => {
  await db.query(sql`update ${tableOf(table)} set ${sql.id(name)} = ${value} where ${where}`);
};

export interface CarriedCell {
  id: string;
  value: string;
}

export const selectCarried = (db: Queryable, table: TableSchema, name: string, after: string, limit: number): Promise<CarriedCell[]> =>
  many<CarriedCell>(
    db,
    sql`select __id as id, ${sql.id(name)} as value from ${tableOf(table)}
        where ${sql.id(name)} is not null and __id > ${after} order by __id limit ${limit}`,
  );

export const updateCarried = async (db: Queryable, table: TableSchema, name: string, ids: readonly string[], values: readonly (string | null)[]): Promise<void> => {
  await db.query(
    sql`update ${tableOf(table)} r set ${sql.id(name)} = n.value
        from unnest(${ids}::text[], ${values}::text[]) as n(id, value) where r.__id = n.id`,
  );
};

/** Old name → new name, or null for a choice that is gone. All at once: two choices may swap their names. */
export const renameChoices = async (db: Queryable, table: TableSchema, field: FieldSchema, names: ReadonlyMap<string, string | null>): Promise<void> => {
  if (names.size === 0) return;
  const column = sql.id(field.dbFieldName);
  if (field.type === 'singleSelect') {
    await db.query(
      sql`update ${tableOf(table)} r set ${column} = n.after
          from unnest(${[...names.keys()]}::text[], ${[...names.values()]}::text[]) as n(before, after) where r.${column} = n.before`,
    );
    return;
  }
  const mapping = JSON.stringify(Object.fromEntries(names));
  await db.query(
    sql`update ${tableOf(table)} r
        set ${column} = (
          select jsonb_agg(name order by at) from (
            select name, min(at) as at from (
              select case when ${mapping}::jsonb ? choice then ${mapping}::jsonb ->> choice else choice end as name, at
              from jsonb_array_elements_text(r.${column}) with ordinality as old(choice, at)
            ) mapped where name is not null group by name
          ) different)
        where r.${column} ?| ${[...names.keys()]}::text[]`,
  );
};
