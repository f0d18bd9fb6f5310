// Names and types of columns, from the first rows of a file. The first row always holds the names.
import type { FieldTypeName } from '@rowhouse/contract/field.ts';
import { createPause, type Pause } from '../../work/slices.ts';
import { asText } from '../cell/type/text.ts';

export interface GuessedColumn {
  type: FieldTypeName;
  name: string;
}

/** Numbers as programs write them, with commas between thousands if at all. With zeros in front, or more digits than a number keeps, it is a code. */
const numberForm = /^[+-]?(0|[1-9]\d*|[1-9]\d{0,2}(,\d{3})+)(\.\d+)?([eE][+-]?\d{1,3})?$/;
const isNumber = (text: string): boolean => {
  if (!numberForm.test(text)) return false;
  const number = Number(text.replaceAll(',', ''));
  return Number.isFinite(number) && (Math.abs(number) <= Number.MAX_SAFE_INTEGER || /e/i.test(text));
};

const dateForm =
  /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:[ T]([01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?\s?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

const isDate = (text: string): boolean => {
  const [, year, , month, day] = dateForm.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
};

const fits: readonly [FieldTypeName, (text: string) => boolean][] = [
  ['checkbox', (text) => /^(true|false)$/i.test(text)],
  ['number', isNumber],
  ['date', isDate],
  ['singleLineText', () => true],
];

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');

/** A value may be a list of a hundred thousand others. */
const typeOf = async (given: readonly unknown[], pause: Pause): Promise<FieldTypeName> => {
  if (given.length > 0 && given.every(isTexts)) return 'multipleSelect';
  const values: string[] = [];
  for (const value of given) {
    const text = asText(value).trim();
    if (text !== '') values.push(text);
    await pause();
  }
  if (values.some((value) => /[\r\n]/.test(value))) return 'longText';
  if (values.length === 0) return 'singleLineText';
  return (fits.find(([, isFit]) => values.every(isFit)) as (typeof fits)[number])[0];
};

/** As many columns as the widest row has. */
export const guessColumns = async (rows: readonly (readonly unknown[])[]): Promise<GuessedColumn[]> => {
  const pause = createPause();
  const [header = [], ...values] = rows;
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const taken = new Map<string, number>();
  const columns: GuessedColumn[] = [];
  for (let at = 0; at < width; at += 1) {
    const wanted = asText(header[at]).trim().slice(0, 200) || `Field ${at}`;
    const times = (taken.get(wanted) ?? 0) + 1;
    taken.set(wanted, times);
    columns.push({
      type: await typeOf(
        values.map((row) => row[at] ?? '').filter((value) => value !== ''),
        pause,
      ),
      name: times === 1 ? wanted : `${wanted} ${times}`,
    });
    await pause();
  }
  return columns;
};
