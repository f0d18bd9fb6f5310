import type { View } from '@rowhouse/contract/view.ts';

export const rowHeights = { short: 34, medium: 56, tall: 90, extraTall: 132 } as const;
export type RowHeight = keyof typeof rowHeights;

export const rowHeightNames: Record<RowHeight, string> = {
  short: 'Short',
  medium: 'Medium',
  tall: 'Tall',
  extraTall: 'Extra tall',
};

export const rowHeightOf = (view: View): RowHeight => {
  const chosen = view.options['rowHeight'];
  return typeof chosen === 'string' && chosen in rowHeights ? (chosen as RowHeight) : 'short';
};
