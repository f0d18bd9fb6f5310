import { expect, test } from 'vitest';
import { chooseJobs, type FreeSlots, hasToGiveWay } from './choose-jobs.ts';

const slots = (more: Partial<FreeSlots> = {}): FreeSlots => ({
  free: 2,
  freeForWhole: 1,
  keepsSlot: (kind) => kind === 'whole',
  room: new Map([
    ['import', 5],
    ['fill', 1],
    ['whole', 5],
  ]),
  running: new Map(),
  lastTurn: new Map(),
  ...more,
});
const job = (id: string, kind = 'import') => ({ id, kind, space: id[0] as string });
const ids = (chosen: { id: string }[]): string[] => chosen.map(({ id }) => id);

test('slots go to spaces by turns: the one with the fewest first, then the one whose last turn is longest ago', () => {
  expect(ids(chooseJobs([job('a1'), job('a2'), job('b1')], slots()))).toEqual(['a1', 'b1']);
  expect(ids(chooseJobs([job('a1'), job('b1'), job('c1')], slots({ running: new Map([['a', 1]]) })))).toEqual([
    'b1',
    'c1',
  ]);
  expect(
    ids(
      chooseJobs(
        [job('a1'), job('b1'), job('c1')],
        slots({
          lastTurn: new Map([
            ['a', 3],
            ['b', 2],
          ]),
        }),
      ),
    ),
  ).toEqual(['c1', 'b1']);
  expect(ids(chooseJobs([job('a1'), job('a2')], slots()))).toEqual(['a1', 'a2']);
});

test('a kind has no more than its room, and what keeps its slot until it ends leaves one to others', () => {
  expect(ids(chooseJobs([job('a1', 'fill'), job('b1', 'fill'), job('c1')], slots()))).toEqual(['a1', 'c1']);
  expect(ids(chooseJobs([job('a1', 'whole'), job('b1', 'whole')], slots()))).toEqual(['a1']);
});

test('a job gives way to a space that has fewer slots, and to none that has as many', () => {
  const running = new Map([['a', 1]]);
  const now = slots({
    free: 1,
    running,
    lastTurn: new Map([
      ['a', 9],
      ['b', 8],
    ]),
  });
  expect(hasToGiveWay(job('a1'), [job('a2'), job('b1')], now)).toBe(true);
  expect(hasToGiveWay(job('a1'), [job('a2')], now)).toBe(false);
  expect(
    hasToGiveWay(
      job('a1'),
      [job('b1')],
      slots({ free: 1, running: new Map([['b', 1]]), lastTurn: new Map([['a', 9]]) }),
    ),
  ).toBe(false);
  expect(hasToGiveWay(job('a1'), [], now)).toBe(false);
});
