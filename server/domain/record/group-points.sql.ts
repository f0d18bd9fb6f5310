import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { many, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { choicesOf } from '../field/type/select.ts';
import { columnOf, fieldTypeOf } from '../field/types.ts';

export interface GroupLevel {
  field: FieldSchema;
  order: 'asc' | 'desc';
}

const maxGroups = 5_000;

/** What records are put together by: numbers as rounded for display, dates as shown, the rest as they are. */
const groupKey = (field: FieldSchema): Sql => {
  const type = fieldTypeOf(field.type);
  const column = columnOf(field, 'r');
  if (type.cellValueType === 'dateTime') return sql`to_json(${type.text(column, field)})::text`;
  const precision = (field.options.formatting as { precision?: number } | undefined)?.precision;
  if (field.type === 'number' && precision !== undefined) return sql`(round(${column}::numeric, ${sql.raw(String(precision))})::double precision)::text`;
  return type.json(column, field);
};

const sortKey = (field: FieldSchema): Sql => {
  const column = columnOf(field, 'r');
  if (field.type === 'singleSelect') return sql`min(array_position(${choicesOf(field.options).map((choice) => choice.name)}::text[], ${column}))`;
  if (field.type === 'checkbox') return sql`min(${column}::int)`;
  if (fieldTypeOf(field.type).dbFieldType === 'JSON') return sql`min(${fieldTypeOf(field.type).text(column, field)})`;
  return sql`min(${column})`;
};

export const selectGroups = (db: Queryable, table: TableSchema, levels: readonly GroupLevel[]): Promise<{ values: unknown[]; count: number }[]> => {
  const keys = levels.map(({ field }) => groupKey(field));
  const orders = levels.map(({ field, order }) => sql`${sortKey(field)} ${sql.raw(order === 'asc' ? 'asc nulls first' : 'desc nulls last')}, ${groupKey(field)}`);
  return many(
    db,
    sql`select json_build_array(${sql.join(keys.map((key) => sql`(${key})::json`))}) as values, count(*)::int as count
        from ${sql.id(table.baseId, table.dbTableName)} r
        group by ${sql.join(keys)}
        order by ${sql.join(orders)}
        limit ${maxGroups}`,
  );
};
