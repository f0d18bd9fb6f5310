import { expect, test } from 'vitest';
import { createCsvParser } from './parse-csv.ts';

const parsed = (text: string, delimiter: string, sizes: () => number): string[][] => {
  const parser = createCsvParser(delimiter);
  const rows: string[][] = [];
  for (let at = 0; at < text.length; ) {
    const size = sizes();
    rows.push(...parser.push(text.slice(at, at + size)));
    at += size;
  }
  return [...rows, ...parser.end()];
};

const below = (limit: number): number => Math.floor(Math.random() * limit);
const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;

test('what was written as RFC 4180 says is read back, wherever it is cut', () => {
  for (let round = 0; round < 300; round += 1) {
    const [delimiter, end] = [pick([',', ';', '\t', '|']), pick(['\n', '\r\n'])];
    const cell = (): string =>
      Array.from({ length: below(5) }, () =>
        pick(['a', 'é🙂', '"', ',', ';', '\t', '|', '\n', '\r\n', ' ', '\\']),
      ).join('');
    const rows = Array.from({ length: 1 + below(8) }, () => Array.from({ length: 1 + below(4) }, cell)).filter(
      (row) => row.length > 1 || row[0] !== '',
    );
    const written = (text: string): string =>
      /["\r\n]/.test(text) || text.includes(delimiter) || Math.random() < 0.2
        ? `"${text.replaceAll('"', '""')}"`
        : text;
    const text = rows.map((row) => row.map(written).join(delimiter)).join(end) + pick(['', end]);
    expect([text, parsed(text, delimiter, () => 1 + below(9))]).toEqual([text, rows]);
  }
});

test.each([
  [
    'a"b,c\nd,e"\n',
    [
      ['a"b', 'c'],
      ['d', 'e"'],
    ],
  ],
  ['"a"b,c\nd\n', [['"a"b', 'c'], ['d']]],
  ['5" pipe,"x, y"\n', [['5" pipe', 'x, y']]],
  ['""\n', [['']]],
  ['"",""\n', [['', '']]],
  ['a,\n,b\n\n\nc\n', [['a', ''], ['', 'b'], ['c']]],
  ['"a\nb",c', [['a\nb', 'c']]],
])('quotes where none belong, and nothing between separators: %j', (text, rows) => {
  for (const size of [1, 3, 100]) expect(parsed(text, ',', () => size)).toEqual(rows);
});

test('lines that end with CR alone, and a quote that is never closed', () => {
  expect(parsed('a,b\rc,d\r', ',', () => 2)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  expect(parsed('a,"b\nc', ',', () => 2)).toEqual([['a', 'b\nc']]);
  const parser = createCsvParser(',');
  parser.push('a,"');
  expect(() => Array.from({ length: 3 }, () => parser.push('b\n'.repeat(2_000_000)))).toThrow(
    'a quote was not closed, or a row has more than 8000000 characters',
  );
  const endless = createCsvParser(',');
  expect(() => Array.from({ length: 3 }, () => endless.push('b'.repeat(4_000_000)))).toThrow(
    'a row has more than 8000000 characters',
  );
});

test('quotes by the million are read, wherever they are cut', () => {
  for (const count of [99_998, 100_000, 100_002])
    expect(parsed(`a,"${'"'.repeat(count)}x",b\n`, ',', () => 7_001)).toEqual([
      ['a', `${'"'.repeat(count / 2)}x`, 'b'],
    ]);
});

test('a row of more columns than a file may have is refused, with quotes and without', () => {
  expect(parsed(`${','.repeat(1_999)}\n`, ',', () => 500)[0]).toHaveLength(2_000);
  for (const row of [','.repeat(2_000), `""${','.repeat(2_000)}`])
    expect(() => parsed(`${row}\n`, ',', () => 500)).toThrow('a row has more than 2000 columns');
});
