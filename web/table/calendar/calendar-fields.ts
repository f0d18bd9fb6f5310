// The fields that a calendar rests on: when a record begins, and perhaps when it ends.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { dateFormattingOf, fromInput, toInput } from '../cell/date-format.ts';
import { daysBetween } from './month.ts';

export const dateFields = (fields: readonly Field[]): Field[] => fields.filter(({ cellValueType }) => cellValueType === 'dateTime');

export interface CalendarFields {
  start: Field;
  end: Field | undefined;
}

export const calendarFieldsOf = (view: View, fields: readonly Field[]): CalendarFields | undefined => {
  const dates = dateFields(fields);
  const start = dates.find(({ id }) => id === view.options['startDateFieldId']) ?? dates.find(({ type }) => type === 'date') ?? dates[0];
  return start === undefined ? undefined : { start, end: dates.find(({ id }) => id === view.options['endDateFieldId'] && id !== start.id) };
};

/** The day of a cell, in the time zone of its field. */
export const dayOf = (field: Field, value: unknown): string | undefined => (typeof value === 'string' ? toInput(value, { ...dateFormattingOf(field.options), time: 'None' }) : undefined);

/** The same time of day on another day. */
export const moveToDay = (field: Field, value: unknown, day: string): string | null => {
  const formatting = { ...dateFormattingOf(field.options), time: 'HH:mm' as const };
  const time = typeof value === 'string' ? toInput(value, formatting).slice(11) : '00:00';
  return fromInput(`${day}T${time}`, formatting);
};

/** The filter for records that touch these days. */
export const filterFor = ({ start, end }: CalendarFields, first: string, last: string): string => {
  const when = (field: Field, operator: string, day: string): object => {
    const { timeZone } = dateFormattingOf(field.options);
    return { fieldId: field.id, operator, value: { mode: 'exactDate', exactDate: fromInput(day, { ...dateFormattingOf(field.options), timeZone }), timeZone } };
  };
  const beginsBefore = when(start, 'isOnOrBefore', last);
  const beginsAfter = when(start, 'isOnOrAfter', first);
  return JSON.stringify({ conjunction: 'and', filterSet: [beginsBefore, end === undefined ? beginsAfter : { conjunction: 'or', filterSet: [beginsAfter, when(end, 'isOnOrAfter', first)] }] });
};

const longest = 400;

/** The records of each day; one that lasts several days stands on each of them. */
export const byDay = ({ start, end }: CalendarFields, records: readonly RecordVo[], first: string, last: string): Map<string, RecordVo[]> => {
  const days = new Map<string, RecordVo[]>();
  for (const record of records) {
    const begin = dayOf(start, record.fields[start.id]);
    if (begin === undefined) continue;
    const finish = end === undefined ? undefined : dayOf(end, record.fields[end.id]);
    const shownFrom = begin < first ? first : begin;
    const until = finish === undefined || finish < begin ? begin : finish;
    for (const day of daysBetween(shownFrom, until > last ? last : until, longest)) days.set(day, [...(days.get(day) ?? []), record]);
  }
  return days;
};
