// What records are grouped by. The keys of a level also sort the records, so the records of a group are next to each other.
import type { FieldSchema } from '../../catalog/table.ts';
import type { GroupParts } from '../cell/type.ts';
import { cellTypeOf, columnOf, hasNoEmptyCells } from '../cell/types.ts';
import { indexableIf, type SortKey } from './sort-key.sql.ts';

export interface Level extends GroupParts {
  field: FieldSchema;
  order: 'asc' | 'desc';
  keys: SortKey[];
}

export const groupLevel = (field: FieldSchema, order: 'asc' | 'desc', alias: string | undefined): Level => {
  const { keys, sample, value } = cellTypeOf(field).groupKey(columnOf(field, alias), field);
  const canBeNull = !hasNoEmptyCells(field) || keys.length > 1;
  return {
    field,
    order,
    sample,
    value,
    keys: keys.map((key, at) => ({
      ...indexableIf(field, key),
      name: `${field.id}.${field.type}.group${at}`,
      order,
      canBeNull,
    })),
  };
};
