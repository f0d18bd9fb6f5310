// Cells that hold the name of a choice, or a list of names. They are sorted in the order of the choices.
import { foldText } from '@rowhouse/contract/fold.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { CellType } from '../type.ts';
import { distinctCells, distinctItems, holdsText, jsonOf, sharedStatistic } from './shared.sql.ts';
import { oneOfCondition, severalCondition, valuesOf } from './several.sql.ts';

export interface Choice {
  id: string;
  name: string;
  color: string;
}

export const choicesOf = (options: Record<string, unknown>): readonly Choice[] => (options.choices ?? []) as Choice[];

/** An array literal: an index can only be made on, and used for, the very same text. */
const choiceNames = (field: FieldSchema): Sql => {
  const names = choicesOf(field.options).map(({ name }) => `"${name.replace(/["\\]/g, '\\$&')}"`);
  return sql`${sql.literal(`{${names.join(',')}}`)}::text[]`;
};

const choicesWith = (field: FieldSchema, text: string): string[] => {
  const wanted = foldText(text);
  return choicesOf(field.options)
    .map(({ name }) => name)
    .filter((name) => foldText(name).includes(wanted));
};

const textsOf = (value: unknown): string[] => [value].flat().map(String);

export const choiceCells: CellType = {
  kind: 'choice',
  cellValueType: 'string',
  dbFieldType: 'TEXT',
  isMultiple: false,
  column: 'text',
  isText: true,
  json: (column) => sql`rowhouse.json_text(${column})`,
  text: (column) => column,
  condition: (column, { operator, value }) => oneOfCondition(column, operator, valuesOf(textsOf(value))),
  filterKey: (column) => column,
  sortKey: (column, field) => ({
    expression: sql`array_position(${choiceNames(field)}, ${column})`,
    type: 'integer',
    indexable: true,
  }),
  groupKey(column, field) {
    const names = choicesOf(field.options).map(({ name }) => name);
    return {
      keys: [choiceCells.sortKey(column, field)],
      sample: null,
      value: ([key]) => jsonOf(sql`(${names}::text[])[${key}]`),
    };
  },
  canMatch: (text, field) => choicesWith(field, text).length > 0,
  matches: (column, text, field) => sql`coalesce(${column} = any(${choicesWith(field, text)}::text[]), false)`,
  statistic: (statistic, column) => sharedStatistic(statistic, column, distinctCells(column)),
};

/** Several choices are shown with ", " between them, without the quotes that their text has for being read again. */
const shownChoices = (column: Sql): Sql =>
  sql`(select string_agg(name, ', ' order by at) from jsonb_array_elements_text(${column}) with ordinality as choice(name, at))`;

export const choiceListCells: CellType = {
  kind: 'choice',
  cellValueType: 'string',
  dbFieldType: 'JSON',
  isMultiple: true,
  column: 'jsonb',
  json: (column) => sql`${column}::text`,
  // As a person types it: names that hold a comma are in quotes.
  text: (column) =>
    sql`(select string_agg(case when name like '%,%' or name like '%"%' then '"' || replace(name, '"', '""') || '"' else name end, ', ' order by at)
         from jsonb_array_elements_text(${column}) with ordinality as choice(name, at))`,
  condition: (column, { operator, value }) => severalCondition(column, operator, valuesOf(textsOf(value))),
  filterKey: () => null,
  sortKey: (column, field) => ({
    expression: sql`(select array_agg(array_position(${choiceNames(field)}, choice.name) order by choice.at) from jsonb_array_elements_text(${column}) with ordinality as choice(name, at))`,
    type: 'integer[]',
    indexable: false,
  }),
  groupKey: (column, field) => ({
    keys: [choiceListCells.sortKey(column, field)],
    sample: () => sql`min(${column}::text)`,
    value: (_keys, sample) => sample,
  }),
  canMatch: (text, field) => choiceListCells.looksInText?.(text) === true || choicesWith(field, text).length > 0,
  matches: (column, text, field) =>
    choiceListCells.looksInText?.(text) === true
      ? holdsText(shownChoices(column), text)
      : sql`coalesce(${column} ?| ${choicesWith(field, text)}::text[], false)`,
  searched: shownChoices,
  looksInText: (text) => /[, ]/.test(text),
  statistic: (statistic, column) => sharedStatistic(statistic, column, distinctItems(column)),
};
