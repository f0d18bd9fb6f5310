import type { Condition, FilterGroup } from '@rowhouse/contract/filter.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeCells, mergeFilters, mergeLists, mergeOptions, mergeSort } from './merge-changes.ts';

const letters = (before: string, mine: string, now: string): string =>
  mergeLists([...before], [...mine], [...now], { keyOf: (letter) => letter }).join('');

test('what two people did to one list is all there', () => {
  expect(letters('ab', 'abx', 'aby')).toBe('abyx');
  expect(letters('ab', 'axb', 'aby')).toBe('axby');
  expect(letters('abc', 'ac', 'abcy')).toBe('acy');
  expect(letters('abc', 'abcx', 'ac')).toBe('acx');
  expect(letters('abc', 'cab', 'abcy')).toBe('caby');
  expect(letters('', 'x', 'y')).toBe('yx');
  expect(letters('', 'x', 'x')).toBe('x');
  expect(letters('abc', '', 'abyc')).toBe('y');
});

test('a list that nobody else has changed becomes what was sent, and one that was not changed stays what it is', () => {
  const list = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 6 }).map((items) => items.join(''));
  fc.assert(
    fc.property(list, list, (one, other) => {
      expect([...letters(one, other, one)].sort()).toEqual([...other].sort());
      expect(letters(one, one, other)).toBe(other);
    }),
  );
});

test('conditions of a filter are kept apart, changed ones too, and groups are merged inside', () => {
  const is = (fieldId: string, value: string): Condition => ({ fieldId, operator: 'is', value });
  const all = (...filterSet: FilterGroup['filterSet']): FilterGroup => ({ conjunction: 'and', filterSet });
  expect(mergeFilters(all(is('a', '1')), all(is('a', '1'), is('b', '1')), all(is('a', '1'), is('c', '1')))).toEqual(
    all(is('a', '1'), is('c', '1'), is('b', '1')),
  );
  expect(mergeFilters(all(is('a', '1')), all(is('a', '12')), all(is('a', '1'), is('c', '1')))).toEqual(
    all(is('a', '12'), is('c', '1')),
  );
  expect(mergeFilters(all(is('a', '1')), all(is('a', '12')), all(is('a', '13')))).toEqual(all(is('a', '12')));
  expect(mergeFilters(all(all(is('a', '1'))), all(all(is('a', '1'), is('b', '1'))), all(all(is('a', '2'))))).toEqual(
    all(all(is('a', '2'), is('b', '1'))),
  );
  expect(
    mergeFilters(all(is('a', '1')), { ...all(is('a', '1')), conjunction: 'or' }, all(is('a', '1'), is('c', '1'))),
  ).toEqual({ conjunction: 'or', filterSet: [is('a', '1'), is('c', '1')] });
});

test('a field is sorted by once', () => {
  const by = (fieldId: string, order: 'asc' | 'desc' = 'asc') => ({ fieldId, order });
  expect(mergeSort([by('a')], [by('a'), by('b', 'desc')], [by('a'), by('b')])).toEqual([by('a'), by('b')]);
  expect(mergeSort([by('a')], [by('b')], [by('a'), by('c')])).toEqual([by('b'), by('c')]);
  expect(mergeSort([by('a')], [], [by('a'), by('c')])).toEqual([by('c')]);
});

test('choices that somebody else has added, renamed or removed are as they left them', () => {
  const [open, done, late] = [
    { id: 'o', name: 'open' },
    { id: 'd', name: 'done' },
    { id: 'l', name: 'late' },
  ];
  const merge = (mine: object[], now: object[]): unknown =>
    mergeOptions({ choices: [open, done] }, { choices: mine }, { choices: now })['choices'];
  expect(merge([open, done, { name: 'mine' }], [open, done, late])).toEqual([open, done, late, { name: 'mine' }]);
  expect(merge([{ ...open, name: 'begun' }, done], [open, { ...done, name: 'finished' }])).toEqual([
    { id: 'o', name: 'begun' },
    { id: 'd', name: 'finished' },
  ]);
  expect(merge([open], [open, done, late])).toEqual([open, late]);
  expect(merge([open, done, { name: 'late' }], [open, done, late])).toEqual([open, done, late]);
  expect(merge([open, done, { name: 'mine' }], [done])).toEqual([done, { name: 'mine' }]);
  expect(mergeOptions({ a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 3, c: 4 })).toEqual({ a: 2, b: 3, c: 4 });
});

test('in a cell with several things what both added is there, what either removed is not, and titles are the newest', () => {
  const cell = (names: string): { id: string }[] => [...names].map((id) => ({ id }));
  const merged = (before: string, mine: string, now: string): string | null =>
    (mergeCells(cell(before), cell(mine), cell(now)) as { id: string }[] | null)?.map(({ id }) => id).join('') ?? null;
  expect(merged('', 'a', 'b')).toBe('ba');
  expect(merged('ab', 'abx', 'aby')).toBe('abyx');
  expect(merged('ab', 'b', 'abc')).toBe('bc');
  expect(merged('a', '', 'c')).toBe('c');
  expect(merged('a', '', 'a')).toBeNull();
  // Nobody else changed it: one's own order counts.
  expect(merged('abc', 'cba', 'abc')).toBe('cba');
  expect(
    mergeCells(
      [{ id: 'a', title: 'Old' }],
      [{ id: 'a', title: 'Old' }, { id: 'b' }],
      [{ id: 'a', title: 'New' }, { id: 'c' }],
    ),
  ).toEqual([{ id: 'a', title: 'New' }, { id: 'c' }, { id: 'b' }]);
  expect(mergeCells(['x'], ['x', 'y'], ['x', 'z'])).toEqual(['x', 'z', 'y']);
  // A file gets its id when it is written.
  expect(mergeCells(null, [{ token: 't' }, { token: 'u' }], [{ id: 'act1', token: 't' }])).toEqual([
    { id: 'act1', token: 't' },
    { token: 'u' },
  ]);
});
