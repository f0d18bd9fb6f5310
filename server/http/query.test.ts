import { expect, test } from 'vitest';
import { parseQuery } from './query.ts';

test.each([
  ['', {}],
  ['a=1', { a: '1' }],
  ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
  ['a[]=1', { a: ['1'] }],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a[0]=1&b=x&a[1]=2', { a: ['1', '2'], b: 'x' }],
  ['a=1&a[]=2', { a: ['1', '2'] }],
  ['a[]=1&a=2', { a: ['1', '2'] }],
  ['a[x]=1', { 'a[x]': '1' }],
  ['__proto__=1&a%5B%5D=%20', { ['__proto__']: '1', a: [' '] }],
])('%s', (text, expected) => {
  expect(Object.entries(parseQuery(text)).sort()).toEqual(Object.entries(expected).sort());
});

test('thousands of values of one key are read in their order', () => {
  const values = Array.from({ length: 5_000 }, (_, at) => String(at));
  expect(parseQuery(values.map((value) => `a[${value}]=${value}`).join('&'))).toEqual({ a: values });
  expect(parseQuery(values.map((value) => `a=${value}`).join('&'))).toEqual({ a: values });
});
