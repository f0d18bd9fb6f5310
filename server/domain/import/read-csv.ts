// Rows of a text whose values are separated by commas, semicolons, tabs or bars.
import { createCsvParser, separatorOf } from '@rowhouse/contract/parse-csv.ts';
import { createPause } from '../../work/slices.ts';
import { decode } from './decode.ts';

/** Some rows at a time. */
export async function* readCsv(bytes: AsyncIterable<Buffer>): AsyncGenerator<string[][]> {
  const pause = createPause();
  const texts = decode(bytes);
  const first = (await texts.next()).value ?? '';
  const parser = createCsvParser(separatorOf(first));
  yield parser.push(first);
  for await (const text of texts) {
    yield parser.push(text);
    await pause();
  }
  yield parser.end();
}
