import { dayLength } from '@rowhouse/contract/working-days.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wayOf } from './draw-arrows.ts';
import { pictureSize } from './picture.ts';
import { leastScale, levels, mostScale, steppedScale, tickName, ticksOf, unitsAt } from './scale.ts';

const at = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

test('from hours to years time is divided so that every line has room for its name', () => {
  expect(levels.map(({ pxPerDay }) => unitsAt(pxPerDay))).toEqual([
    { minor: 'hour', major: 'day' },
    { minor: 'day', major: 'month' },
    { minor: 'week', major: 'month' },
    { minor: 'month', major: 'year' },
    { minor: 'quarter', major: 'year' },
    { minor: 'year', major: 'decade' },
  ]);
  expect([steppedScale(16, 1), steppedScale(16, -1), steppedScale(20, 1), steppedScale(0.25, -1)]).toEqual([
    48, 4.5, 48, 0.125,
  ]);
});

test('weeks begin on Mondays, quarters with January, decades with their round year', () => {
  const day = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
  expect(ticksOf('week', at('2026-11-18'), at('2026-11-25')).map(day)).toEqual([
    '2026-11-16',
    '2026-11-23',
    '2026-11-30',
  ]);
  expect(ticksOf('quarter', at('2026-02-01'), at('2026-05-01')).map(day)).toEqual([
    '2026-01-01',
    '2026-04-01',
    '2026-07-01',
  ]);
  expect(ticksOf('decade', at('0042-01-01'), at('0043-01-01')).map(day)).toEqual(['0040-01-01', '0050-01-01']);
  expect([tickName('quarter', at('2026-04-01'), false), tickName('decade', at('2020-01-01'), true)]).toEqual([
    'Q2',
    '2020s',
  ]);
});

test('at every scale and time, lines enclose what is in sight, in order, and not too many', () => {
  fc.assert(
    fc.property(
      fc.double({ min: Math.log(leastScale), max: Math.log(mostScale), noNaN: true }),
      fc.integer({ min: at('0001-01-01'), max: at('9990-01-01') }),
      (scale, from) => {
        const pxPerDay = Math.exp(scale);
        const until = from + (1_500 / pxPerDay) * dayLength;
        const { minor, major } = unitsAt(pxPerDay);
        for (const unit of [minor, major]) {
          const ticks = ticksOf(unit, from, until);
          expect(ticks[0]).toBeLessThanOrEqual(from);
          expect(ticks.at(-1)).toBeGreaterThanOrEqual(until);
          expect(ticks.toSorted((one, other) => one - other)).toEqual(ticks);
          expect(ticks.length).toBeLessThan(80);
        }
      },
    ),
  );
});

test('a picture holds all of its time, and as many rows as a picture can', () => {
  const year = { start: at('2026-01-01'), end: at('2027-01-01') };
  expect(pictureSize(year, dayLength / 16, 20, 200)).toEqual({
    width: 200 + 365 * 16,
    height: 46 + 20 * 32 + 8,
    msPerPx: dayLength / 16,
    rows: 20,
    ratio: 2,
  });
  const long = pictureSize({ start: at('1900-01-01'), end: at('2100-01-01') }, dayLength / 1_000, 9_000, 0);
  expect([long.width, long.rows, long.ratio]).toEqual([12_000, 300, 1]);
  expect(long.msPerPx * 12_000).toBeCloseTo(at('2100-01-01') - at('1900-01-01'));
});

test('an arrow goes straight on where there is room, and around both bars where there is none', () => {
  expect(wayOf({ x: 10, y: 16 }, { x: 60, y: 48 }).map(({ x, y }) => [x, y])).toEqual([
    [10, 16],
    [51, 16],
    [51, 48],
    [60, 48],
  ]);
  expect(wayOf({ x: 60, y: 48 }, { x: 20, y: 16 }).map(({ x, y }) => [x, y])).toEqual([
    [60, 48],
    [69, 48],
    [69, 32],
    [11, 32],
    [11, 16],
    [20, 16],
  ]);
});
