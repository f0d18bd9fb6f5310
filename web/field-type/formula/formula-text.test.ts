import { expect, test } from 'vitest';
import { completionAt, formulaParts, functionAt, withFieldNames } from './formula-text.ts';

const fields = [
  { id: 'fld1111111111111111', name: 'Price' },
  { id: 'fld2222222222222222', name: 'a}b' },
];

test('parts of a formula are told apart, and are all of it', () => {
  const text = 'IF({Price} > 1.5, "a, {b}", /* no */ \'x';
  const parts = formulaParts(text);
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.filter(({ kind }) => kind !== 'plain').map(({ kind, text: own }) => [kind, own])).toEqual([
    ['function', 'IF'],
    ['field', '{Price}'],
    ['number', '1.5'],
    ['text', '"a, {b}"'],
    ['comment', '/* no */'],
    ['text', "'x"],
  ]);
});

test('ids become names, except those of fields that are gone and what stands in texts', () => {
  expect(
    withFieldNames(
      '{fld1111111111111111} & {fld2222222222222222} & {fld3333333333333333} & "{fld1111111111111111}"',
      fields,
    ),
  ).toBe('{Price} & {a\\}b} & {fld3333333333333333} & "{fld1111111111111111}"');
});

test('fields and functions are completed where they can stand', () => {
  expect(completionAt('1 + {Pr', 7, fields)).toMatchObject({
    end: 7,
    suggestions: [{ label: 'Price', start: 4, insert: '{Price}' }],
  });
  expect(completionAt('1 + rou', 7, fields)?.suggestions.map(({ insert }) => insert)).toEqual([
    'ROUND()',
    'ROUNDUP()',
    'ROUNDDOWN()',
  ]);
  expect(completionAt('1 + pri', 7, fields)?.suggestions[0]).toMatchObject({ insert: '{Price}' });
  expect(completionAt('"rou', 4, fields)).toBeUndefined();
  expect(completionAt('{Price}', 7, fields)).toBeUndefined();
});

test('a name of several words takes the place of all of them, and may have any letters', () => {
  const named = [{ name: 'Client' }, { name: 'Client revenue' }, { name: 'Größe' }];
  const complete = (text: string): string[] | undefined =>
    completionAt(text, text.length, named)?.suggestions.map(({ start, insert }) => text.slice(0, start) + insert);
  expect(complete('2 * client rev')?.[0]).toBe('2 * {Client revenue}');
  expect(complete('{Client} & client rev')?.[0]).toBe('{Client} & {Client revenue}');
  expect(complete('2 * reven')?.[0]).toBe('2 * {Client revenue}');
  expect(complete('clie')).toEqual(['{Client}', '{Client revenue}']);
  expect(complete('xclient rev')?.[0]).toBe('xclient {Client revenue}');
  expect(complete('2 * grö')).toEqual(['2 * {Größe}']);
});

test('the function around the cursor is known', () => {
  expect(functionAt('ROUND(SUM(1, 2), ', 17)?.name).toBe('ROUND');
  expect(functionAt('ROUND(SUM(1, 2', 14)?.name).toBe('SUM');
  expect(functionAt('1 + ', 4)).toBeUndefined();
});
