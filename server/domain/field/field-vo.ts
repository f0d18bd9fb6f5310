// A field as the API shows it: flags that are not set are absent, as in Teable.
import type { Field, FieldTypeName } from '@rowhouse/contract/field.ts';
import type { FilterField } from '@rowhouse/contract/filter.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { fieldTypeOf } from './types.ts';

export const fieldVo = (field: FieldSchema): Field => {
  const type = fieldTypeOf(field.type);
  return {
    id: field.id,
    name: field.name,
    type: field.type as FieldTypeName,
    ...(field.description === null ? {} : { description: field.description }),
    options: field.options,
    cellValueType: type.cellValueType,
    dbFieldType: type.dbFieldType,
    dbFieldName: field.dbFieldName,
    ...(field.isPrimary ? { isPrimary: true as const } : {}),
    ...(type.isComputed ? { isComputed: true as const } : {}),
    ...(type.isMultiple(field.options) ? { isMultipleCellValue: true as const } : {}),
    ...(field.notNull ? { notNull: true as const } : {}),
    ...(field.isUnique ? { unique: true as const } : {}),
  };
};

export const filterFieldOf = (field: FieldSchema): FilterField => {
  const type = fieldTypeOf(field.type);
  return { id: field.id, type: field.type, cellValueType: type.cellValueType, isMultiple: type.isMultiple(field.options) };
};
