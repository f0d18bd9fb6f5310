// What is taken of a file, counted while it is read. A small file can hold a lot: a list of keys that every record then has room for,
// a zip of a gigabyte of spaces, a million members without a byte.
import { invalid } from './error.ts';

/** Columns of a table of the file. A table has 500 fields. */
export const mostColumns = 2_000;

/** Characters of a row, or of the text of an object. A cell holds a million. */
export const longestRow = 8_000_000;

/** Quotes inside of the quoted values of a row. Each costs as much as a hundred other characters. */
export const mostQuotes = 200_000;

/** Values of a JSON object, in all its levels, and how many levels there are. */
export const mostValues = 100_000;
export const mostLevels = 100;

export const tooMuch = (what: string, most: number, unit: string): Error =>
  invalid({
    path: 'attachmentUrl',
    message: `The file could not be read: ${what} more than ${most} ${unit}`,
    expected: `at most ${most} ${unit}`,
  });
