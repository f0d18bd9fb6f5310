import type { Field } from '@rowhouse/contract/field.ts';
import { expect, test } from 'vitest';
import { byDay, moveToDay } from './calendar-fields.ts';

const field = (id: string, timeZone = 'UTC'): Field => ({ id, name: id, type: 'date', cellValueType: 'dateTime', options: { formatting: { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone } } }) as unknown as Field;

test('a record stands on the day that its field shows, wherever the person is', () => {
  const start = field('start', 'Asia/Tokyo');
  const days = byDay({ start, end: undefined }, [{ id: 'recA', fields: { start: '2026-11-14T20:00:00.000Z' } }, { id: 'recB', fields: {} }], '2026-11-01', '2026-11-30');
  expect([...days.keys()]).toEqual(['2026-11-15']);
});

test('a record that lasts several days stands on each of them that is shown', () => {
  const fields = { start: field('start'), end: field('end') };
  const record = { id: 'recA', fields: { start: '2026-10-30T00:00:00.000Z', end: '2026-11-02T00:00:00.000Z' } };
  expect([...byDay(fields, [record], '2026-11-01', '2026-11-30').keys()]).toEqual(['2026-11-01', '2026-11-02']);
  const backwards = { id: 'recB', fields: { start: '2026-11-05T00:00:00.000Z', end: '2026-11-02T00:00:00.000Z' } };
  expect([...byDay(fields, [backwards], '2026-11-01', '2026-11-30').keys()]).toEqual(['2026-11-05']);
});

test('a record keeps its time of day when it is moved', () => {
  expect(moveToDay(field('start', 'Europe/Berlin'), '2026-07-01T08:30:00.000Z', '2026-12-24')).toBe('2026-12-24T09:30:00.000Z');
  expect(moveToDay(field('start'), undefined, '2026-12-24')).toBe('2026-12-24T00:00:00.000Z');
});
