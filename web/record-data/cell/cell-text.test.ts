import { expect, test } from 'vitest';
import { cellText } from './cell-text.ts';

test('results are shown as their formatting says, one or several, whatever computes them', () => {
  const options = { formatting: { type: 'currency', precision: 1, symbol: '€' } };
  for (const type of ['formula', 'rollup', 'conditionalRollup', 'count'] as const) {
    expect(cellText({ type, options }, 2)).toBe('€2.0');
    expect(cellText({ type, options }, [2, 3])).toBe('€2.0, €3.0');
  }
});

test('a link is the titles of its records, also of those that are on their way to the server', () => {
  expect(
    cellText({ type: 'link', options: {} }, [
      { id: 'recA', title: 'Alpha' },
      { id: 'recB' },
      { title: 'New' },
      'Typed',
    ]),
  ).toBe('Alpha, Unnamed record, New, Typed');
});
