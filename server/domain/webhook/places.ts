// Places for requests that this process sends at once. No space takes them all: what hangs for one must not hold back the others.

interface Holder {
  /** What may have so many by itself: a receiver, a base. */
  id: string;
  spaceId: string;
}

export const createPlaces = (all: number) => {
  const held = { all: 0, byId: new Map<string, number>(), bySpace: new Map<string, number>() };
  const countOf = (id: string): number => held.byId.get(id) ?? 0;
  return {
    countOf,
    /** `by`: how many are taken; less than none when they are free again. */
    take({ id, spaceId }: Holder, by: number): void {
      held.all += by;
      for (const [counts, key] of [
        [held.byId, id],
        [held.bySpace, spaceId],
      ] as const) {
        const now = (counts.get(key) ?? 0) + by;
        if (now === 0) counts.delete(key);
        else counts.set(key, now);
      }
    },
    /**
     * How many more may be taken, of `most` for this one. A space alone takes three quarters of the places, the next one three quarters of what is left,
     * and one place that is free is anybody's who has none.
     */
    roomFor({ id, spaceId }: Holder, most: number): number {
      const free = all - held.all;
      const own = held.bySpace.get(spaceId) ?? 0;
      const share = Math.max(Math.floor((3 * free - own) / 4), own === 0 ? 1 : 0);
      return Math.max(0, Math.min(most - countOf(id), free, share));
    },
  };
};
