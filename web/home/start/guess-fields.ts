// Rows of a file → a table: the first row names the fields, the others say what type each of them is.
import type { NewTable } from '@rowhouse/contract/table.ts';
import { choiceColors } from '@rowhouse/contract/field.ts';

export interface GuessedTable {
  fields: NonNullable<NewTable['fields']>;
  records: { fields: Record<string, string> }[];
}

/** With zeros in front, or more digits than a number keeps, it is a code: 01067 is a town, not 1067. */
const numberForm = /^-?(0|[1-9]\d{0,2}(,\d{3})+|[1-9]\d*)(\.\d+)?$/;
const isNumber = (text: string): boolean =>
  numberForm.test(text) && Math.abs(Number(text.replaceAll(',', ''))) <= Number.MAX_SAFE_INTEGER;
const date = /^\d{4}-\d{2}-\d{2}$/;
const dateTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;
const truth = /^(true|false|yes|no)$/i;

/** So few that people would rather pick than type them. */
const mostChoices = 12;
const longestChoice = 40;

const decimalsOf = (values: readonly string[]): number =>
  Math.min(5, Math.max(0, ...values.map((value) => value.split('.')[1]?.length ?? 0)));

export type FieldGuess = Omit<GuessedTable['fields'][number], 'name'>;

/** What field these texts would be the cells of. */
export const guessField = (values: readonly string[], isPrimary: boolean): FieldGuess => {
  if (values.length === 0) return { type: 'singleLineText' };
  if (values.every(isNumber))
    return { type: 'number', options: { formatting: { type: 'decimal', precision: decimalsOf(values) } } };
  if (values.some((value) => value.includes('\n') || value.length > 100)) return { type: 'longText' };
  if (isPrimary) return { type: 'singleLineText' };
  if (values.every((value) => date.test(value))) return { type: 'date' };
  if (values.every((value) => dateTime.test(value)))
    return { type: 'date', options: { formatting: { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'UTC' } } };
  if (values.every((value) => truth.test(value))) return { type: 'checkbox' };
  const distinct = [...new Set(values)];
  const areChoices =
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

const namesOf = (header: readonly string[], count: number): string[] => {
  const taken = new Set<string>();
  return Array.from({ length: count }, (_item, index) => {
    const wanted = (header[index] ?? '').trim().slice(0, 200) || `Field ${index + 1}`;
    let name = wanted;
    for (let copy = 2; taken.has(name.toLowerCase()); copy += 1) name = `${wanted} ${copy}`;
    taken.add(name.toLowerCase());
    return name;
  });
};

const shownTruth: Record<string, string> = { yes: 'true', no: 'false' };

export const guessFields = ([header = [], ...rows]: readonly (readonly string[])[]): GuessedTable => {
  const names = namesOf(header, Math.max(header.length, ...rows.map((row) => row.length), 1));
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
