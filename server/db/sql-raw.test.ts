// What goes into a statement as it is: constants that the compiler knows, and text of a file in a known form.
import { expect, test } from 'vitest';
import { compile, sql } from './sql.ts';

const some = (text: string): string => text;

test('only constants are taken as they are: anything else does not compile', () => {
  const direction: 'asc' | 'desc' = Math.random() < 2 ? 'asc' : 'desc';
  expect(compile(sql`order by x ${sql.raw(direction)} ${sql.raw('nulls last')}`).text).toBe(
    'order by x asc nulls last',
  );
  // @ts-expect-error text of which nothing is known
  sql.raw(some('x'));
  // @ts-expect-error text of which only the beginning is known
  sql.raw(`x${some('y')}` as const);
  // @ts-expect-error options as they stand in the catalogue
  sql.raw({ precision: '0)' }['precision'] as string);
});

test('text of a file has to be of its form from beginning to end', () => {
  expect(compile(sql.matching('12', /^\d+$/)).text).toBe('12');
  expect(() => sql.matching('12; drop', /^\d+$/)).toThrow('of a known form');
  expect(() => sql.matching('12', /\d+/)).toThrow('of a known form');
});
