// The one writer of rowhouse.deleted_fields: fields in the trash, which keep their cells in a column of another name.
import type { FieldSchema, TableSchema, ViewSchema } from '../../catalog/table.ts';
import { many, maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface DeletedField {
  id: string;
  tableId: string;
  field: FieldSchema;
  /** View → what it had to say about the column. */
  columns: Record<string, ViewSchema['columnMeta'][string]>;
  createdBy: string;
  deletedBy: string;
  deletedTime: string;
}

const columns = sql`id, table_id as "tableId", field, columns, created_by as "createdBy", deleted_by as "deletedBy", deleted_time as "deletedTime"`;

/** They leave rowhouse.fields. */
export const trashFields = async (
  tx: Queryable,
  table: TableSchema,
  fields: readonly FieldSchema[],
  deletedBy: string,
): Promise<void> => {
  const kept = fields.map((field) => ({
    field,
    columns: Object.fromEntries(
      table.views.flatMap(({ id, columnMeta }) =>
        columnMeta[field.id] === undefined ? [] : [[id, columnMeta[field.id]]],
      ),
    ),
  }));
  await tx.query(
    sql`with gone as (
          delete from rowhouse.fields where table_id = ${table.id} and id = any(${fields.map(({ id }) => id)}::text[]) returning id, created_by
        )
        insert into rowhouse.deleted_fields (id, table_id, field, columns, created_by, deleted_by)
        select gone.id, ${table.id}, k.field, k.columns, gone.created_by, ${deletedBy}
        from gone join jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as k(field jsonb, columns jsonb) on k.field ->> 'id' = gone.id`,
  );
};

/** Latest first. */
export const selectDeletedFields = (db: Queryable, tableId: string): Promise<DeletedField[]> =>
  many<DeletedField>(
    db,
    sql`select ${columns} from rowhouse.deleted_fields where table_id = ${tableId} order by deleted_time desc, id`,
  );

export const selectDeletedField = (db: Queryable, fieldId: string): Promise<DeletedField | undefined> =>
  maybe<DeletedField>(db, sql`select ${columns} from rowhouse.deleted_fields where id = ${fieldId}`);

/** From now on it is not in the trash. Undefined when it is not any more. */
export const takeDeletedField = (tx: Queryable, tableId: string, fieldId: string): Promise<DeletedField | undefined> =>
  maybe<DeletedField>(
    tx,
    sql`delete from rowhouse.deleted_fields where id = ${fieldId} and table_id = ${tableId} returning ${columns}`,
  );
