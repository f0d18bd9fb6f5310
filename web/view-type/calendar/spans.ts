// What a calendar shows at once: a month, a week or a day.
import { addDays, addMonths, dayName, monthName, weekName, weekOf, weeksOf } from '../../field-type/date/month.ts';

export type Span = 'month' | 'week' | 'day';

export const spans: { value: Span; label: string }[] = [
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
  { value: 'day', label: 'Day' },
];

export const isSpan = (value: unknown): value is Span => spans.some((span) => span.value === value);

/** Its days, in rows. */
export const rowsOf = (span: Span, day: string): string[][] =>
  span === 'month' ? weeksOf(day.slice(0, 7)) : [span === 'week' ? weekOf(day) : [day]];

export const spanName = (span: Span, day: string): string =>
  span === 'month' ? monthName(day.slice(0, 7)) : span === 'week' ? weekName(day) : dayName(day);

export const stepped = (span: Span, day: string, count: number): string =>
  span === 'month' ? `${addMonths(day.slice(0, 7), count)}-01` : addDays(day, (span === 'week' ? 7 : 1) * count);
