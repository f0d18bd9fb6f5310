import type { GroupPoint } from '@rowhouse/contract/record.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type GroupRows, groupRows } from './group-rows.ts';
import { type HeldPosition, itemsOf, withHeld } from './row-items.ts';

const header = (id: string, depth: number): GroupPoint => ({ id, type: 0, depth, value: id, isCollapsed: false });
const rows = (count: number): GroupPoint => ({ type: 1, count });

// a (a1: 2, a2: 3), b (b1: 4)
const points = [
  header('a', 0),
  header('a1', 1),
  rows(2),
  header('a2', 1),
  rows(3),
  header('b', 0),
  header('b1', 1),
  rows(4),
];
const items = itemsOf(points, 9);
const path = (...ids: string[]): HeldPosition['around'] => ids.map((id, depth) => ({ id, depth, value: id }));

/** Headers by name, records by place, the one that is held as a star. */
const drawn = (shown: GroupRows): (string | number)[] =>
  Array.from(
    { length: shown.rowCount },
    (_row, row) => shown.headerAt(row)?.id ?? shown.placeAt(row) ?? shown.heldAt(row) ?? '?',
  );

test('headers stand above their records and know how many there are below', () => {
  const shown = groupRows(items, new Set());
  expect(drawn(shown)).toEqual(['a', 'a1', 0, 1, 'a2', 2, 3, 4, 'b', 'b1', 5, 6, 7, 8]);
  expect(shown.headerRows).toEqual([0, 1, 4, 8, 9]);
  expect(shown.headerAt(0)).toMatchObject({ id: 'a', count: 5 });
  expect(shown.headerAt(8)).toMatchObject({ id: 'b', count: 4 });
  expect(shown.placeAt(14)).toBeUndefined();
  expect([0, 2, 8].map(shown.rowOf)).toEqual([2, 5, 13]);
});

test('a collapsed group hides its records and the headers inside, and keeps its count', () => {
  const shown = groupRows(items, new Set(['a']));
  expect(drawn(shown)).toEqual(['a', 'b', 'b1', 5, 6, 7, 8]);
  expect(shown.headerAt(0)).toMatchObject({ id: 'a', count: 5, isCollapsed: true });
  expect(shown.rowOf(2)).toBeUndefined();
  expect(shown.groupsOf(2).map(({ id }) => id)).toEqual(['a', 'a2']);
  expect(shown.rowOf(5)).toBe(3);
});

test('the places of visible rows skip what is collapsed between them', () => {
  expect(groupRows(items, new Set(['a2'])).placesOf(0, 8)).toEqual([
    [0, 1],
    [5, 6],
  ]);
  expect(groupRows(itemsOf([], 0), new Set()).placesOf(0, 50)).toEqual([]);
});

test('a record that is held stays between its neighbours, and is not where the server has it', () => {
  const plain = itemsOf(undefined, 5);
  const at = (held: Partial<HeldPosition>) =>
    drawn(
      groupRows(
        withHeld(plain, {
          recordId: '*',
          place: undefined,
          above: undefined,
          below: undefined,
          around: [],
          index: 0,
          ...held,
        }),
        new Set(),
      ),
    );
  expect(at({ place: 4, above: 0, below: 1 })).toEqual([0, '*', 1, 2, 3]);
  expect(at({ place: 0, above: 2 })).toEqual([1, 2, '*', 3, 4]);
  expect(at({ place: 3, below: 0 })).toEqual(['*', 0, 1, 2, 4]);
  expect(at({ above: 4 })).toEqual([0, 1, 2, 3, 4, '*']);
  expect(at({ index: 2 })).toEqual([0, 1, '*', 2, 3, 4]);
  expect(at({ index: 20 })).toEqual([0, 1, 2, 3, 4, '*']);
  expect(
    drawn(
      groupRows(
        withHeld(itemsOf(undefined, 0), {
          recordId: '*',
          place: undefined,
          above: undefined,
          below: undefined,
          around: [],
          index: 3,
        }),
        new Set(),
      ),
    ),
  ).toEqual(['*']);
});

