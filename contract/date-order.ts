// "05/06/2026" is a day in May or in June. A column is read as one: what its other dates can only mean ("31/12/2025"), else the format of its field, else a guess. Every way
// into a date field asks here, so that the same column is read the same way by an import, a paste, a typecast and a conversion.
import { type Static, Type } from 'typebox';

export const DateOrder = Type.Enum(['dayFirst', 'monthFirst'], {
  description:
    'How dates such as 03/04/2024 are read when neither the other dates of the column nor the format of the field say so. Without it the month is first.',
});
export type DateOrder = Static<typeof DateOrder>;

export interface OrderDecision {
  order: DateOrder;
  /** A guess is told to people. */
  by: 'column' | 'format' | 'guess';
}

const numbers = /^\s*(\d{1,2})[-/](\d{1,2})[-/](?=\d{2}(?:\d{2})?(?!\d))/;

/** The two numbers of a date that may be day and month. */
const numbersOf = (text: string): [first: number, second: number] | undefined => {
  const match = numbers.exec(text);
  return match === null ? undefined : [Number(match[1]), Number(match[2])];
};

/** It can be read in two ways. */
export const isAmbiguousDate = (text: string): boolean => {
  const [first, second] = numbersOf(text) ?? [0, 0];
  return first >= 1 && second >= 1 && first <= 12 && second <= 12 && first !== second;
};

/** What can only be meant in one way: undefined when nothing says so, or when both are there. */
const orderOfSigns = (isDayFirst: boolean, isMonthFirst: boolean): DateOrder | undefined =>
  isDayFirst === isMonthFirst ? undefined : isDayFirst ? 'dayFirst' : 'monthFirst';

export const orderOfColumn = (texts: Iterable<string>): DateOrder | undefined => {
  let [dayFirst, monthFirst] = [false, false];
  for (const text of texts) {
    const [first, second] = numbersOf(text) ?? [0, 0];
    if (first > 12 && second <= 12) dayFirst = true;
    if (second > 12 && first <= 12) monthFirst = true;
  }
  return orderOfSigns(dayFirst, monthFirst);
};

/** A format that begins with the year says nothing. */
export const orderOfFormat = (format: string): DateOrder | undefined => {
  const [day, month, year] = ['D', 'M', 'Y'].map((letter) => format.indexOf(letter)) as [number, number, number];
  if (day < 0 || month < 0 || (year >= 0 && year < day && year < month)) return undefined;
  return day < month ? 'dayFirst' : 'monthFirst';
};

/** `ofColumn`: what `orderOfColumn` said. `fallback`: the habit of the person, where it is known. */
export const decideOrder = (
  format: string,
  ofColumn: DateOrder | undefined,
  fallback: DateOrder = 'monthFirst',
): OrderDecision => {
  const ofFormat = orderOfFormat(format);
  if (ofColumn !== undefined && ofColumn !== ofFormat) return { order: ofColumn, by: 'column' };
  return ofFormat === undefined ? { order: fallback, by: 'guess' } : { order: ofFormat, by: 'format' };
};

/** Where a language puts the month before the day, or the day before the month. */
export const orderOfLocale = (locale: string | undefined): DateOrder => {
  const parts = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'numeric', year: 'numeric' })
    .formatToParts(new Date(0))
    .map(({ type }) => type);
  return parts.indexOf('day') < parts.indexOf('month') ? 'dayFirst' : 'monthFirst';
};

/** The same date, written so that it is read in this order wherever it comes to: with points the day is first, and an ISO date has no order. */
export const inOrder = (text: string, order: DateOrder): string => {
  if (order === 'dayFirst') return text.replace(numbers, '$1.$2.');
  const parts = /^\s*(\d{1,2})[-/](\d{1,2})[-/](\d{4})(?!\d)/.exec(text);
  return parts === null || !isAmbiguousDate(text)
    ? text
    : `${parts[3]}-${(parts[1] as string).padStart(2, '0')}-${(parts[2] as string).padStart(2, '0')}${text.slice(parts[0].length)}`;
};
