// Reads records: PostgreSQL makes the JSON text of each, Node only joins it.
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import type { Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Guard } from './guard.sql.ts';
import { type CellFormat, recordJson } from './json.sql.ts';
import { positionOf } from './order.sql.ts';

export interface Shape {
  fields: readonly FieldSchema[];
  keyType: FieldKeyType;
  format: CellFormat;
}

export interface RecordRow {
  id: string;
  version: number;
  /** Without the closing brace. */
  json: string;
}

export interface Page {
  version: number | null;
  epoch: number;
  /** The records joined by commas; null when there are none. */
  records: string | null;
}

const source = (table: TableSchema): Sql => sql.id(table.baseId, table.dbTableName);

export const selectRecords = (db: Queryable, table: TableSchema, ids: readonly string[], shape: Shape): Promise<RecordRow[]> =>
  db.query<RecordRow>(
    sql`select r.__id as id, r.__version as version, ${recordJson(table, 'r', shape)} as json from ${source(table)} r where r.__id = any(${ids}::text[])`,
    { prepare: true },
  );

/** A page in the order of a view, or by autoNumber. The facts it rests on come along in the same snapshot. */
export const selectPage = async (db: Queryable, { table }: Guard, shape: Shape, page: { take: number; skip: number; orderedBy: string | null }): Promise<Page> => {
  const order = page.orderedBy === null ? sql`r.__auto_number` : sql`${positionOf(page.orderedBy, 'r')}, r.__auto_number`;
  const rows = await db.query<Page>(
    sql`select (select version from ${sql.id(table.baseId, '__table')} where id = ${table.id}) as version,
               (select epoch from rowhouse.instance) as epoch,
               (select string_agg(json || '}', ',') from (
                  select ${recordJson(table, 'r', shape)} as json
                  from (select r.* from ${source(table)} r order by ${order} limit ${page.take} offset ${page.skip}) r
                  order by ${order}
                ) page) as records`,
    { prepare: true },
  );
  return rows[0] as Page;
};
