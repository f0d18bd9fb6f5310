import { expect, test } from 'vitest';
import { shareAddress } from './through-share.ts';

test('questions about records of the table go to the share, with what they ask', () => {
  expect(shareAddress('/api/table/tbl1/record?take=2&skip=4', 'shr1', 'tbl1')).toBe(
    '/api/share/shr1/view/records?take=2&skip=4',
  );
  expect(shareAddress('/api/table/tbl1/aggregation', 'shr1', 'tbl1')).toBe('/api/share/shr1/view/aggregations');
  expect(shareAddress('/api/table/tbl1/aggregation/group-points?viewId=viw1', 'shr1', 'tbl1')).toBe(
    '/api/share/shr1/view/group-points?viewId=viw1',
  );
});

test('everything else goes where it went', () => {
  for (const url of [
    '/api/table/tbl2/record',
    '/api/table/tbl1/record/rec1',
    '/api/table/tbl1/view',
    '/api/base/access/all',
  ])
    expect(shareAddress(url, 'shr1', 'tbl1')).toBe(url);
});
