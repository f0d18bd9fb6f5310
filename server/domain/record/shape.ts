// Which fields a reader wants, in which form.
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import type { FieldSchema, TableSchema, ViewSchema } from '../../catalog/table.ts';
import { fieldsBy, unknownFields } from './field-key.ts';
import type { CellFormat } from './json.sql.ts';
import type { Shape } from './read.sql.ts';

export interface Reading {
  projection?: string[] | undefined;
  cellFormat?: CellFormat | undefined;
  fieldKeyType?: FieldKeyType | undefined;
}

const isHidden = (view: ViewSchema, field: FieldSchema): boolean => {
  const meta = view.columnMeta[field.id];
  if (meta === undefined) return false;
  return view.type === 'grid' ? meta.hidden === true : !field.isPrimary && meta.visible === false;
};

export const shapeOf = (table: TableSchema, reading: Reading, view?: ViewSchema): Shape => {
  const keyType = reading.fieldKeyType ?? 'name';
  const format = reading.cellFormat ?? 'json';
  if (reading.projection !== undefined) {
    const known = fieldsBy(table, keyType);
    const unknown = reading.projection.filter((key) => !known.has(key));
    if (unknown.length > 0) throw unknownFields(unknown, keyType, known);
    return { fields: [...new Set(reading.projection)].map((key) => known.get(key) as FieldSchema), keyType, format };
  }
  return { fields: view === undefined ? table.fields : table.fields.filter((field) => !isHidden(view, field)), keyType, format };
};
