import { expect, test } from 'vitest';
import { guessColumns } from './guess-columns.ts';

const typeOf = async (...values: string[]): Promise<string | undefined> =>
  (await guessColumns([['x'], ...values.map((value) => [value])]))[0]?.type;

test.each([
  ['number', ['1', '-2.5', '1e3', '1,000', '', '0']],
  ['checkbox', ['true', 'FALSE', '']],
  ['date', ['2024-02-29', '2024/1/2', '2022-11-10 16:00:00', '2024-01-01T00:00:00.000Z']],
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
