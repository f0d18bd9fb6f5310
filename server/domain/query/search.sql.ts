// Search in the text that people see, without regard to case.
import { invalid } from '@rowhouse/contract/error.ts';
import { isStorable } from '@rowhouse/contract/text.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { cellTypeOf, columnOf } from '../cell/types.ts';
import { type FieldKeyType, findField, noSuchField, readJson } from './reference.ts';

export interface Search {
  text: string;
  fields: readonly FieldSchema[];
  /** Records that do not match are left out. */
  hides: boolean;
}

const partsOf = (given: string | string[]): unknown[] => {
  if (Array.isArray(given)) return given;
  // A plain word is what to search for; a list is recognised by its bracket.
  if (!given.trimStart().startsWith('[')) return [given];
  const parsed = readJson(given, 'search');
  if (!Array.isArray(parsed) || parsed.length === 0 || parsed.length > 3)
    throw invalid({
      path: 'search',
      message: 'Expected a list of one to three parts',
      expected: '[text, fields, hides]',
    });
  return parsed;
};

const fieldsOf = (names: string, sight: Sight, keyType: FieldKeyType): FieldSchema[] => {
  const whole = findField(sight, keyType, names);
  if (whole !== undefined) return [whole];
  return names.split(',').map((part) => {
    const name = part.trim();
    const field = findField(sight, keyType, name);
    if (field === undefined) throw invalid(noSuchField('search[1]', name));
    return field;
  });
};

/** Every cell is compared with it: 20,000 characters in cells of 100 kB took a connection for half a minute. */
const maxSearchText = 1_000;

/** `visible`: what is searched when no field is named. */
export const readSearch = (
  given: string | string[],
  sight: Sight,
  keyType: FieldKeyType,
  visible: readonly FieldSchema[],
): Search | null => {
  const [text, names = '', hides = true] = partsOf(given);
  if (typeof text !== 'string' || !isStorable(text))
    throw invalid({ path: 'search[0]', message: 'Expected text', expected: 'the text to search for' });
  if (text.length > maxSearchText)
    throw invalid({
      path: 'search[0]',
      message: `Expected at most ${maxSearchText} characters to search for; these are ${text.length}`,
      expected: `1 to ${maxSearchText} characters`,
    });
  if (typeof names !== 'string')
    throw invalid({ path: 'search[1]', message: 'Expected field names or ids, separated by commas', expected: 'text' });
  if (text === '') return null;
  const all = names === '' || names === 'all_fields';
  const fields = all
    ? visible.filter((field) => cellTypeOf(field).hasNoText !== true)
    : fieldsOf(names, sight, keyType);
  return { text, fields: [...new Set(fields)], hides: hides !== false && hides !== 'false' };
};

const promising = ({ fields, text }: Search): FieldSchema[] =>
  fields.filter((field) => cellTypeOf(field).canMatch(text, field));

const matches = (field: FieldSchema, text: string): Sql => cellTypeOf(field).matches(columnOf(field, 'r'), text, field);

export const searchSql = (search: Search): Sql => {
  const conditions = promising(search).map((field) => matches(field, search.text));
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, ' or ')})`;
};

/** The ids of the fields that match, as an array. */
export const hitsSql = (search: Search): Sql => {
  const ids = promising(search).map(
    (field) => sql`case when ${matches(field, search.text)} then ${sql.literal(field.id)} end`,
  );
  return ids.length === 0 ? sql`'{}'::text[]` : sql`array_remove(array[${sql.join(ids)}]::text[], null)`;
};
