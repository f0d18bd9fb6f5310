import { validStatistics } from '@rowhouse/contract/aggregation.ts';
import { fieldTypes, kindOf } from '@rowhouse/contract/field.ts';
import { type Condition, validOperators } from '@rowhouse/contract/filter.ts';
import { expect, test } from 'vitest';
import type { FieldSchema } from '../../catalog/table.ts';
import { compile, sql } from '../../db/sql.ts';
import { filterFieldOf } from '../field/field-vo.ts';
import { cellTypeOf, columnOf, fieldTypeOf } from './types.ts';

const field = (type: string): FieldSchema => ({
  id: 'fld',
  name: 'x',
  description: null,
  type,
  options: fieldTypeOf(type).completeOptions(
    type === 'formula' ? { expression: '1' } : type === 'rollup' ? { expression: 'countall({values})' } : {},
    '',
  ),
  dbFieldName: 'x',
  isPrimary: false,
  notNull: false,
  isUnique: false,
  position: 0,
  version: 1,
});

test.each(fieldTypes)(
  '%s: the contract and the server agree on its kind, and it answers every operator and statistic of that kind',
  (type) => {
    const own = field(type);
    const cells = cellTypeOf(own);
    const shown = filterFieldOf(own);
    expect(kindOf(shown)).toBe(cells.kind);
    const operators = validOperators(shown).filter((operator) => operator !== 'isEmpty' && operator !== 'isNotEmpty');
    const valueFor = (operator: string): Condition['value'] => {
      if (cells.kind === 'date') return { mode: operator === 'isWithIn' ? 'pastWeek' : 'today', timeZone: 'UTC' };
      return cells.kind === 'number'
        ? 1
        : cells.kind === 'boolean'
          ? true
          : /Of$|Exactly$/.test(operator)
            ? ['a', 'b']
            : 'a';
    };
    const statements = [
      ...operators.map((operator) =>
        cells.condition(columnOf(own, 'r'), { fieldId: own.id, operator, value: valueFor(operator) }, own, {
          userId: 'usr',
          now: new Date(0),
        }),
      ),
      ...validStatistics(shown).map((statistic) => cells.statistic(statistic, columnOf(own, 'r'), own)),
    ].map((statement) => JSON.stringify([compile(statement).text, compile(statement).values]));
    // Two operators, or two statistics, that make the same statement are a slip; `null` is what an unknown statistic gives.
    expect(new Set(statements).size).toBe(statements.length);
    expect(statements).not.toContain(JSON.stringify(['null', []]));
  },
);

test.each(fieldTypes)('%s: its own cells stay as they are when nothing about it changes', (type) => {
  const own = field(type);
  expect(fieldTypeOf(type).convert(own, cellTypeOf(own), own)).toEqual([]);
});

test('a column is named with its alias, and without one where an index is made on it', () => {
  expect(compile(columnOf(field('number'), 'r')).text).toBe('"r"."x"');
  expect(compile(columnOf(field('autoNumber'))).text).toBe('"__auto_number"');
  expect(compile(cellTypeOf(field('autoNumber')).sortKey(sql`n`, field('autoNumber')).expression).text).toBe('n');
});
