import { chartSchemas } from '@rowhouse/contract/chart.ts';
import type { Chart, ChartType } from '@rowhouse/contract/chart.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { expect, test } from 'vitest';
import { chartOf, draftOf, newDraft, withTable } from './chart-draft.ts';

const field = (
  id: string,
  type: Field['type'],
  cellValueType: Field['cellValueType'],
  more: Partial<Field> = {},
): Field => ({ id, name: id, type, cellValueType, options: {}, ...more }) as Field;

const fields = [
  field('fldName', 'singleLineText', 'string', { isPrimary: true }),
  field('fldCount', 'number', 'number'),
  field('fldAmount', 'number', 'number', { options: { formatting: { type: 'currency', precision: 2, symbol: '€' } } }),
  field('fldStage', 'singleSelect', 'string'),
  field('fldOwner', 'user', 'string'),
  field('fldClosed', 'date', 'dateTime'),
];

const types = Object.keys(chartSchemas) as ChartType[];

test('a new chart sums money by a choice', () => {
  expect(chartOf(newDraft('bar', 'tbl1', fields))).toMatchObject({
    type: 'bar',
    tableId: 'tbl1',
    group: { fieldId: 'fldStage' },
    measures: [{ statistic: 'sum', fieldId: 'fldAmount' }],
  });
  const bare = newDraft('bar', 'tbl1', fields.slice(0, 1));
  expect(chartOf(bare)).toMatchObject({ group: { fieldId: 'fldName' }, measures: [{ statistic: 'count' }] });
});

test.each(types.filter((type) => type !== 'text'))(
  'a new %s begins complete, and comes back as it was saved',
  (type) => {
    const chart = chartOf(newDraft(type, 'tbl1', fields));
    expect(chart?.type).toBe(type);
    expect(chartOf(draftOf(chart as Chart, fields))).toEqual(chart);
  },
);

test('trying another type and coming back loses nothing', () => {
  const draft = {
    ...newDraft('bar', 'tbl1', fields),
    split: { fieldId: 'fldOwner' },
    look: { horizontal: true, xTitle: '', labels: false },
  };
  const before = chartOf(draft);
  expect(before).toMatchObject({ look: { horizontal: true } });
  expect(Object.keys(before?.look ?? {})).toEqual(['horizontal']);
  expect(chartOf({ ...draft, type: 'pie' })).not.toHaveProperty('split');
  expect(chartOf({ ...draft, type: 'bar' })).toEqual(before);
});

test('with a split there is one measure', () => {
  const draft = {
    ...newDraft('line', 'tbl1', fields),
    measures: [{ statistic: 'count' as const }, { statistic: 'sum' as const, fieldId: 'fldAmount' }],
    split: { fieldId: 'fldOwner' },
  };
  expect(chartOf(draft)).toMatchObject({ measures: [{ statistic: 'count' }] });
});

test('what is missing is not sent', () => {
  expect(chartOf(newDraft('scatter', 'tbl1', fields.slice(0, 1)))).toBeUndefined();
  expect(chartOf(newDraft('text', '', []))).toBeUndefined();
  expect(chartOf(newDraft('bar', '', []))).toBeUndefined();
});

test('another table keeps how it looks and nothing of its fields', () => {
  const draft = { ...newDraft('bar', 'tbl1', fields), viewId: 'viw1', look: { donut: true } };
  expect(withTable(draft, 'tbl2', fields.slice(0, 1))).toMatchObject({
    tableId: 'tbl2',
    viewId: null,
    look: { donut: true },
    group: { fieldId: 'fldName' },
  });
});
