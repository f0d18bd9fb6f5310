// Cells that are instants, shown in the format and time zone of the field's options.
import type { Statistic } from '@rowhouse/contract/aggregation.ts';
import { dateRange } from '@rowhouse/contract/date-range.ts';
import type { DateOperand } from '@rowhouse/contract/filter.ts';
import { ofAsker } from '../../../catalog/asker.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { CellType, GroupParts } from '../type.ts';
import {
  clockText,
  type DateFormatting,
  dateJson,
  dateText,
  formattingOf,
  isoText,
  wallClock,
} from './date-format.sql.ts';
import { distinctCells, holdsText, jsonOf, sharedStatistic } from './shared.sql.ts';

/** The smallest unit that a format shows, when it shows everything above it too; null when it does not. */
const shownUnit = ({ date, time }: DateFormatting): 'year' | 'month' | 'day' | 'minute' | null => {
  const shows = [date.includes('Y'), date.includes('M'), date.includes('D'), time !== 'None'];
  const count = shows.lastIndexOf(true) + 1;
  if (count === 0 || shows.slice(0, count).includes(false)) return null;
  return (['year', 'month', 'day', 'minute'] as const)[count - 1] as 'year';
};

/** Grouped as far as the format shows them. */
const groupKey = (column: Sql, field: FieldSchema): GroupParts => {
  const formatting = formattingOf(field.options);
  const unit = shownUnit(formatting);
  if (unit === null)
    return {
      keys: [{ expression: dateText(column, formatting), type: 'text', indexable: false }],
      sample: null,
      value: ([key]) => jsonOf(key as Sql),
    };
  return {
    keys: [
      {
        expression: sql`date_trunc(${sql.literal(unit)}, ${wallClock(column, formatting)})`,
        type: 'timestamp',
        indexable: true,
      },
    ],
    sample: null,
    value: ([key]) => jsonOf(clockText(key as Sql, formatting)),
  };
};

const statistic = (name: Statistic, column: Sql, field: FieldSchema): Sql => {
  const local = (edge: 'min' | 'max'): Sql =>
    sql`(${wallClock(sql`${sql.raw(edge)}(${column})`, formattingOf(field.options))})`;
  switch (name) {
    case 'earliestDate':
      return isoText(sql`min(${column})`);
    case 'latestDate':
      return isoText(sql`max(${column})`);
    case 'dateRangeOfDays':
      return sql`(${local('max')}::date - ${local('min')}::date)`;
    case 'dateRangeOfMonths':
      return sql`(extract(year from age(${local('max')}, ${local('min')})) * 12 + extract(month from age(${local('max')}, ${local('min')})))::int`;
    default:
      return sharedStatistic(name, column, distinctCells(column));
  }
};

export const dateCells: CellType = {
  kind: 'date',
  cellValueType: 'dateTime',
  dbFieldType: 'DATETIME',
  isMultiple: false,
  column: 'timestamptz',
  json: dateJson,
  text: (column, field) => dateText(column, formattingOf(field.options)),
  condition(column, { operator, value }, field, asker) {
    const edge = (side: 'start' | 'end'): string =>
      ofAsker(asker, ({ now }) => dateRange(value as DateOperand, now, formattingOf(field.options))[side]);
    const [start, end] = [edge('start'), edge('end')];
    switch (operator) {
      case 'isBefore':
        return sql`${column} < ${start}::timestamptz`;
      case 'isAfter':
        return sql`${column} >= ${end}::timestamptz`;
      case 'isOnOrBefore':
        return sql`${column} < ${end}::timestamptz`;
      case 'isOnOrAfter':
        return sql`${column} >= ${start}::timestamptz`;
      case 'isNot':
        return sql`(${column} is null or ${column} < ${start}::timestamptz or ${column} >= ${end}::timestamptz)`;
      default:
        return sql`(${column} >= ${start}::timestamptz and ${column} < ${end}::timestamptz)`;
    }
  },
  filterKey: (column) => column,
  sortKey: (column) => ({ expression: column, type: 'timestamptz', indexable: true }),
  groupKey,
  canMatch(text, field) {
    const { date, time } = formattingOf(field.options);
    const showsFiguresOnly = /^([YMD]|\P{Letter})*$/u.test(date) && !date.includes('MMM') && !time.includes('A');
    return !showsFiguresOnly || !/\p{Letter}/u.test(text);
  },
  matches: (column, text, field) => holdsText(dateCells.text(column, field), text),
  searched: (column, field) => dateCells.text(column, field),
  statistic,
};
