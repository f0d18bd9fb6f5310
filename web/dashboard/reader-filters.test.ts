import type { Field } from '@rowhouse/contract/field.ts';
import { expect, test } from 'vitest';
import { noReaderFilters, readFilters, tableFilters, writeFilters } from './reader-filters.ts';

const stage = { id: 'fldStage', name: 'Stage', type: 'singleSelect', cellValueType: 'string', options: {} } as Field;
const amount = { id: 'fldAmount', name: 'Amount', type: 'number', cellValueType: 'number', options: {} } as Field;
const fieldOf = (_tableId: string, fieldId: string): Field | undefined =>
  [stage, amount].find(({ id }) => id === fieldId);
const offered = [
  {
    id: 'f1',
    name: 'Stage',
    fields: [
      { tableId: 'tbl1', fieldId: 'fldStage' },
      { tableId: 'tbl2', fieldId: 'fldStage' },
      { tableId: 'tbl3', fieldId: 'fldAmount' },
      { tableId: 'tbl4', fieldId: 'fldGone' },
    ],
  },
];
const won = { operator: 'isAnyOf', value: ['Won'] } as const;

test('a choice filters each table that has a field for it', () => {
  expect(tableFilters(offered, { chosen: { f1: { ...won, value: ['Won'] } }, pressed: [] }, fieldOf)).toEqual([
    { tableId: 'tbl1', filter: { conjunction: 'and', filterSet: [{ fieldId: 'fldStage', ...won }] } },
    { tableId: 'tbl2', filter: { conjunction: 'and', filterSet: [{ fieldId: 'fldStage', ...won }] } },
  ]);
});

test('a choice without a value, or of a filter that is gone, filters nothing', () => {
  expect(tableFilters(offered, { chosen: { f1: { operator: 'is', value: null } }, pressed: [] }, fieldOf)).toEqual([]);
  expect(tableFilters([], { chosen: { f1: { operator: 'is', value: 'Won' } }, pressed: [] }, fieldOf)).toEqual([]);
});

test('what was pressed is joined with what was chosen', () => {
  const filter = {
    conjunction: 'and' as const,
    filterSet: [{ fieldId: 'fldAmount', operator: 'is' as const, value: 1 }],
  };
  const all = tableFilters(
    offered,
    { chosen: { f1: { operator: 'is', value: 'Won' } }, pressed: [{ tableId: 'tbl1', label: 'One', filter }] },
    fieldOf,
  );
  expect(all.find(({ tableId }) => tableId === 'tbl1')?.filter.filterSet).toEqual([
    { fieldId: 'fldStage', operator: 'is', value: 'Won' },
    filter,
  ]);
});

test('the address brings back what was chosen, and anything else in it means nothing', () => {
  const filters = { chosen: { f1: { operator: 'is' as const, value: 'Won' } }, pressed: [] };
  expect(readFilters(writeFilters(filters))).toEqual(filters);
  expect(writeFilters(noReaderFilters)).toBeUndefined();
  for (const text of [
    undefined,
    '',
    '{',
    '[]',
    '3',
    '{"chosen":[],"pressed":{"a":1}}',
    '{"chosen":{"f1":7},"pressed":[1]}',
  ])
    expect(readFilters(text)).toEqual(noReaderFilters);
});
