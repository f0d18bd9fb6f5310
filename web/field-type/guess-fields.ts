// A CSV or TSV file → rows → a table: the first row names the fields, the others say what type each of them is.
import type { NewTable } from '@rowhouse/contract/table.ts';
import { choiceColors } from '@rowhouse/contract/field.ts';
import { columnNames, guessType } from '@rowhouse/contract/guess-column.ts';
import { parseCsv } from '@rowhouse/contract/parse-csv.ts';
import { encodingOf } from '@rowhouse/contract/text-encoding.ts';

export const textOf = (bytes: ArrayBuffer): string => new TextDecoder(encodingOf(new Uint8Array(bytes))).decode(bytes);

/** Without rows in which nothing stands. */
export const readCsv = (text: string): string[][] =>
  parseCsv(text.replace(/^\uFEFF/, '')).filter((cells) => cells.some((value) => value.trim() !== ''));

interface GuessedTable {
  fields: NonNullable<NewTable['fields']>;
  records: { fields: Record<string, string> }[];
}

/** So few that people would rather pick than type them. */
const mostChoices = 12;
const longestChoice = 40;

const decimalsOf = (values: readonly string[]): number =>
  Math.min(5, Math.max(0, ...values.map((value) => value.split('.')[1]?.length ?? 0)));

export type FieldGuess = Omit<GuessedTable['fields'][number], 'name'>;

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
  const distinct = [...new Set(values)];
  const areChoices =
    distinct.length > 0 &&
    distinct.length <= mostChoices &&
    values.length >= 3 * distinct.length &&
    distinct.every((value) => value.length <= longestChoice);
  return areChoices
    ? {
        type: 'singleSelect',
        options: {
          choices: distinct.map((name, index) => ({ name, color: choiceColors[index % choiceColors.length] })),
        },
      }
    : { type: 'singleLineText' };
};

const shownTruth: Record<string, string> = { yes: 'true', no: 'false' };

export const guessFields = ([header = [], ...rows]: readonly (readonly string[])[]): GuessedTable => {
  const names = columnNames(header, Math.max(header.length, ...rows.map((row) => row.length), 1));
  const guesses = names.map((_name, column) =>
    guessField(
      rows.map((row) => (row[column] ?? '').trim()).filter((value) => value !== ''),
      column === 0,
    ),
  );
  const cellOf = (value: string, { type }: FieldGuess): string =>
    type === 'number'
      ? value.replaceAll(',', '')
      : type === 'checkbox'
        ? (shownTruth[value.toLowerCase()] ?? value.toLowerCase())
        : value;
  return {
    fields: names.map((name, column) => ({ name, ...(guesses[column] as FieldGuess) })),
    records: rows.map((row) => ({
      fields: Object.fromEntries(
        names.flatMap((name, column) => {
          const value = row[column] ?? '';
          return value.trim() === ''
            ? []
            : [
                [
                  name,
                  cellOf(guesses[column]?.type === 'longText' ? value : value.trim(), guesses[column] as FieldGuess),
                ],
              ];
        }),
      ),
    })),
  };
};
