/** Those whose text contains what is wanted: the one that is just that comes first, then those that begin with it. */
export const matching = <Item>(items: readonly Item[], textOf: (item: Item) => string, wanted: string): Item[] => {
  const rank = (item: Item): number => {
    const text = textOf(item).toLowerCase();
    return text === wanted ? 0 : text.startsWith(wanted) ? 1 : text.includes(wanted) ? 2 : 3;
  };
  return items
    .map((item) => ({ item, rank: rank(item) }))
    .filter((found) => found.rank < 3)
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
};
