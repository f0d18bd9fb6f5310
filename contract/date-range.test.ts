import type { DateMode } from './filter.ts';
import { describe, expect, test } from 'vitest';
import { dateRange } from './date-range.ts';

const formatting = { date: 'YYYY-MM-DD', time: 'None', timeZone: 'UTC' } as const;
// A Wednesday; in Berlin it is already Thursday the 1st of February.
const now = new Date('2024-01-31T23:30:00.000Z');

const range = (
  mode: DateMode,
  timeZone: string,
  more: { numberOfDays?: number; exactDate?: string; at?: Date; date?: string } = {},
) => {
  const { at = now, date = formatting.date, ...operand } = more;
  return dateRange({ mode, timeZone, ...operand }, at, { ...formatting, date });
};

describe('the range of a date condition', () => {
  test('today is the day on the clocks of the time zone', () => {
    expect(range('today', 'UTC')).toEqual({ start: '2024-01-31T00:00:00.000Z', end: '2024-02-01T00:00:00.000Z' });
    expect(range('today', 'Europe/Berlin')).toEqual({
      start: '2024-01-31T23:00:00.000Z',
      end: '2024-02-01T23:00:00.000Z',
    });
    expect(range('today', 'America/Los_Angeles')).toEqual({
      start: '2024-01-31T08:00:00.000Z',
      end: '2024-02-01T08:00:00.000Z',
    });
  });

  test('a day on which the clocks change has 23 or 25 hours', () => {
    expect(range('today', 'Europe/Berlin', { at: new Date('2024-03-31T12:00:00Z') })).toEqual({
      start: '2024-03-30T23:00:00.000Z',
      end: '2024-03-31T22:00:00.000Z',
    });
    expect(range('today', 'Europe/Berlin', { at: new Date('2024-10-27T12:00:00Z') })).toEqual({
      start: '2024-10-26T22:00:00.000Z',
      end: '2024-10-27T23:00:00.000Z',
    });
  });

  test('weeks begin on Monday', () => {
    expect(range('currentWeek', 'UTC')).toEqual({ start: '2024-01-29T00:00:00.000Z', end: '2024-02-05T00:00:00.000Z' });
    expect(range('lastWeek', 'UTC', { at: new Date('2024-02-04T12:00:00Z') })).toEqual({
      start: '2024-01-22T00:00:00.000Z',
      end: '2024-01-29T00:00:00.000Z',
    });
  });

  test('a month from the 31st is the last day of the next month', () => {
    expect(range('oneMonthFromNow', 'UTC')).toEqual({
      start: '2024-02-29T00:00:00.000Z',
      end: '2024-03-01T00:00:00.000Z',
    });
    expect(range('nextMonthPeriod', 'UTC')).toEqual({
      start: '2024-02-01T00:00:00.000Z',
      end: '2024-03-01T00:00:00.000Z',
    });
  });

  test('past and next days count from today, which is among them', () => {
    expect(range('pastNumberOfDays', 'UTC', { numberOfDays: 3 })).toEqual({
      start: '2024-01-28T00:00:00.000Z',
      end: '2024-02-01T00:00:00.000Z',
    });
    expect(range('nextNumberOfDays', 'UTC', { numberOfDays: 0 })).toEqual({
      start: '2024-01-31T00:00:00.000Z',
      end: '2024-02-01T00:00:00.000Z',
    });
    expect(range('pastYear', 'UTC')).toEqual({ start: '2023-01-31T00:00:00.000Z', end: '2024-02-01T00:00:00.000Z' });
  });

  test('exactFormatDate means as much as the field shows', () => {
    const exactDate = '2024-05-06T10:00:00.000Z';
    expect(range('exactFormatDate', 'UTC', { exactDate, date: 'YYYY' })).toEqual({
      start: '2024-01-01T00:00:00.000Z',
      end: '2025-01-01T00:00:00.000Z',
    });
    expect(range('exactFormatDate', 'UTC', { exactDate, date: 'YYYY-MM' })).toEqual({
      start: '2024-05-01T00:00:00.000Z',
      end: '2024-06-01T00:00:00.000Z',
    });
    expect(range('exactFormatDate', 'UTC', { exactDate })).toEqual({
      start: '2024-05-06T00:00:00.000Z',
      end: '2024-05-07T00:00:00.000Z',
    });
  });

  test('the first and the last year stay within what PostgreSQL holds', () => {
    expect(range('exactDate', 'Asia/Tokyo', { exactDate: '0001-01-01T00:00:00.000Z' }).start).toBe('-infinity');
    expect(range('exactDate', 'UTC', { exactDate: '9999-12-31T12:00:00.000Z' }).end).toBe('infinity');
  });
});
