// Names and types of columns, from the first rows of a file. The first row always holds the names.
import { columnNames, type FieldGuess, guessField } from '@rowhouse/contract/guess-column.ts';
import { createPause, type Pause } from '../../work/slices.ts';
import { asText } from '../cell/type/text.ts';

interface GuessedColumn extends FieldGuess {
  name: string;
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');

/** A value may be a list of a hundred thousand others. */
const guess = async (given: readonly unknown[], isPrimary: boolean, pause: Pause): Promise<FieldGuess> => {
  if (given.length > 0 && given.every(isTexts)) return { type: 'multipleSelect' };
  const values: string[] = [];
  for (const value of given) {
    const text = asText(value).trim();
    if (text !== '') values.push(text);
    await pause();
  }
  return guessField(values, isPrimary);
};

/** As many columns as the widest row has. */
export const guessColumns = async (rows: readonly (readonly unknown[])[]): Promise<GuessedColumn[]> => {
  const pause = createPause();
  const [header = [], ...values] = rows;
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const columns: GuessedColumn[] = [];
  for (const [at, name] of columnNames(header.map(asText), width).entries()) {
    const given = values.map((row) => row[at] ?? '').filter((value) => value !== '');
    columns.push({ ...(await guess(given, at === 0, pause)), name });
    await pause();
  }
  return columns;
};
