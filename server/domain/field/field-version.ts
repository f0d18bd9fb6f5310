// Makes sure that the present version of every field is written down, so that history entries can point to it.
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import type { Queryable } from '../../db/db.ts';
import { cellTypeOf } from '../cell/types.ts';
import { ensureFieldVersions, type FieldVersion } from './field-version.sql.ts';

export const metaOf = (field: FieldSchema): FieldVersion['meta'] => ({
  name: field.name,
  type: field.type,
  cellValueType: cellTypeOf(field).cellValueType,
  options: field.options,
});

const known = new WeakMap<TableSchema, ReadonlyMap<string, number>>();

/** Field id → row of `__field_version`. Asked once per snapshot of the schema. */
export const fieldVersions = async (db: Queryable, table: TableSchema): Promise<ReadonlyMap<string, number>> => {
  const remembered = known.get(table);
  if (remembered !== undefined) return remembered;
  const versions: FieldVersion[] = table.fields.map((field) => ({
    fieldId: field.id,
    version: field.version,
    meta: metaOf(field),
  }));
  const ids = await ensureFieldVersions(db, table, versions);
  // Rows written in a transaction may be taken back: only what a committed statement wrote is remembered.
  if ((db as { kind?: string }).kind === 'pool') known.set(table, ids);
  return ids;
};
