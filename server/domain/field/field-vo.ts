// A field as the API shows it: flags that are not set are absent, as in Teable.
import type { Field, FieldTypeName } from '@rowhouse/contract/field.ts';
import type { FilterField } from '@rowhouse/contract/filter.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { cellTypeOf, fieldTypeOf } from '../cell/types.ts';

export const fieldVo = (field: FieldSchema): Field => {
  const cells = cellTypeOf(field);
  return {
    id: field.id,
    name: field.name,
    type: field.type as FieldTypeName,
    ...(field.description === null ? {} : { description: field.description }),
    options: field.options,
    cellValueType: cells.cellValueType,
    dbFieldType: cells.dbFieldType,
    dbFieldName: field.dbFieldName,
    ...(field.isPrimary ? { isPrimary: true as const } : {}),
    ...(fieldTypeOf(field).isComputed ? { isComputed: true as const } : {}),
    ...(cells.isMultiple ? { isMultipleCellValue: true as const } : {}),
    ...(field.notNull ? { notNull: true as const } : {}),
    ...(field.isUnique ? { unique: true as const } : {}),
    ...(field.isLookup === true ? { isLookup: true as const } : {}),
    ...(field.lookupOptions == null ? {} : { lookupOptions: field.lookupOptions as Record<string, unknown> }),
    ...(field.computed?.state === 'settling' ? { isPending: true as const } : {}),
    ...(field.computed?.state === 'broken' ? { hasError: true as const } : {}),
  };
};

export const filterFieldOf = (field: FieldSchema): FilterField => {
  const { cellValueType, isMultiple } = cellTypeOf(field);
  return { id: field.id, type: field.type, cellValueType, isMultiple };
};