test('a record that is held stays in its group, also when the group has no other', () => {
  const at = (held: Partial<HeldPosition>, collapsed: string[] = []) =>
    drawn(
      groupRows(
        withHeld(items, {
          recordId: '*',
          place: undefined,
          above: undefined,
          below: undefined,
          around: path('a', 'a2'),
          index: 0,
          ...held,
        }),
        new Set(collapsed),
      ),
    );
  expect(at({ place: 8, above: 2, below: 3 })).toEqual(['a', 'a1', 0, 1, 'a2', 2, '*', 3, 4, 'b', 'b1', 5, 6, 7]);
  // Its neighbour went to another group: it stays in its own.
  expect(at({ place: 8, above: 6, below: 2 })).toEqual(['a', 'a1', 0, 1, 'a2', '*', 2, 3, 4, 'b', 'b1', 5, 6, 7]);
  // The group is gone from the server's list.
  expect(at({ around: path('a', 'a3'), above: 4, below: 5 })).toEqual([
    'a',
    'a1',
    0,
    1,
    'a2',
    2,
    3,
    4,
    'a3',
    '*',
    'b',
    'b1',
    5,
    6,
    7,
    8,
  ]);
  expect(at({ around: path('a', 'a0'), above: undefined, below: 0 })).toEqual([
    'a',
    'a0',
    '*',
    'a1',
    0,
    1,
    'a2',
    2,
    3,
    4,
    'b',
    'b1',
    5,
    6,
    7,
    8,
  ]);
  expect(at({ around: path('aa', 'aa1'), above: 3, below: 5 })).toEqual([
    'a',
    'a1',
    0,
    1,
    'a2',
    2,
    3,
    4,
    'aa',
    'aa1',
    '*',
    'b',
    'b1',
    5,
    6,
    7,
    8,
  ]);
  // A header over nothing but the record itself is not drawn while it is held elsewhere.
  const alone = itemsOf([...points, header('c', 0), header('c1', 1), rows(1)], 10);
  expect(
    drawn(
      groupRows(
        withHeld(alone, { recordId: '*', place: 9, above: 1, below: undefined, around: path('a', 'a1'), index: 0 }),
        new Set(),
      ),
    ),
  ).toEqual(['a', 'a1', 0, 1, '*', 'a2', 2, 3, 4, 'b', 'b1', 5, 6, 7, 8]);
  expect(at({ place: 8, above: 2 }, ['a2'])).toEqual(['a', 'a1', 0, 1, 'a2', 'b', 'b1', 5, 6, 7]);
});

test('new records that the server does not have yet stand one below the other, where they were made', () => {
  const unknown = { place: undefined, above: undefined, below: undefined, around: [], index: 9 };
  const first = withHeld(itemsOf(undefined, 3), { ...unknown, recordId: 'x', above: 0, below: 1 });
  const second = withHeld(first, { ...unknown, recordId: 'y', above: 'x', below: 1 });
  expect(drawn(groupRows(withHeld(second, { ...unknown, recordId: 'z', below: 'x' }), new Set()))).toEqual([
    0,
    'z',
    'x',
    'y',
    1,
    2,
  ]);
  expect(drawn(groupRows(withHeld(second, { ...unknown, recordId: 'z', index: 2 }), new Set()))).toEqual([
    0,
    'x',
    'z',
    'y',
    1,
    2,
  ]);
  const inGroup = withHeld(items, { ...unknown, recordId: 'x', above: 4, around: path('a', 'a3') });
  expect(
    drawn(groupRows(withHeld(inGroup, { ...unknown, recordId: 'y', above: 'x', around: path('a', 'a3') }), new Set())),
  ).toEqual(['a', 'a1', 0, 1, 'a2', 2, 3, 4, 'a3', 'x', 'y', 'b', 'b1', 5, 6, 7, 8]);
  const rowsShown = groupRows(second, new Set());
  expect([rowsShown.rowOfHeld('x'), rowsShown.rowOfHeld('y'), rowsShown.rowOfHeld('z')]).toEqual([1, 2, undefined]);
});

test('whatever is held, every other record is drawn once, in the order of the server, under its header', () => {
  const sizes = fc.array(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 4,
  });
  const place = fc.option(fc.nat(20), { nil: undefined });
  fc.assert(
    fc.property(
      sizes,
      place,
      place,
      place,
      fc.nat(5),
      fc.nat(4),
      fc.nat(12),
      (groups, at, above, below, outer, inner, index) => {
        const given = groups.flatMap((counts, first) => [
          header(`${first}`, 0),
          ...counts.flatMap((count, second) => [header(`${first}.${second}`, 1), rows(count)]),
        ]);
        const total = groups.flat().reduce((sum, count) => sum + count, 0);
        const own = at !== undefined && at < total ? at : undefined;
        const held: HeldPosition = {
          recordId: '*',
          place: own,
          above: above === own ? undefined : above,
          below: below === own ? undefined : below,
          around: path(`${outer}`, `${outer}.${inner}`),
          index,
        };
        const shown = groupRows(withHeld(itemsOf(given, total), held), new Set());
        const places = drawn(shown).filter((item) => typeof item === 'number');
        expect(places).toEqual(
          Array.from({ length: total }, (_item, number) => number).filter((number) => number !== own),
        );
        expect(drawn(shown).filter((item) => item === '*')).toHaveLength(1);
        expect(shown.groupsAt(shown.rowOfHeld('*') as number).map(({ id }) => id)).toEqual([
          `${outer}`,
          `${outer}.${inner}`,
        ]);
        const server = groupRows(itemsOf(given, total), new Set());
        for (const number of places as number[])
          expect(shown.groupsOf(number).map(({ id }) => id)).toEqual(server.groupsOf(number).map(({ id }) => id));
      },
    ),
  );
});
