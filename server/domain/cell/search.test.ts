import type { FieldSchema } from '../../catalog/table.ts';
import { expect, test } from 'vitest';
import { cellTypeOf } from './types.ts';

const canMatch = (field: FieldSchema, text: string): boolean => cellTypeOf(field).canMatch(text, field);

const field = (type: string, formatting: object = {}): FieldSchema => ({
  id: 'fld',
  name: 'x',
  description: null,
  type,
  options: { formatting },
  dbFieldName: 'x',
  isPrimary: false,
  notNull: false,
  isUnique: false,
  position: 0,
  version: 1,
});

test('words are not looked for in numbers and dates, figures are', () => {
  const decimal = field('number', { type: 'decimal', precision: 2 });
  expect(canMatch(decimal, 'sun')).toBe(false);
  expect(canMatch(decimal, '-19.0')).toBe(true);
  expect(canMatch(field('number', { type: 'percent', precision: 0 }), '5%')).toBe(true);
  expect(canMatch(field('number', { type: 'currency', precision: 2, symbol: '€' }), '-€1,2')).toBe(true);
  expect(canMatch(field('number', { type: 'currency', precision: 2, symbol: 'kr' }), 'R1')).toBe(true);
  expect(canMatch(field('rating'), '3')).toBe(true);
  expect(canMatch(field('rating'), '3.')).toBe(false);
  expect(canMatch(field('date', { date: 'YYYY-MM-DD' }), 'may')).toBe(false);
  expect(canMatch(field('date', { date: 'D MMM YYYY' }), 'may')).toBe(true);
  expect(canMatch(field('date', { date: 'YYYY-MM-DD', time: 'hh:mm A' }), 'pm')).toBe(true);
  expect(canMatch(field('date', { date: 'YYYY年M月D日' }), '5月')).toBe(true);
  expect(canMatch(field('longText'), 'anything')).toBe(true);
});
