// Reads that take a while, of which one at a time is under way for a key. A change that arrives meanwhile does not begin the read again: under steady changes none
// would come to its end. What is read is shown, and then read again.
interface ReadOnce<T> {
  /** `again` is called when the answer may be older than what it was asked for. */
  read(key: string, from: () => Promise<T>, again: () => void): Promise<T>;
  /** What is under way is older than what is shown: the next one begins again. */
  forget(): void;
}

export const createReadOnce = <T>(): ReadOnce<T> => {
  const underWay = new Map<string, Promise<T>>();
  return {
    read(key, from, again) {
      const found = underWay.get(key);
      if (found !== undefined) return found.finally(again);
      const made: Promise<T> = from().finally(() => {
        if (underWay.get(key) === made) underWay.delete(key);
      });
      underWay.set(key, made);
      return made;
    },
    forget: () => underWay.clear(),
  };
};
