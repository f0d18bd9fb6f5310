// Search in the text that people see, without regard to case.
import { invalid } from '@rowhouse/contract/error.ts';
import { isStorable } from '@rowhouse/contract/text.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { formattingOf } from '../field/type/date-format.ts';
import { choicesOf } from '../field/type/select.ts';
import { columnOf, fieldTypeOf } from '../field/types.ts';
import { likePattern } from './filter.sql.ts';
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
  if (!Array.isArray(parsed) || parsed.length === 0 || parsed.length > 3) throw invalid({ path: 'search', message: 'Expected a list of one to three parts', expected: '[text, fields, hides]' });
  return parsed;
};

const fieldsOf = (names: string, table: TableSchema, keyType: FieldKeyType): FieldSchema[] => {
  const whole = findField(table, keyType, names);
  if (whole !== undefined) return [whole];
  return names.split(',').map((part) => {
    const name = part.trim();
    const field = findField(table, keyType, name);
    if (field === undefined) throw invalid(noSuchField('search[1]', name));
    return field;
  });
};

/** `visible`: what is searched when no field is named. A checkbox shows no text. */
export const readSearch = (given: string | string[], table: TableSchema, keyType: FieldKeyType, visible: readonly FieldSchema[]): Search | null => {
  const [text, names = '', hides = true] = partsOf(given);
  if (typeof text !== 'string' || !isStorable(text)) throw invalid({ path: 'search[0]', message: 'Expected text', expected: 'the text to search for' });
  if (typeof names !== 'string') throw invalid({ path: 'search[1]', message: 'Expected field names or ids, separated by commas', expected: 'text' });
  if (text === '') return null;
  const all = names === '' || names === 'all_fields';
  const fields = all ? visible.filter((field) => field.type !== 'checkbox') : fieldsOf(names, table, keyType);
  return { text, fields, hides: hides !== false && hides !== 'false' };
};

/**
 * Whether the text of a field can hold the searched one at all. Writing out the numbers and dates of a table is most
 * of the work of a search in all of its fields, and a word is never found in them.
 */
export const canMatch = (field: FieldSchema, text: string): boolean => {
  switch (field.type) {
    case 'rating':
    case 'autoNumber':
      return /^\d+$/.test(text);
    case 'number': {
      const symbol = (field.options.formatting as { symbol?: string } | undefined)?.symbol ?? '';
      return /^[\d.,%-]*$/.test(symbol === '' ? text : text.toLowerCase().replaceAll(symbol.toLowerCase(), '')) || symbol.length > 1;
    }
    case 'date':
    case 'createdTime':
    case 'lastModifiedTime': {
      const { date, time } = formattingOf(field.options);
      const showsFiguresOnly = /^([YMD]|\P{Letter})*$/u.test(date) && !date.includes('MMM') && !time.includes('A');
      return !showsFiguresOnly || !/\p{Letter}/u.test(text);
    }
    default:
      return true;
  }
};

const choicesWith = (field: FieldSchema, text: string): string[] => {
  const wanted = text.toLowerCase();
  return choicesOf(field.options).map(({ name }) => name).filter((name) => name.toLowerCase().includes(wanted));
};

const matches = (field: FieldSchema, text: string): Sql => {
  const column = columnOf(field, 'r');
  if (field.type === 'singleSelect') return sql`coalesce(${column} = any(${choicesWith(field, text)}::text[]), false)`;
  if (field.type === 'multipleSelect') {
    // Several choices are shown with ", " between them, without the quotes that their text has for being read again.
    const joined = sql`(select string_agg(name, ', ' order by at) from jsonb_array_elements_text(${column}) with ordinality as choice(name, at))`;
    return /[, ]/.test(text) ? sql`lower(${joined}) like lower(${likePattern(text)}::text)` : sql`coalesce(${column} ?| ${choicesWith(field, text)}::text[], false)`;
  }
  return sql`lower(${fieldTypeOf(field.type).text(column, field)}) like lower(${likePattern(text)}::text)`;
};

const promising = ({ fields, text }: Search): FieldSchema[] => fields.filter((field) => canMatch(field, text));

export const searchSql = (search: Search): Sql => {
  const conditions = promising(search).map((field) => matches(field, search.text));
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, ' or ')})`;
};

/** The ids of the fields that match, as an array. */
export const hitsSql = (search: Search): Sql => {
  const ids = promising(search).map((field) => sql`case when ${matches(field, search.text)} then ${sql.literal(field.id)} end`);
  return ids.length === 0 ? sql`'{}'::text[]` : sql`array_remove(array[${sql.join(ids)}]::text[], null)`;
};
