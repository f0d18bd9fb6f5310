// Fields as a request names them: by id, or by what fieldKeyType says. And JSON in query strings.
import { type Issue, invalid } from '@rowhouse/contract/error.ts';
import type { FilterField } from '@rowhouse/contract/filter.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { filterFieldOf } from '../field/field-vo.ts';

export type FieldKeyType = 'id' | 'name' | 'dbFieldName';

const named = (sight: Sight, keyType: FieldKeyType): ReadonlyMap<string, FieldSchema> =>
  keyType === 'id' ? sight.byId : keyType === 'name' ? sight.byName : sight.byDbName;

/** A field that the caller does not see is not there. */
export const findField = (sight: Sight, keyType: FieldKeyType, reference: string): FieldSchema | undefined =>
  sight.byId.get(reference) ?? named(sight, keyType).get(reference);

export const noSuchField = (path: string, reference: unknown): Issue => ({
  path,
  message: `The table has no field ${JSON.stringify(reference)?.slice(0, 100)}`,
  expected: 'the id of a field, or its name as fieldKeyType says',
});

/** What a filter may name, for `readFilter` of the contract. */
export const filterFields = (sight: Sight, keyType: FieldKeyType): ReadonlyMap<string, FilterField> => {
  const fields = new Map<string, FilterField>();
  for (const [name, field] of named(sight, keyType)) fields.set(name, filterFieldOf(field));
  for (const [id, field] of sight.byId) fields.set(id, filterFieldOf(field));
  return fields;
};

export const readJson = (text: string, at: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid({ path: at, message: 'Expected JSON text', expected: 'JSON text' });
  }
};
