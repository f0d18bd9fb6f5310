import { foldText } from '@rowhouse/contract/fold.ts';

/** Without case and accents, as the server searches. Those whose text contains what is wanted: the one that is just that comes first, then those that begin with it. */
export const matching = <Item>(items: readonly Item[], textOf: (item: Item) => string, wanted: string): Item[] => {
  const folded = foldText(wanted);
  const rank = (item: Item): number => {
    const text = foldText(textOf(item));
    return text === folded ? 0 : text.startsWith(folded) ? 1 : text.includes(folded) ? 2 : 3;
  };
  return items
    .map((item) => ({ item, rank: rank(item) }))
    .filter((found) => found.rank < 3)
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
};
