import type { ChartData } from '@rowhouse/contract/chart-data.ts';
import type { Filter } from '@rowhouse/contract/filter.ts';
import { expect, test } from 'vitest';
import { pickedIn } from './picked.ts';

const is = (fieldId: string, value: string): Filter => ({
  conjunction: 'and',
  filterSet: [{ fieldId, operator: 'is', value }],
});

const data: ChartData = {
  kind: 'groups',
  tableId: 'tbl1',
  measures: [],
  groupedBy: [],
  viewId: 'viw1',
  filter: is('fldRegion', 'North'),
  total: 5,
  isCut: false,
  groups: [
    { value: 'Won', label: 'Won', filter: is('fldStage', 'Won') },
    { value: null, label: '' },
  ],
  series: [{ label: 'Anna', measure: 0, group: { value: 'usr1', label: 'Anna', filter: is('fldOwner', 'usr1') } }],
  values: [[3, 2]],
};

test('a bar stands for what the chart shows, of its group and its series', () => {
  expect(pickedIn(data, 0, 0)).toEqual({
    tableId: 'tbl1',
    viewId: 'viw1',
    label: 'Won · Anna',
    own: { conjunction: 'and', filterSet: [is('fldStage', 'Won'), is('fldOwner', 'usr1')] },
    filter: {
      conjunction: 'and',
      filterSet: [
        is('fldRegion', 'North'),
        { conjunction: 'and', filterSet: [is('fldStage', 'Won'), is('fldOwner', 'usr1')] },
      ],
    },
  });
});

test('a group that no filter describes leads nowhere', () => {
  expect(pickedIn(data, 1, 0)).toBeUndefined();
});

test('a number stands for all records of its chart', () => {
  const number: ChartData = {
    kind: 'number',
    tableId: 'tbl1',
    measures: [],
    groupedBy: [],
    total: 2,
    isCut: false,
    value: 2,
    filter: is('a', 'b'),
  };
  expect(pickedIn(number, 0, 0)).toMatchObject({ label: '', own: null, filter: is('a', 'b') });
});
