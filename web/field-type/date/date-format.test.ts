import { expect, test } from 'vitest';
import { type DateFormatting, datePatternOf, formatDate, fromInput, toInput } from './date-format.ts';

const berlin: DateFormatting = { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'Europe/Berlin' };

test('an instant is shown in the time zone of its field', () => {
  expect(formatDate('2024-01-31T23:30:00.000Z', berlin)).toBe('2024-02-01 00:30');
  expect(formatDate('2024-07-01T12:05:00.000Z', { ...berlin, date: 'D MMMM YYYY', time: 'hh:mm A' })).toBe(
    '1 July 2024 02:05 PM',
  );
  expect(formatDate('2024-07-01T12:05:00.000Z', { ...berlin, time: 'None', timeZone: 'UTC' })).toBe('2024-07-01');
});

test('a date that is typed comes back as it was typed, on both sides of the clock change', () => {
  for (const text of ['2024-03-30T12:00', '2024-03-31T12:00', '2024-10-27T12:00', '2024-12-24T00:00']) {
    expect(toInput(fromInput(text, berlin) as string, berlin)).toBe(text);
  }
  expect(fromInput('2024-06-01', { ...berlin, time: 'None' })).toBe('2024-05-31T22:00:00.000Z');
  expect(fromInput('', berlin)).toBeNull();
});

test('a day whose midnight the clocks skip, and a year below 100, come back as they were typed', () => {
  const inZone = (timeZone: string): DateFormatting => ({ date: 'YYYY-MM-DD', time: 'None', timeZone });
  for (const [timeZone, text] of [
    ['America/Santiago', '2024-09-08'],
    ['America/Havana', '2024-03-10'],
    ['Atlantic/Azores', '2024-03-31'],
    ['America/Sao_Paulo', '2018-11-04'],
    ['Europe/Berlin', '0050-06-01'],
  ] as const) {
    expect(toInput(fromInput(text, inZone(timeZone)) as string, inZone(timeZone))).toBe(text);
  }
});

test('a new field shows dates as the language of the person writes them', () => {
  expect(['en-US', 'en-GB', 'de-DE', 'sv-SE', 'ja-JP', 'fr-FR'].map(datePatternOf)).toEqual([
    'MM/DD/YYYY',
    'DD/MM/YYYY',
    'DD.MM.YYYY',
    'YYYY-MM-DD',
    'YYYY/MM/DD',
    'DD/MM/YYYY',
  ]);
});
