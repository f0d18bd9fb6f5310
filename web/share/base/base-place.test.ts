import { expect, test, vi } from 'vitest';

test('an address names the table and the view, or neither', async () => {
  vi.stubGlobal('window', { addEventListener: () => undefined });
  const { pathTo, placeIn } = await import('./base-place.ts');
  expect(placeIn('/share/shr1/base')).toEqual({ tableId: undefined, viewId: undefined });
  expect(placeIn('/share/shr1/base/tbl1')).toEqual({ tableId: 'tbl1', viewId: undefined });
  expect(placeIn(pathTo('shr1', 'tbl1', 'viw1'))).toEqual({ tableId: 'tbl1', viewId: 'viw1' });
  expect(placeIn('/share/shr1/view')).toEqual({ tableId: undefined, viewId: undefined });
});
