import type { FieldSchema } from '../../catalog/table.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface LinkRow {
  tableId: string;
  tableName: string;
  fieldId: string;
  fieldName: string;
  options: FieldSchema['options'];
  /** The table that it leads to is there, in the trash or not. */
  hasForeign: boolean;
  /** It is there and not in the trash. */
  isLive: boolean;
}

/** Links of the tables of a base that are not in the trash. */
export const selectLinks = (db: Queryable, baseId: string): Promise<LinkRow[]> =>
  many(
    db,
    sql`select t.id as "tableId", t.name as "tableName", f.id as "fieldId", f.name as "fieldName", f.options,
               o.id is not null as "hasForeign", o.id is not null and o.deleted_time is null as "isLive"
        from rowhouse.fields f join rowhouse.tables t on t.id = f.table_id left join rowhouse.tables o on o.id = f.options ->> 'foreignTableId' and o.base_id = t.base_id
        where t.base_id = ${baseId} and t.deleted_time is null and f.options ? 'relationship' and not f.is_lookup order by t.position, t.id, f.position`,
  );

/** `table.column` of everything in a base that holds keys. */
export const selectKeyColumns = async (db: Queryable, baseId: string): Promise<Set<string>> =>
  new Set(
    (
      await many<{ name: string }>(
        db,
        sql`select c.relname || '.' || a.attname as name
    from pg_namespace n join pg_class c on c.relnamespace = n.oid and c.relkind = 'r' join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname = ${baseId} and (a.attname = '__id' or a.attname like '\\_\\_fk\\_%')`,
      )
    ).map(({ name }) => name),
  );

export const selectBaseName = async (db: Queryable, baseId: string): Promise<string> =>
  (await many<{ name: string }>(db, sql`select name from rowhouse.bases where id = ${baseId}`))[0]?.name ?? '';
