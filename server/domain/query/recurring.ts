// Statements that clients shape, by filters and sorts, are worth preparing once they come again and again: parsing and
// planning is a seventh of a page of 100 records. Connections keep what they have prepared for good, so there are few.

const often = 3;
const capacity = 40;
const watched = 1_000;

export const createRecurring = (): ((text: string) => boolean) => {
  const counts = new Map<string, number>();
  const chosen = new Set<string>();
  return (text) => {
    if (chosen.has(text)) return true;
    if (chosen.size >= capacity) return false;
    const count = (counts.get(text) ?? 0) + 1;
    if (counts.size >= watched) counts.clear();
    counts.set(text, count);
    if (count < often) return false;
    counts.delete(text);
    chosen.add(text);
    return true;
  };
};
