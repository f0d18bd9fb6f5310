import { expect, test } from 'vitest';
import { guessColumns } from './guess-columns.ts';

const typeOf = async (...values: string[]): Promise<string | undefined> =>
  (await guessColumns([['x', 'y'], ...values.map((value) => ['', value])]))[1]?.type;

test.each([
  ['number', ['1', '-2.5', '1e3', '1,000', '', '0']],
  ['checkbox', ['true', 'FALSE', '']],
  ['date', ['2024-02-29', '2024/1/2', '2022-11-10 16:00:00', '2024-01-01T00:00:00.000Z']],
  ['number', ['1.000,50', '2.000', '-7']],
  ['number', ['12,5']],
  ['date', ['01.02.2025', '31.12.2025']],
  ['date', ['01/02/2025', '12/31/2025 10:30']],
  ['singleLineText', ['31.02.2025']],
  ['singleLineText', ['13.13.2025']],
  ['singleSelect', ['open', 'done', 'open', 'open', 'done', 'open']],
  ['longText', ['a', 'b\nc']],
  ['singleLineText', ['1', 'a']],
  ['singleLineText', ['']],
  ['singleLineText', []],
  ['singleLineText', ['Item 1', 'Item 2']],
  ['singleLineText', ['room-12']],
  ['singleLineText', ['2024-02-30']],
  ['singleLineText', ['007']],
  ['singleLineText', ['123456789012345678']],
  ['number', ['4006381333931', '-1e300']],
  ['singleLineText', ['1', 'true']],
  ['checkbox', ['yes', 'No']],
  ['checkbox', ['ja', 'Nein', 'ja', '-']],
  ['checkbox', ['oui', 'NON']],
  ['checkbox', ['x', '', 'x']],
  ['checkbox', ['✓', '✗']],
  ['checkbox', ['Y', 'n']],
  ['singleLineText', ['S', 'S']],
  ['singleLineText', ['x']],
  ['singleLineText', ['x', 'y']],
  ['singleLineText', ['none', 'n/a']],
  ['singleLineText', ['+', '-']],
  ['singleLineText', ['ja', 'vielleicht']],
  ['number', ['1', '0', '1']],
  ['longText', ['x'.repeat(101)]],
])('%s: %j', async (type, values) => {
  expect(await typeOf(...values)).toBe(type);
});

test('a name that is made up is no name of another column', async () => {
  expect((await guessColumns([['a', 'a 2', 'a', 'Field 5', '']])).map(({ name }) => name)).toEqual([
    'a',
    'a 2',
    'a 3',
    'Field 5',
    'Field 5 2',
  ]);
});

test('names are trimmed, told apart, and made up where there are none', async () => {
  expect(
    (
      await guessColumns([
        [' a ', '', 'a', 'a'],
        ['1', '2', '3', '4', '5'],
      ])
    ).map(({ name }) => name),
  ).toEqual(['a', 'Field 2', 'a 2', 'a 3', 'Field 5']);
});

test('the first column names records, so it stays text; numbers have the decimals that are there', async () => {
  expect(
    (
      await guessColumns([
        ['day', 'sum'],
        ['2025-01-02', '1.000,5'],
        ['2025-01-03', '2.000,25'],
      ])
    ).map(({ type, options }) => [type, options]),
  ).toEqual([
    ['singleLineText', undefined],
    ['number', { formatting: { type: 'decimal', precision: 2 } }],
  ]);
});
