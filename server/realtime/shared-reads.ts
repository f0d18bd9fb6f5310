// Reads that several want: each is made once, and kept for a while for those who come a little later.

interface SharedReads<T> {
  /** `isFresh`: the read was begun by this call. */
  get(key: string, read: () => Promise<T>): Promise<{ value: T; isFresh: boolean }>;
  clear(): void;
}

/** `capacity`: of what is kept, by `sizeOf`. What is being read is not counted. */
export const shareReads = <T>(capacity: number, sizeOf: (value: T) => number): SharedReads<T> => {
  const reads = new Map<string, Promise<T>>();
  const sizes = new Map<string, number>();
  let size = 0;

  const forget = (key: string): void => {
    reads.delete(key);
    size -= sizes.get(key) ?? 0;
    sizes.delete(key);
  };

  const keep = (key: string, value: T): void => {
    sizes.set(key, sizeOf(value));
    size += sizeOf(value);
    // Oldest first.
    for (const [oldest] of sizes) {
      if (size <= capacity) return;
      forget(oldest);
    }
  };

  return {
    async get(key, read) {
      const known = reads.get(key);
      if (known !== undefined) return { value: await known, isFresh: false };
      const begun = read();
      reads.set(key, begun);
      try {
        const value = await begun;
        if (reads.get(key) === begun) keep(key, value);
        return { value, isFresh: true };
      } catch (error) {
        if (reads.get(key) === begun) forget(key);
        throw error;
      }
    },
    clear() {
      for (const key of [...reads.keys()]) forget(key);
    },
  };
};
