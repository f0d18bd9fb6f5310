import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { expect, test } from 'vitest';
import { atMinutes, blocksOf, endedAt, isTimed, lengthened, movedByMinutes, movedTo } from './hours.ts';

const field = (id: string, time: 'HH:mm' | 'None' = 'HH:mm'): Field =>
  ({
    id,
    name: id,
    type: 'date',
    cellValueType: 'dateTime',
    options: { formatting: { date: 'YYYY-MM-DD', time, timeZone: 'Europe/Berlin' } },
  }) as unknown as Field;
const record = (id: string, start?: string, end?: string): RecordVo =>
  ({
    id,
    fields: { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) },
  }) as unknown as RecordVo;
const fields = { start: field('start'), end: field('end') };
const values = (cells: { field: Field; value: string | null }[]) => cells.map((cell) => [cell.field.id, cell.value]);

test('records that overlap share the width, and the next one has all of it again', () => {
  const blocks = blocksOf(
    fields,
    [
      record('lunch', '2026-11-18T11:00:00.000Z', '2026-11-18T12:00:00.000Z'),
      record('call', '2026-11-18T08:00:00.000Z', '2026-11-18T10:00:00.000Z'),
      record('talk', '2026-11-18T08:30:00.000Z', '2026-11-18T09:00:00.000Z'),
      record('note', '2026-11-18T09:00:00.000Z', '2026-11-18T09:30:00.000Z'),
      record('other day', '2026-11-19T08:00:00.000Z'),
      record('without'),
    ],
    '2026-11-18',
  );
  expect(blocks.map(({ record: { id }, from, until, column, columns }) => [id, from, until, column, columns])).toEqual([
    ['call', 540, 660, 0, 2],
    ['talk', 570, 600, 1, 2],
    ['note', 600, 630, 1, 2],
    ['lunch', 720, 780, 0, 1],
  ]);
});

test('a record over midnight stands on both days, and one that ends at midnight on the first alone', () => {
  const night = record('night', '2026-11-18T21:00:00.000Z', '2026-11-19T01:00:00.000Z');
  const until = record('until', '2026-11-18T21:00:00.000Z', '2026-11-18T23:00:00.000Z');
  const shown = (day: string) =>
    blocksOf(fields, [night, until], day).map((block) => [block.record.id, block.from, block.until, block.endsAfter]);
  expect(shown('2026-11-18')).toEqual([
    ['night', 1_320, 1_440, true],
    ['until', 1_320, 1_440, true],
  ]);
  expect(shown('2026-11-19')).toEqual([['night', 0, 120, false]]);
});

test('without an end it is shown for an hour; a day or more, or an end without a time, is above the hours', () => {
  expect(blocksOf(fields, [record('a', '2026-11-18T08:00:00.000Z')], '2026-11-18')[0]).toMatchObject({
    from: 540,
    until: 600,
  });
  const long = record('long', '2026-11-18T08:00:00.000Z', '2026-11-19T08:00:00.000Z');
  const short = record('short', '2026-11-18T08:00:00.000Z', '2026-11-18T09:00:00.000Z');
  expect([long, short, record('none')].map((one) => isTimed(fields, one))).toEqual([false, true, false]);
  expect(isTimed({ start: fields.start, end: field('end', 'None') }, short)).toBe(false);
});

test('a record that is moved keeps its length, also over a change of the clocks', () => {
  const meeting = record('a', '2026-03-28T08:00:00.000Z', '2026-03-28T09:30:00.000Z');
  expect(values(movedTo(fields, meeting, '2026-03-29', 14 * 60))).toEqual([
    ['start', '2026-03-29T12:00:00.000Z'],
    ['end', '2026-03-29T13:30:00.000Z'],
  ]);
  expect(values(movedByMinutes(fields, meeting, 1, -15))).toEqual([
    ['start', '2026-03-29T06:45:00.000Z'],
    ['end', '2026-03-29T08:15:00.000Z'],
  ]);
  // Beyond midnight, both ways.
  expect(atMinutes(fields.start, '2026-11-18', -30)).toBe('2026-11-17T22:30:00.000Z');
  expect(atMinutes(fields.start, '2026-11-18', 1_440)).toBe('2026-11-18T23:00:00.000Z');
});

test('an end is never before the start', () => {
  const meeting = record('a', '2026-11-18T08:00:00.000Z');
  expect(values(lengthened(fields, meeting, 15))).toEqual([['end', '2026-11-18T09:15:00.000Z']]);
  expect(values(endedAt(fields, meeting, '2026-11-18', 0))).toEqual([['end', '2026-11-18T08:15:00.000Z']]);
  expect(endedAt({ start: fields.start, end: undefined }, meeting, '2026-11-18', 0)).toEqual([]);
});
