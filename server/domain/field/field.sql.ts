// The one writer of rowhouse.fields.
import { hasRoleOn } from '../../catalog/role.sql.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Person } from '../cell/type.ts';

export const insertFields = async (
  db: Queryable,
  tableId: string,
  fields: readonly FieldSchema[],
  createdBy: string,
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.fields (id, table_id, name, description, type, options, db_field_name, is_primary, not_null, is_unique, position, version, computed, is_lookup, lookup_options, lineage, created_by)
        select f.id, ${tableId}, f.name, f.description, f.type, f.options, f."dbFieldName", f."isPrimary", f."notNull", f."isUnique", f.position, f.version, nullif(f.computed, 'null'), coalesce(f."isLookup", false), nullif(f."lookupOptions", 'null'), f.lineage, ${createdBy}
        from jsonb_to_recordset(${JSON.stringify(fields)}::jsonb) as f(
          id text, name text, description text, type text, options jsonb, "dbFieldName" text, "isPrimary" boolean, "notNull" boolean,
          "isUnique" boolean, position double precision, version int, computed jsonb, "isLookup" boolean, "lookupOptions" jsonb, lineage text)`,
  );
};

/** Those of the ids that a field has or had, in any table. */
export const selectTakenIds = async (db: Queryable, ids: readonly string[]): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select id from rowhouse.fields where id = any(${ids}::text[]) union select id from rowhouse.deleted_fields where id = any(${ids}::text[])`,
    )
  ).map(({ id }) => id);

/** Writes a field as it shall be. History entries name the version they were made under: it grows when a cell's meaning changes. */
export const updateField = async (db: Queryable, field: FieldSchema, meansSomethingElse: boolean): Promise<void> => {
  await db.query(
    sql`update rowhouse.fields
        set name = ${field.name}, description = ${field.description}, type = ${field.type}, options = ${JSON.stringify(field.options)}::jsonb,
            db_field_name = ${field.dbFieldName}, not_null = ${field.notNull}, is_unique = ${field.isUnique}, computed = ${field.computed == null ? null : JSON.stringify(field.computed)}::jsonb,
            is_lookup = ${field.isLookup ?? false}, lookup_options = ${field.lookupOptions == null ? null : JSON.stringify(field.lookupOptions)}::jsonb,
            lineage = ${field.lineage ?? null}, version = version + ${meansSomethingElse ? 1 : 0}, last_modified_time = now()
        where id = ${field.id}`,
    { prepare: true },
  );
};

export const updateOptions = async (
  db: Queryable,
  fieldId: string,
  options: Record<string, unknown>,
): Promise<void> => {
  await db.query(
    sql`update rowhouse.fields set options = ${JSON.stringify(options)}::jsonb, version = version + 1, last_modified_time = now() where id = ${fieldId}`,
  );
};

/** What follows of its expression and the other fields: no change of the field itself. */
export const updateComputed = async (db: Queryable, field: FieldSchema): Promise<void> => {
  await db.query(
    sql`update rowhouse.fields set computed = ${field.computed == null ? null : JSON.stringify(field.computed)}::jsonb, options = ${JSON.stringify(field.options)}::jsonb, type = ${field.type}, lookup_options = ${field.lookupOptions == null ? null : JSON.stringify(field.lookupOptions)}::jsonb where id = ${field.id}`,
  );
};

/** Links that offered the records of a view offer all records from now on. */
export const forgetView = async (tx: Queryable, tableIds: readonly string[], viewId: string): Promise<void> => {
  await tx.query(
    sql`update rowhouse.fields set options = jsonb_set(options, '{filterByViewId}', 'null') where table_id = any(${tableIds}::text[]) and options ->> 'filterByViewId' = ${viewId}`,
  );
};

/** Who can be named in the user fields of a base. */
export const selectPeople = (db: Queryable, spaceId: string, baseId: string): Promise<Person[]> =>
  many<Person>(
    db,
    sql`select u.id, u.name, u.email, u.avatar from rowhouse.users u
        where u.deactivated_time is null
          and ${hasRoleOn(sql`u.id`, sql`${spaceId}, ${baseId}`)}
        order by u.created_time, u.id`,
  );
