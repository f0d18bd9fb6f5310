// Rows of a text whose values are separated by commas, semicolons, tabs or bars.
import { ApiError } from '@rowhouse/contract/error.ts';
import { createPause } from '../../work/slices.ts';
import { decode } from './decode.ts';
import { createCsvParser } from './parse-csv.ts';

const separators = [',', '\t', ';', '|'];
const rowsLooked = 20;
const looked = 65_536;

/** Columns of the first rows. None where one has too many: then it is told of when the file is read. */
const countsOf = (beginning: string, delimiter: string): number[] => {
  const parser = createCsvParser(delimiter);
  try {
    return [...parser.push(beginning), ...parser.end()].slice(0, rowsLooked).map((row) => row.length);
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
};

/** The one that makes the most columns in the most regular way. */
export const separatorOf = (beginning: string): string => {
  const scoreOf = (delimiter: string): number => {
    const counts = countsOf(beginning, delimiter);
    const most = Math.max(0, ...counts);
    return most <= 1 ? 0 : most * (counts.filter((count) => count === counts[0]).length / counts.length) ** 2;
  };
  return (
    separators
      .map((separator) => ({ separator, score: scoreOf(separator) }))
      .toSorted((one, other) => other.score - one.score)[0]?.separator ?? ','
  );
};

/** Whole lines: a row that is cut off would look irregular. */
const wholeLines = (text: string): string => {
  if (text.length <= looked) return text;
  const end = text.lastIndexOf('\n', looked);
  return text.slice(0, end < 0 ? looked : end + 1);
};

/** Some rows at a time. */
export async function* readCsv(bytes: AsyncIterable<Buffer>): AsyncGenerator<string[][]> {
  const pause = createPause();
  const texts = decode(bytes);
  const first = (await texts.next()).value ?? '';
  const parser = createCsvParser(separatorOf(wholeLines(first)));
  yield parser.push(first);
  for await (const text of texts) {
    yield parser.push(text);
    await pause();
  }
  yield parser.end();
}
