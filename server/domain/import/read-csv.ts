// Rows of a text whose values are separated by commas, semicolons, tabs or bars.
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { parse as parseNow } from 'csv-parse/sync';
import { decode } from './decode.ts';

const options = { relaxColumnCount: true, relaxQuotes: true, skipEmptyLines: true } as const;

const separators = [',', '\t', ';', '|'];
const rowsLooked = 20;
const looked = 65_536;

/** The one that makes the most columns in the most regular way. */
export const separatorOf = (beginning: string): string => {
  const scoreOf = (delimiter: string): number => {
    try {
      const rows = parseNow(beginning, { ...options, delimiter, to: rowsLooked }) as string[][];
      const counts = rows.map((row) => row.length);
      const most = Math.max(0, ...counts);
      return most <= 1 ? 0 : most * (counts.filter((count) => count === counts[0]).length / counts.length) ** 2;
    } catch {
      return 0;
    }
  };
  return separators.map((separator) => ({ separator, score: scoreOf(separator) })).toSorted((one, other) => other.score - one.score)[0]?.separator ?? ',';
};

/** Whole lines: a row that is cut off would look irregular. */
const wholeLines = (text: string): string => {
  if (text.length <= looked) return text;
  const end = text.lastIndexOf('\n', looked);
  return text.slice(0, end < 0 ? looked : end + 1);
};

export async function* readCsv(bytes: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const texts = decode(bytes);
  const first = (await texts.next()).value ?? '';
  async function* all(): AsyncGenerator<string> {
    yield first;
    yield* texts;
  }
  const parser = parse({ ...options, delimiter: separatorOf(wholeLines(first)), maxRecordSize: 16_000_000 });
  const source = Readable.from(all());
  source.on('error', (error) => parser.destroy(error));
  yield* source.pipe(parser) as AsyncIterable<string[]>;
}
