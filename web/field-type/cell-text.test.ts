import { expect, test } from 'vitest';
import { cellText, shownCell } from './cell-text.ts';

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

test('a lookup of several cells is the texts of each; one cell has the shape of its type', () => {
  const number = { type: 'number', options: { formatting: { type: 'decimal', precision: 1 } } } as const;
  expect(cellText(number, [1, 2.5])).toBe('1.0, 2.5');
  expect(shownCell(number, [1, 2.5])).toEqual({ as: 'text' });
  expect(cellText({ type: 'checkbox', options: {} }, [true, true])).toBe('true, true');
  expect(shownCell({ type: 'checkbox', options: {} }, null)).toEqual({ as: 'tick', isTicked: false });
  expect(shownCell({ type: 'rating', options: { max: 3 } }, 2)).toEqual({ as: 'stars', count: 2, most: 3 });
  const links = [
    { id: 'recA', title: 'Alpha' },
    { id: 'recB', title: 'Beta' },
  ];
  expect(shownCell({ type: 'link', options: {} }, links, 1)).toEqual({
    as: 'pills',
    pills: [{ text: 'Alpha' }],
    left: 1,
  });
});
