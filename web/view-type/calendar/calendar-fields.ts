// The fields that a calendar rests on: when a record begins, and perhaps when it ends.
import type { Field } from '@rowhouse/contract/field.ts';
import type { Condition, FilterGroup, FilterOperator } from '@rowhouse/contract/filter.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { dateFormattingOf, fromInput, toInput } from '../../field-type/date/date-format.ts';
import { addDays } from '../../field-type/date/month.ts';

export const dateFields = (fields: readonly Field[]): Field[] =>
  fields.filter(({ cellValueType }) => cellValueType === 'dateTime');

export interface CalendarFields {
  start: Field;
  end: Field | undefined;
}

export const calendarFieldsOf = (view: View, fields: readonly Field[]): CalendarFields | undefined => {
  const dates = dateFields(fields);
  const start =
    dates.find(({ id }) => id === view.options['startDateFieldId']) ??
    dates.find(({ type }) => type === 'date') ??
    dates[0];
  return start === undefined
    ? undefined
    : { start, end: dates.find(({ id }) => id === view.options['endDateFieldId'] && id !== start.id) };
};

/** The day of a cell, in the time zone of its field. */
export const dayOf = (field: Field, value: unknown): string | undefined =>
  typeof value === 'string' ? toInput(value, { ...dateFormattingOf(field.options), time: 'None' }) : undefined;

/** The same time of day on another day. */
export const moveToDay = (field: Field, value: unknown, day: string): string | null => {
  const formatting = { ...dateFormattingOf(field.options), time: 'HH:mm' as const };
  if (typeof value !== 'string') return fromInput(`${day}T00:00`, formatting);
  const moved = fromInput(`${day}T${toInput(value, formatting).slice(11)}`, formatting);
  // Seconds are not shown, and stay all the same.
  const rest = ((Date.parse(value) % 60_000) + 60_000) % 60_000;
  return moved === null ? null : new Date(Date.parse(moved) + rest).toISOString();
};

/** The filter for records that touch these days. */
export const filterFor = ({ start, end }: CalendarFields, first: string, last: string): FilterGroup => {
  const when = (field: Field, operator: FilterOperator, day: string): Condition => {
    const { timeZone } = dateFormattingOf(field.options);
    return {
      fieldId: field.id,
      operator,
      value: {
        mode: 'exactDate',
        exactDate: fromInput(day, { ...dateFormattingOf(field.options), timeZone }) ?? '',
        timeZone,
      },
    };
  };
  const beginsBefore = when(start, 'isOnOrBefore', last);
  const beginsAfter = when(start, 'isOnOrAfter', first);
  return {
    conjunction: 'and',
    filterSet: [
      beginsBefore,
      end === undefined
        ? beginsAfter
        : { conjunction: 'or', filterSet: [beginsAfter, when(end, 'isOnOrAfter', first)] },
    ],
  };
};

/** Both ends of a record, so many days later. */
export const movedBy = (
  { start, end }: CalendarFields,
  record: RecordVo,
  days: number,
): { field: Field; value: string | null }[] =>
  [start, end].flatMap((field) => {
    const day = field === undefined ? undefined : dayOf(field, record.fields[field.id]);
    return field === undefined || day === undefined
      ? []
      : [{ field, value: moveToDay(field, record.fields[field.id], addDays(day, days)) }];
  });
