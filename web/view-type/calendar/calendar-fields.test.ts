import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { expect, test } from 'vitest';
import { dayOf, movedBy, moveToDay } from './calendar-fields.ts';

const field = (id: string, timeZone = 'UTC'): Field =>
  ({
    id,
    name: id,
    type: 'date',
    cellValueType: 'dateTime',
    options: { formatting: { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone } },
  }) as unknown as Field;

test('a record stands on the day that its field shows, wherever the person is', () => {
  expect(dayOf(field('start', 'Asia/Tokyo'), '2026-11-14T20:00:00.000Z')).toBe('2026-11-15');
  expect(dayOf(field('start'), undefined)).toBeUndefined();
});

test('a record keeps its time of day when it is moved', () => {
  expect(moveToDay(field('start', 'Europe/Berlin'), '2026-07-01T08:30:00.000Z', '2026-12-24')).toBe(
    '2026-12-24T09:30:00.000Z',
  );
  expect(moveToDay(field('start'), '2026-07-01T08:30:15.250Z', '2026-12-24')).toBe('2026-12-24T08:30:15.250Z');
  // Over a change of the clocks, there and back.
  const moved = moveToDay(field('start', 'Europe/Berlin'), '2026-03-28T00:30:09.000Z', '2026-03-30');
  expect([moved, moveToDay(field('start', 'Europe/Berlin'), moved, '2026-03-28')]).toEqual([
    '2026-03-29T23:30:09.000Z',
    '2026-03-28T00:30:09.000Z',
  ]);
  expect(moveToDay(field('start'), undefined, '2026-12-24')).toBe('2026-12-24T00:00:00.000Z');
});

test('both ends of a record move together; one that is not set stays so', () => {
  const fields = { start: field('start'), end: field('end') };
  const record = (cells: Record<string, unknown>): RecordVo => ({ id: 'recA', fields: cells }) as unknown as RecordVo;
  expect(
    movedBy(fields, record({ start: '2026-11-30T10:00:00.000Z', end: '2026-12-02T00:00:00.000Z' }), 2).map(
      ({ field: { id }, value }) => [id, value],
    ),
  ).toEqual([
    ['start', '2026-12-02T10:00:00.000Z'],
    ['end', '2026-12-04T00:00:00.000Z'],
  ]);
  expect(movedBy(fields, record({ start: '2026-11-30T10:00:00.000Z' }), -7).map(({ value }) => value)).toEqual([
    '2026-11-23T10:00:00.000Z',
  ]);
});
