import { workingTime } from '@rowhouse/contract/working-days.ts';
import { expect, test } from 'vitest';
import { type CalendarFile, type CalendarRecord, eventOf } from './calendar.ts';

const calendar: CalendarFile = {
  name: 'Plan',
  timeZone: 'UTC',
  works: workingTime([1, 2, 3, 4, 5], ['2024-03-04']),
  startFieldId: 'fld1',
  host: 'example.com',
  urlOf: (id) => `https://example.com/?record=${id}`,
};
const event = (title: string, lines: string[] = []): CalendarRecord => ({
  id: 'rec1',
  created: '20240229T000000Z',
  changed: '20240229T000000Z',
  start: '20240229',
  end: null,
  title,
  lines,
});
const unfolded = (pieces: string[]): string[] => pieces.join('').replaceAll('\r\n ', '').split('\r\n');

test('a long text comes in pieces, in lines of 75 bytes at most, with no character cut in two', () => {
  // One character in front: pieces and lines end within characters of four bytes.
  for (const title of [`a${'😀'.repeat(80_000)}`, `${';ä'.repeat(100_000)}\r\n`, `${'a'.repeat(65_535)}\r\nb`]) {
    const pieces = [...eventOf(calendar, event(title))];
    for (const line of pieces.join('').split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(pieces.filter((piece) => piece.length > 200_000)).toEqual([]);
    expect(unfolded(pieces)).toContain(
      `SUMMARY:${title.replaceAll(/[;,\\]/g, (found) => `\\${found}`).replaceAll('\r\n', '\\n')}`,
    );
  }
});

test('no text of a record begins a line of the calendar', () => {
  const evil = 'x\r\nEND:VEVENT\rBEGIN:VEVENT\nATTENDEE:mailto:a@example.com\u2028\u0085\u000b\u0000 end';
  const lines = unfolded([...eventOf(calendar, event(evil, [`Note: ${evil}`]))]);
  expect(lines.map((line) => line.split(/[:;]/)[0])).toEqual([
    'BEGIN',
    'UID',
    'DTSTAMP',
    'CREATED',
    'LAST-MODIFIED',
    'DTSTART',
    'SUMMARY',
    'DESCRIPTION',
    'URL',
    'TRANSP',
    'END',
    '',
  ]);
});

test('what lasts for working days ends behind them', () => {
  const linesOf = (start: string, days: number, timeZone = 'UTC'): string[] =>
    unfolded([...eventOf({ ...calendar, timeZone }, { ...event('Build'), start, days })]).filter((line) =>
      line.startsWith('DTEND'),
    );
  // A Thursday; a weekend and a holiday lie between.
  expect(linesOf('20240229', 3)).toEqual(['DTEND;VALUE=DATE:20240306']);
  expect(linesOf('20240229', 0.5)).toEqual(['DTEND;VALUE=DATE:20240301']);
  // Nine in the morning in Berlin, two days on, over the change of the clocks.
  expect(linesOf('20240329T080000Z', 2, 'Europe/Berlin')).toEqual(['DTEND:20240402T070000Z']);
  expect(linesOf('99991229', 3_000_000)).toEqual([]);
});
