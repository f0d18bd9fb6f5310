import { expect, test } from 'vitest';
import type { DateFormatting } from './date-format.ts';
import { readDate } from './read-date.ts';

const plain: DateFormatting = { date: 'YYYY-MM-DD', time: 'None', timeZone: 'UTC' };
const dayFirst = { ...plain, date: 'D/M/YYYY' };
const berlin: DateFormatting = { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'Europe/Berlin' };
// A Wednesday; in Berlin it is Thursday already.
const now = Date.parse('2026-03-04T23:30:00.000Z');
const read = (text: string, formatting = plain): string | undefined =>
  readDate(text, formatting, now)?.replace('T00:00:00.000Z', '');

test('dates are read as they are written', () => {
  expect(
    [
      '2026-03-04',
      '2026/3/4',
      '20260304',
      '4.3.2026',
      '4.3.26',
      '04.03.26',
      '4. 3. 2026',
      '3/4/2026',
      '3/4/26',
      '4 Mar 2026',
      '4 march',
      'Mar 4, 2026',
      'march 4th',
      '4.3.',
      '3/4',
    ].map((text) => read(text)),
  ).toEqual(Array.from({ length: 15 }, () => '2026-03-04'));
  expect(['4/3/2026', '4-3-26', '4/3'].map((text) => read(text, dayFirst))).toEqual(
    Array.from({ length: 3 }, () => '2026-03-04'),
  );
  // A day that cannot be a month is one.
  expect(read('25/3/2026')).toBe('2026-03-25');
  expect(read('3/25/2026', dayFirst)).toBe('2026-03-25');
  expect(['1.1.69', '1.1.70'].map((text) => read(text))).toEqual(['2069-01-01', '1970-01-01']);
});

test('words and steps count from today in the zone of the field', () => {
  expect(
    ['today', 'Tomorrow', 'yesterday', '+3d', '+3', '-2w', '+1m', '+1 year', 'friday', 'wed'].map((text) => read(text)),
  ).toEqual([
    '2026-03-04',
    '2026-03-05',
    '2026-03-03',
    '2026-03-07',
    '2026-03-07',
    '2026-02-18',
    '2026-04-04',
    '2027-03-04',
    '2026-03-06',
    '2026-03-11',
  ]);
  expect(read('today', berlin)).toBe('2026-03-04T23:00:00.000Z');
  expect(readDate('+1m', plain, Date.parse('2026-01-31T12:00:00.000Z'))).toBe('2026-02-28T00:00:00.000Z');
  expect(read('now')).toBe('2026-03-04T23:30:00.000Z');
});

test('a time may follow', () => {
  expect(
    ['2026-07-01 9:30', '1.7.26 09:30', '1 jul 2026, 9:30 am', '2026-07-01T09:30', '7/1/2026 at 9.30'].map((text) =>
      read(text, berlin),
    ),
  ).toEqual(Array.from({ length: 5 }, () => '2026-07-01T07:30:00.000Z'));
  expect(['tomorrow 9pm', '+1d 21:00', 'friday at 9 p.m.'].map((text) => read(text, berlin))).toEqual(
    Array.from({ length: 3 }, () => '2026-03-06T20:00:00.000Z'),
  );
  expect(read('9:30', berlin)).toBe('2026-03-05T08:30:00.000Z');
  expect(read('2026-03-04T09:30:15.250Z')).toBe('2026-03-04T09:30:15.250Z');
  expect(read('2026-03-04T09:30:15+01:00')).toBe('2026-03-04T08:30:15.000Z');
});

test('what is no date is not guessed at', () => {
  expect(
    [
      '',
      'some day',
      '2026-02-30',
      '32.1.2026',
      '13/13/2026',
      '12',
      '2026-03-04 25:00',
      'mar',
      '1.2.3.4',
      '3/4/202',
      '4 foo 2026',
      '99999-01-01',
      '+3x',
      'tomorrow morning',
    ].map((text) => read(text)),
  ).toEqual(Array.from({ length: 14 }, () => undefined));
});
