import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayLength, dayOf, workingTime } from './working-days.ts';

const at = (text: string): number => Date.parse(`${text.length > 10 ? text : `${text}T00:00`}:00.000Z`);
const day = (moment: number): string => new Date(moment).toISOString().slice(0, 16).replace('T00:00', '');

test('weekends and holidays are passed over, forwards and backwards', () => {
  const works = workingTime([1, 2, 3, 4, 5], ['2026-12-25', '2026-12-26', '2026-12-28']);
  // Friday the 25th and Monday the 28th are holidays, the 26th is a Saturday anyway.
  expect(day(works.after(at('2026-12-24'), 2 * dayLength))).toBe('2026-12-30');
  expect(day(works.before(at('2026-12-30'), 2 * dayLength))).toBe('2026-12-24');
  expect(day(works.next(at('2026-12-25T09:00')))).toBe('2026-12-29');
  expect(works.between(at('2026-12-24T12:00'), at('2026-12-29T06:00'))).toBe(0.75 * dayLength);
  // What ends with a Friday ends on it, and what comes next begins on Monday.
  const friday = works.after(at('2026-11-16'), 5 * dayLength);
  expect([day(friday), day(works.next(friday))]).toEqual(['2026-11-21', '2026-11-23']);
});

test('without working days every day counts', () => {
  const all = workingTime([]);
  expect(day(all.after(at('2026-11-20'), 3 * dayLength))).toBe('2026-11-23');
  expect(day(all.next(at('2026-11-22')))).toBe('2026-11-22');
});

const weekdays = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 });
const holidays = fc.array(
  fc.integer({ min: -40, max: 60 }).map((number) => new Date(number * dayLength).toISOString().slice(0, 10)),
  { maxLength: 25 },
);
const moment = fc.integer({ min: -60 * 24, max: 60 * 24 }).map((hour) => hour * 3_600_000);
const length = fc.integer({ min: 0, max: 30 * 24 }).map((hour) => hour * 3_600_000);

test('a day counts exactly if it works, whatever the week and the holidays', () => {
  fc.assert(
    fc.property(weekdays, holidays, moment, length, (week, free, from, long) => {
      const works = workingTime(week, free);
      const free2 = new Set(free);
      const isWork = (number: number): boolean => {
        const date = new Date(number * dayLength);
        return week.includes(date.getUTCDay() || 7) && !free2.has(date.toISOString().slice(0, 10));
      };
      let counted = 0;
      for (let hour = from; hour < from + long; hour += 3_600_000) counted += isWork(dayOf(hour)) ? 3_600_000 : 0;
      expect(works.between(from, from + long)).toBe(counted);
      const until = works.after(from, long);
      expect(works.between(from, until)).toBe(long);
      const since = works.before(from, long);
      expect(works.between(since, from)).toBe(long);
      const next = works.next(from);
      expect(works.isWorking(dayOf(next))).toBe(true);
      expect(works.between(from, next)).toBe(0);
    }),
  );
});
