import { notFound } from '@rowhouse/contract/error.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';

export const findField = (table: TableSchema, fieldId: string): FieldSchema => {
  const field = table.byId.get(fieldId);
  if (field === undefined) throw notFound('Field', fieldId.slice(0, 50));
  return field;
};
