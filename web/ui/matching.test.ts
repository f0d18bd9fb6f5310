import { expect, test } from 'vitest';
import { matching } from './matching.ts';

test('what is named exactly comes first, then what begins so, each in the order of the list', () => {
  const names = ['Not done', 'Done late', 'done', 'Open', 'Done early'];
  const found = (wanted: string): string[] => matching(names, (name) => name, wanted);
  expect(found('done')).toEqual(['done', 'Done late', 'Done early', 'Not done']);
  expect(found('o')).toEqual(['Open', 'Not done', 'Done late', 'done', 'Done early']);
  expect(found('')).toEqual(names);
  expect(found('x')).toEqual([]);
});
