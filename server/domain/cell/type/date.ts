// date: an instant with milliseconds, shown in the time zone of the field.
import { decideOrder, isAmbiguousDate, orderOfColumn } from '@rowhouse/contract/date-order.ts';
import { Type } from 'typebox';
import { sql } from '../../../db/sql.ts';
import { dateCells } from '../kind/date.sql.ts';
import { dateFormatting, formattingOf } from '../kind/date-format.sql.ts';
import { type FieldType, forStorage } from '../type.ts';
import { carryPlain, keepSameType, textsIn } from './convert.ts';
import { fromEpoch, parseDateText, readInstant } from './date-parse.ts';

export const date: FieldType = {
  type: 'date',
  defaultName: 'Date',
  optionsSchema: Type.Object({
    formatting: Type.Optional(Type.Partial(dateFormatting)),
    defaultValue: Type.Optional(Type.Union([Type.Literal('now'), Type.Null()])),
  }),
  isComputed: false,
  canBePrimary: true,
  canBeUnique: true,
  canBeNotNull: true,
  cells: () => dateCells,
  completeOptions: (given) => ({
    formatting: formattingOf(given),
    ...(given.defaultValue === 'now' ? { defaultValue: 'now' } : {}),
  }),
  read(value) {
    const instant = typeof value === 'string' ? readInstant(value) : null;
    if (instant === null)
      return { ok: false, expected: 'an ISO 8601 date and time with offset, such as "2024-01-31T12:00:00.000Z"' };
    return { ok: true, value: instant };
  },
  columnContext: (values, field, habit) => ({
    dateOrder: decideOrder(formattingOf(field.options).date, orderOfColumn(textsIn(values)), habit),
  }),
  cast(value, field, context) {
    const found =
      typeof value === 'number'
        ? fromEpoch(value)
        : typeof value !== 'string'
          ? null
          : value.trim().toLowerCase() === 'now'
            ? context.now
            : parseDateText(value, formattingOf(field.options), context.dateOrder?.order);
    if (found === null) return { value: null, note: 'dropped' };
    const isGuessed = typeof value === 'string' && isAmbiguousDate(value) && context.dateOrder?.by !== 'format';
    return { value: found.toISOString(), note: 'converted', ...(isGuessed ? { isAmbiguous: true } : {}) };
  },
  defaultCell: (field, context) => (field.options.defaultValue === 'now' ? context.now.toISOString() : null),
  convert: keepSameType,
  // What a date was as a number: milliseconds, of the years 1971 to 2200. Any other number means no date.
  carry: (from, source, column) =>
    source.kind === 'number' && !source.isMultiple
      ? sql`case when ${column} between 31536000000 and 7258118400000 then ${source.json(column, from, forStorage)} end`
      : carryPlain(from, source, column),
  changed: (carried, stored) => (typeof carried === 'number' ? String(stored).slice(0, 10) : undefined),
};
