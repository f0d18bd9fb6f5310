// "05/06/2026" is a day in May or in June, and each of them alone is read by the format of its field. Other dates of the same column tell which is meant:
// where "31/12/2025" stands too, the day comes first in all of them.

const numbers = /^\s*(\d{1,2})[-/](\d{1,2})[-/](?=\d{2}(?:\d{2})?(?!\d))/;

/** One of the dates can only be meant with the day first, and none with the month first. */
export const areDayFirst = (texts: Iterable<string>): boolean => {
  let isFound = false;
  for (const text of texts) {
    const [, first, second] = numbers.exec(text) ?? [];
    if (Number(second) > 12) return false;
    if (Number(first) > 12) isFound = true;
  }
  return isFound;
};

/** The same date, written in the way that has the day first wherever it is read: with points. */
export const withPoints = (text: string): string => text.replace(numbers, '$1.$2.');
