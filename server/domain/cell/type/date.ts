// date: an instant with milliseconds, shown in the time zone of the field.
import { Type } from 'typebox';
import { dateCells } from '../kind/date.sql.ts';
import { dateFormatting, formattingOf } from '../kind/date-format.sql.ts';
import type { FieldType } from '../type.ts';
import { carryPlain, keepSameType } from './convert.ts';
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
    if (instant === null) return { ok: false, expected: 'an ISO 8601 date and time with offset, such as "2024-01-31T12:00:00.000Z"' };
    return { ok: true, value: instant };
  },
  cast(value, field, context) {
    const found =
      typeof value === 'number'
        ? fromEpoch(value)
        : typeof value !== 'string'
          ? null
          : value.trim().toLowerCase() === 'now'
            ? context.now
            : parseDateText(value, formattingOf(field.options));
    return found === null ? { value: null, note: 'dropped' } : { value: found.toISOString(), note: 'converted' };
  },
  defaultCell: (field, context) => (field.options.defaultValue === 'now' ? context.now.toISOString() : null),
  convert: keepSameType,
  carry: carryPlain,
};
