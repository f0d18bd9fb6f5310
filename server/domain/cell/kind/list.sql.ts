// Cells that are lists of texts, numbers, dates or booleans, as formulas give them: a jsonb array that is never empty. What is
// asked of a list is asked of its items.
import { type Sql, sql } from '../../../db/sql.ts';
import type { CellType, KeyParts } from '../type.ts';
import { beginning, distinctItems, holdsText, sharedStatistic } from './shared.sql.ts';

const typed = (item: Sql, cells: CellType): Sql =>
  cells.column === 'text' ? item : sql`(${item})::${sql.raw(cells.column)}`;

/** Operators that hold when no item meets their opposite. */
const opposites: Record<string, string> = { isNot: 'is', doesNotContain: 'contains' };

const ofRecords: readonly string[] = [
  'count',
  'empty',
  'filled',
  'percentEmpty',
  'percentFilled',
  'unique',
  'percentUnique',
  'checked',
  'unChecked',
  'percentChecked',
  'percentUnChecked',
];

export const listCells = (cells: CellType): CellType => {
  const item = typed(sql`items.item`, cells);
  const text: CellType['text'] = (column, field) =>
    sql`(select string_agg(${cells.text(item, field)}, ', ' order by items.at) from jsonb_array_elements_text(${column}) with ordinality as items(item, at))`;
  const sortKey = (column: Sql, shown: Sql): KeyParts =>
    cells.kind === 'number' || cells.kind === 'date'
      ? {
          expression: typed(sql`(${column} ->> 0)`, cells),
          type: cells.kind === 'number' ? 'double precision' : 'timestamptz',
          indexable: false,
        }
      : { expression: beginning(shown), type: 'text', indexable: false };
  const own: CellType = {
    kind: cells.kind,
    cellValueType: cells.cellValueType,
    dbFieldType: 'JSON',
    isMultiple: true,
    column: 'jsonb',
    json: (column) => sql`${column}::text`,
    text,
    condition(column, condition, field, asker) {
      // As in Teable: a list of booleans counts as true.
      if (cells.kind === 'boolean')
        return condition.value === true ? sql`${column} is not null` : sql`${column} is null`;
      const opposite = opposites[condition.operator];
      const asked = cells.condition(
        item,
        opposite === undefined ? condition : { ...condition, operator: opposite as typeof condition.operator },
        field,
        asker,
      );
      return sql`${sql.raw(opposite === undefined ? 'exists' : 'not exists')} (select from jsonb_array_elements_text(${column}) as items(item) where ${asked})`;
    },
    filterKey: () => null,
    sortKey: (column, field) => sortKey(column, text(column, field)),
    groupKey: (column, field) => ({
      keys: [
        sortKey(column, text(column, field)),
        { expression: sql`${column}::text`, type: 'text', indexable: false },
      ],
      sample: () => sql`min(${column}::text)`,
      value: (_keys, sample) => sample,
    }),
    canMatch: () => true,
    matches: (column, wanted, field) => holdsText(text(column, field), wanted),
    searched: cells.searched === undefined ? undefined : text,
    statistic: (statistic, column, field) =>
      ofRecords.includes(statistic)
        ? sharedStatistic(statistic, column, distinctItems(column))
        : sql`(select ${cells.statistic(statistic, item, field)} from unnest(array_agg(${column})) as lists(list), jsonb_array_elements_text(lists.list) as items(item))`,
  };
  return own;
};
