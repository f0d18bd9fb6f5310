// Which fields a reader wants, in which form.
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { fieldsBy, unknownFields } from './field-key.ts';
import type { CellFormat } from './json.sql.ts';
import type { Shape } from './read.sql.ts';

export interface Reading {
  projection?: string[] | undefined;
  cellFormat?: CellFormat | undefined;
  fieldKeyType?: FieldKeyType | undefined;
}

/** `visible`: what is shown when nothing in particular is asked for. */
export const shapeOf = (table: TableSchema, reading: Reading, visible: readonly FieldSchema[] = table.fields): Shape => {
  const keyType = reading.fieldKeyType ?? 'name';
  const format = reading.cellFormat ?? 'json';
  if (reading.projection === undefined) return { fields: visible, keyType, format };
  const known = fieldsBy(table, keyType);
  const found = reading.projection.map((key) => known.get(key) ?? table.byId.get(key));
  const unknown = reading.projection.filter((_key, at) => found[at] === undefined);
  if (unknown.length > 0) throw unknownFields(unknown, keyType, known);
  return { fields: [...new Set(found as FieldSchema[])], keyType, format };
};
