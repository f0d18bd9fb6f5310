// Fields as a request names them: by id, or by what fieldKeyType says. And JSON in query strings.
import { type Issue, invalid } from '@rowhouse/contract/error.ts';
import type { FilterField } from '@rowhouse/contract/filter.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { filterFieldOf } from '../field/field-vo.ts';

export type FieldKeyType = 'id' | 'name' | 'dbFieldName';

const named = (table: TableSchema, keyType: FieldKeyType): ReadonlyMap<string, FieldSchema> =>
  keyType === 'id' ? table.byId : keyType === 'name' ? table.byName : table.byDbName;

export const findField = (table: TableSchema, keyType: FieldKeyType, reference: string): FieldSchema | undefined =>
  table.byId.get(reference) ?? named(table, keyType).get(reference);

export const noSuchField = (path: string, reference: unknown): Issue => ({
  path,
  message: `The table has no field ${JSON.stringify(reference)?.slice(0, 100)}`,
  expected: 'the id of a field, or its name as fieldKeyType says',
});

/** What a filter may name, for `readFilter` of the contract. */
export const filterFields = (table: TableSchema, keyType: FieldKeyType): ReadonlyMap<string, FilterField> => {
  const fields = new Map<string, FilterField>();
  for (const [name, field] of named(table, keyType)) fields.set(name, filterFieldOf(field));
  for (const [id, field] of table.byId) fields.set(id, filterFieldOf(field));
  return fields;
};

export const readJson = (text: string, at: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid({ path: at, message: 'Expected JSON text', expected: 'JSON text' });
  }
};
