// What a follower makes of changes, on its way to a table: written as soon as there is enough for a statement, so that no more than that stands in memory, however
// much one page of the feed comes to. Its turn ends after a while, so that those of other spaces come.

/** Characters, as the writer counts them; milliseconds. */
const limits = { statement: 1_000_000, page: 8_000_000, time: 300 };

export const createPortions = <T>(write: (some: T[]) => Promise<unknown>) => {
  let some: T[] = [];
  let [size, total, count] = [0, 0, 0];
  const end = performance.now() + limits.time;
  const flush = async (): Promise<void> => {
    const given = some;
    [some, size] = [[], 0];
    if (given.length > 0) await write(given);
  };
  return {
    async add(one: T, characters: number): Promise<void> {
      some.push(one);
      size += characters;
      total += characters;
      count += 1;
      if (size >= limits.statement) await flush();
    },
    flush,
    count: () => count,
    /** Later changes are better taken in another transaction. */
    isMuch: () => total >= limits.page || performance.now() >= end,
  };
};
