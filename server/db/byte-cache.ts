// Remembers values up to so many bytes, and forgets those first that were not asked for longest.

interface ByteCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
  readonly bytes: number;
}

export const createByteCache = <T>(capacity: number, sizeOf: (value: T, key: string) => number): ByteCache<T> => {
  const entries = new Map<string, { value: T; size: number }>();
  let bytes = 0;

  const remove = (key: string): void => {
    const found = entries.get(key);
    if (found === undefined) return;
    entries.delete(key);
    bytes -= found.size;
  };

  return {
    get(key) {
      const found = entries.get(key);
      if (found === undefined) return undefined;
      // The order of a Map is that of insertion: the last one asked for stands at the end.
      entries.delete(key);
      entries.set(key, found);
      return found.value;
    },
    set(key, value) {
      remove(key);
      const size = sizeOf(value, key);
      if (size > capacity) return;
      entries.set(key, { value, size });
      bytes += size;
      for (const oldest of entries.keys()) {
        if (bytes <= capacity) break;
        remove(oldest);
      }
    },
    delete: remove,
    get bytes() {
      return bytes;
    },
  };
};
