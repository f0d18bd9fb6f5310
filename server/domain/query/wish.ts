// What a query would be quicker with. A wish names fields, so that it still means the same after a rename or a conversion: asked-index.ts says which index serves it.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { demands, selective } from './demand.ts';

export interface IndexKey {
  fieldId: string;
  as: 'group' | 'sort' | 'filter';
  order: 'asc' | 'desc';
}

/** The keys of one index, the most significant first. */
export type IndexWish = readonly IndexKey[];

interface Ordered {
  field: { id: string };
  order: 'asc' | 'desc';
}

/** Longer orders differ in what hardly matters. */
const maxKeys = 6;

/** An index for the order, and one for each condition. */
export const wishesOf = (
  levels: readonly Ordered[],
  sorted: readonly Ordered[],
  filters: readonly (FilterGroup | null)[],
): IndexWish[] => {
  const inOrder = [
    ...levels.map(({ field, order }): IndexKey => ({ fieldId: field.id, as: 'group', order })),
    ...sorted.map(({ field, order }): IndexKey => ({ fieldId: field.id, as: 'sort', order })),
  ];
  const found = filters
    .flatMap(demands)
    .filter(({ operator, value }) => value !== null && selective.includes(operator))
    .map(({ fieldId }): IndexWish => [{ fieldId, as: 'filter', order: 'asc' }]);
  return [...(inOrder.length === 0 ? [] : [inOrder.slice(0, maxKeys)]), ...found];
};
