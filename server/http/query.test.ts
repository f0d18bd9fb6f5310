import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { coerceQuery, parseQuery } from './query.ts';

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

test('booleans are read as programs in other languages write them, and ids may be separated by commas', () => {
  const schema = Type.Object({
    flag: Type.Optional(Type.Boolean()),
    recordIds: Type.Optional(Type.Array(Type.String())),
    names: Type.Optional(Type.Array(Type.String())),
  });
  const read = (text: string): unknown => coerceQuery(parseQuery(text), schema);
  expect(['true', 'True', 'TRUE', '1'].map((value) => read(`flag=${value}`))).toEqual(
    Array.from({ length: 4 }, () => ({ flag: true })),
  );
  expect(['false', 'False', '0'].map((value) => read(`flag=${value}`))).toEqual(
    Array.from({ length: 3 }, () => ({ flag: false })),
  );
  expect(read('flag=yes')).toEqual({ flag: 'yes' });
  expect(read('recordIds=a,b&recordIds=c')).toEqual({ recordIds: ['a', 'b', 'c'] });
  expect(read('names=a,b')).toEqual({ names: ['a,b'] });
});
