// A field as the API shows it: flags that are not set are absent, as in Teable.
import type { Field, FieldTypeName } from '@rowhouse/contract/field.ts';
import type { FilterField } from '@rowhouse/contract/filter.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { isConditional } from '../cell/looked-up.sql.ts';
import { conditionalRollup } from '../cell/type/rollup.ts';
import { cellTypeOf, fieldTypeOf } from '../cell/types.ts';

export const fieldVo = (field: FieldSchema): Field => {
  const cells = cellTypeOf(field);
  // A rollup without a link has among its options what others have beside them.
  const asOptions = field.type === conditionalRollup.type && field.isLookup !== true;
  return {
    id: field.id,
    name: field.name,
    type: field.type as FieldTypeName,
    ...(field.description === null ? {} : { description: field.description }),
    options: asOptions ? { ...field.options, ...field.lookupOptions } : field.options,
    cellValueType: cells.cellValueType,
    dbFieldType: cells.dbFieldType,
    dbFieldName: field.dbFieldName,
    ...(field.isPrimary ? { isPrimary: true as const } : {}),
    ...(fieldTypeOf(field).isComputed ? { isComputed: true as const } : {}),
    ...(cells.isMultiple ? { isMultipleCellValue: true as const } : {}),
    ...(field.notNull ? { notNull: true as const } : {}),
    ...(field.isUnique ? { unique: true as const } : {}),
    ...(field.isLookup === true ? { isLookup: true as const } : {}),
    ...(field.isLookup === true && isConditional(field) ? { isConditionalLookup: true as const } : {}),
    ...(field.lookupOptions == null || asOptions
      ? {}
      : { lookupOptions: field.lookupOptions as Record<string, unknown> }),
    ...(field.computed?.state === 'settling' ? { isPending: true as const } : {}),
    ...(field.computed?.state === 'broken' ? { hasError: true as const } : {}),
  };
};

export const filterFieldOf = (field: FieldSchema): FilterField => {
  const { cellValueType, isMultiple } = cellTypeOf(field);
  return { id: field.id, type: field.type, cellValueType, isMultiple };
};
