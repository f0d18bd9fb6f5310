import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromDelimited, readDelimited, toDelimited } from './delimited.ts';

test('cells are read as spreadsheets write them', () => {
  expect(fromDelimited('a\tb\r\nc\td\r\n')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  expect(fromDelimited('"two\nlines"\t"a ""quoted"" word"\tc')).toEqual([['two\nlines', 'a "quoted" word', 'c']]);
  expect(fromDelimited('5" pipe\t"not closed')).toEqual([['5" pipe', '"not closed']]);
  expect(fromDelimited('a\t\n\tb')).toEqual([
    ['a', ''],
    ['', 'b'],
  ]);
  expect(fromDelimited('"a"\t""\tb')).toEqual([['"a"', '""', 'b']]);
  expect(fromDelimited('')).toEqual([['']]);
  expect(fromDelimited('a\n\nb')).toEqual([['a'], [''], ['b']]);
});

test('what is written is read again, whatever it holds', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', ' ', 'ü'), maxLength: 6 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      (width, all) => {
        const rows = all.map((row) => row.slice(0, width));
        expect(fromDelimited(toDelimited(rows))).toEqual(rows);
      },
    ),
  );
});

test('text is read up to a number of cells, and one more', () => {
  expect(fromDelimited('a\tb\nc\td\ne', 3)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  expect(fromDelimited('a\tb\nc', 3)).toEqual([['a', 'b'], ['c']]);
});

test.each([
  ['one cell', 'x'.repeat(3_000_000)],
  ['a cell in quotes', `"${'x\n'.repeat(1_500_000)}"`],
  ['cells', 'a\t'.repeat(200_000)],
])('long text of %s is read in steps, between which others can run', (_what, text) => {
  const steps = readDelimited(text, 1_000_000);
  let [count, step] = [0, steps.next()];
  for (; step.done !== true; step = steps.next()) count += 1;
  expect(count).toBeGreaterThan(8);
  expect(step.value).toEqual(fromDelimited(text));
});
