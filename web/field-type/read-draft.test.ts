import type { Field } from '@rowhouse/contract/field.ts';
import { expect, test } from 'vitest';
import { readDraft } from './read-draft.ts';

const field = (type: string, options: object = {}): Field => ({ id: 'fld', type, options }) as unknown as Field;

test('what is typed into a number or a date is read, or stays as it was typed with the reason', () => {
  const number = field('number', { formatting: { type: 'decimal', precision: 1 } });
  expect(readDraft(number, { unparsed: ' 12.5 ' })).toEqual({ ok: true, value: 12.5 });
  expect(readDraft(number, { unparsed: 'many' })).toEqual({
    ok: false,
    reason: '“many” is not a number. Type digits, such as 1234.5.',
  });
  const date = field('date', { formatting: { date: 'D/M/YYYY', time: 'None', timeZone: 'UTC' } });
  expect(readDraft(date, { unparsed: '3/4/2026' })).toEqual({ ok: true, value: '2026-04-03T00:00:00.000Z' });
  expect(readDraft(date, { unparsed: 'some day' })).toMatchObject({
    ok: false,
    reason: expect.stringContaining('“some day” is not a date. Type it like'),
  });
});

test('nothing typed empties the cell, and what an editor has read already is taken as it is', () => {
  expect(readDraft(field('number'), { unparsed: '  ' })).toEqual({ ok: true, value: null });
  expect(readDraft(field('singleSelect'), 'urgent')).toEqual({ ok: true, value: 'urgent' });
  expect(readDraft(field('singleLineText'), undefined)).toEqual({ ok: true, value: null });
});
