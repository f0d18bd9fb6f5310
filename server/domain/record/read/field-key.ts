// Finds fields by the keys of a request, and suggests the nearest name when there is none.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { FieldSchema } from '../../../catalog/table.ts';

/** What fields are looked up in: of a sight those that a caller sees, of a table all. */
export type Nameable = Pick<Sight, 'byId' | 'byName' | 'byDbName'>;

export const fieldsBy = (sight: Nameable, keyType: FieldKeyType): ReadonlyMap<string, FieldSchema> =>
  keyType === 'id' ? sight.byId : keyType === 'name' ? sight.byName : sight.byDbName;

export const keyOf = (field: FieldSchema, keyType: FieldKeyType): string =>
  keyType === 'id' ? field.id : keyType === 'name' ? field.name : field.dbFieldName;

/** Edit distance, where swapping two neighbours is one step; given up beyond `limit`. */
const distance = (one: string, other: string, limit: number): number => {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next[j] = Math.min(
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (row[j - 1] as number) + cost,
        swapped ? (before[j - 2] as number) + 1 : Infinity,
      );
    }
    before = row;
    row = next;
  }
  return row[other.length] as number;
};

const nearest = (wanted: string, known: Iterable<string>): string | undefined => {
  const word = wanted.slice(0, 100).trim().toLowerCase();
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of known) {
    const steps = distance(word, candidate.slice(0, 100).trim().toLowerCase(), limit);
    if (steps < least) {
      least = steps;
      best = candidate;
    }
  }
  return best;
};

export const unknownFields = (
  keys: readonly string[],
  keyType: FieldKeyType,
  known: ReadonlyMap<string, FieldSchema>,
): ApiError => {
  const fields = keys.slice(0, 100).map((key) => {
    const hint = nearest(key, known.keys());
    return { key: key.slice(0, 300), ...(hint === undefined ? {} : { didYouMean: hint }) };
  });
  const shown = fields
    .slice(0, 10)
    .map(({ key, didYouMean }) => (didYouMean === undefined ? `"${key}"` : `"${key}" (did you mean "${didYouMean}"?)`));
  const more = keys.length > 10 ? ` and ${keys.length - 10} more` : '';
  return new ApiError('not_found', `Field ${keyType}: ${shown.join(', ')}${more} not found`, {
    fields,
    total: keys.length,
  });
};
