// Which fields a reader wants, in which form.
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import { fieldsBy, unknownFields } from './field-key.ts';
import type { CellFormat, Shape } from './json.sql.ts';

export interface Reading {
  projection?: string[] | undefined;
  cellFormat?: CellFormat | undefined;
  fieldKeyType?: FieldKeyType | undefined;
}

/** `visible`: what is shown when nothing in particular is asked for. */
export const shapeOf = (sight: Sight, reading: Reading, visible: readonly FieldSchema[] = sight.fields): Shape => {
  const keyType = reading.fieldKeyType ?? 'name';
  const format = reading.cellFormat ?? 'json';
  if (reading.projection === undefined) return { fields: visible, keyType, format };
  const known = fieldsBy(sight, keyType);
  const found = reading.projection.map((key) => known.get(key) ?? sight.byId.get(key));
  const unknown = reading.projection.filter((_key, at) => found[at] === undefined);
  if (unknown.length > 0) throw unknownFields(unknown, keyType, known);
  return { fields: [...new Set(found as FieldSchema[])], keyType, format };
};
