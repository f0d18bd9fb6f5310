// What columns of texts are: their names from the first row of a file, their types from the cells. The server guesses for imports, the app for
// what is pasted.
import { choiceColors } from './color.ts';
import type { FieldTypeName } from './field.ts';
import { decimalSignOf, withDecimalPoint } from './number-text.ts';
import { readYesNo } from './yes-no.ts';

/** Numbers as programs write them, with commas between thousands if at all. With zeros in front, or more digits than a number keeps, it is a code: 01067 is a town. */
const numberForm = /^[+-]?(0|[1-9]\d*|[1-9]\d{0,2}(,\d{3})+)(\.\d+)?([eE][+-]?\d{1,3})?$/;
const isNumber = (text: string): boolean => {
  if (!numberForm.test(text)) return false;
  const number = Number(text.replaceAll(',', ''));
  return Number.isFinite(number) && (Math.abs(number) <= Number.MAX_SAFE_INTEGER || /e/i.test(text));
};

const isDay = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

const clock = '(?:[ T]([01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?\\s?(?:Z|[+-]\\d{2}:?\\d{2})?)?';
/** 31.12.2025, 31/12/2025, 12/31/2025. With points the day is first. */
const dayForm = new RegExp(`^(\\d{1,2})([./-])(\\d{1,2})\\2(\\d{4})${clock}$`);

const dateForm =
  /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:[ T]([01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?\s?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

const isDate = (text: string): boolean => {
  const [, year, , month, day] = dateForm.exec(text) ?? [];
  if (year !== undefined) return isDay(Number(year), Number(month), Number(day));
  const [, one, sign, other, ofYear] = dayForm.exec(text) ?? [];
  return (
    ofYear !== undefined &&
    (isDay(Number(ofYear), Number(other), Number(one)) ||
      (sign !== '.' && isDay(Number(ofYear), Number(one), Number(other))))
  );
};

/**
 * All are words that checkboxes know. Numbers stay numbers; a column where nothing says yes may be of anything ("none"), and so may one of a
 * single letter: "Y" beside "N" is an answer, "S" alone a size. An "x" again and again is a tick.
 */
const isTruth = (values: readonly string[]): boolean => {
  const words = [...new Set(values.map((value) => value.toLowerCase()))];
  if (words.some((word) => /^\d$/.test(word) || readYesNo(word) === undefined)) return false;
  const yes = words.filter((word) => word !== '+' && readYesNo(word) === true);
  if (yes.length === 0) return words.every((word) => word === 'false' || word === 'no');
  return (
    yes.length < words.length ||
    yes.some((word) => !/^[a-z]$/.test(word)) ||
    (words.join() === 'x' && values.length > 1)
  );
};

/** Longer texts are read in several lines. */
const longestLine = 100;
const isLong = (text: string): boolean => text.length > longestLine || /[\r\n]/.test(text);

type GuessedType = 'checkbox' | 'number' | 'date' | 'longText' | 'singleLineText';

/** Of texts that are trimmed and not empty. */
const guessType = (values: readonly string[]): GuessedType => {
  if (values.length === 0) return 'singleLineText';
  if (values.some(isLong)) return 'longText';
  if (isTruth(values)) return 'checkbox';
  const sign = decimalSignOf(values);
  if (values.every((value) => isNumber(withDecimalPoint(value, sign)))) return 'number';
  return values.every(isDate) ? 'date' : 'singleLineText';
};

/** So few that people would rather pick than type them. */
const mostChoices = 12;
const longestChoice = 40;

const decimalsOf = (values: readonly string[]): number => {
  const sign = decimalSignOf(values);
  return Math.min(
    5,
    values.reduce((most, value) => Math.max(most, withDecimalPoint(value, sign).split('.')[1]?.length ?? 0), 0),
  );
};

export interface FieldGuess {
  type: FieldTypeName;
  options?: Record<string, unknown>;
}

/** What field these texts would be the cells of. The primary one names its record, so it stays a text. */
export const guessField = (values: readonly string[], isPrimary: boolean): FieldGuess => {
  const type = guessType(values);
  if (type === 'number') return { type, options: { formatting: { type: 'decimal', precision: decimalsOf(values) } } };
  if (type === 'longText') return { type };
  if (isPrimary) return { type: 'singleLineText' };
  if (type === 'date')
    return values.some((value) => value.includes(':'))
      ? { type, options: { formatting: { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'UTC' } } }
      : { type };
  if (type === 'checkbox') return { type };
  const distinct = new Set<string>();
  for (const value of values) {
    distinct.add(value);
    if (value.length > longestChoice || distinct.size > mostChoices) return { type: 'singleLineText' };
  }
  return distinct.size > 0 && values.length >= 3 * distinct.size
    ? {
        type: 'singleSelect',
        options: {
          choices: [...distinct].map((name, index) => ({ name, color: choiceColors[index % choiceColors.length] })),
        },
      }
    : { type: 'singleLineText' };
};

/** No two are the same; columns without one get one. */
export const columnNames = (header: readonly string[], width: number): string[] => {
  const taken = new Set<string>();
  const lastCopies = new Map<string, number>();
  return Array.from({ length: width }, (_item, at) => {
    const wanted = (header[at] ?? '').trim().slice(0, 200) || `Field ${at + 1}`;
    let name = wanted;
    for (let copy = (lastCopies.get(wanted) ?? 1) + 1; taken.has(name); copy += 1) {
      name = `${wanted} ${copy}`;
      lastCopies.set(wanted, copy);
    }
    taken.add(name);
    return name;
  });
};
