// One at a time for each key, in the order in which they come.

interface Turns {
  /** Resolves when it is the caller's turn; what it resolves to ends the turn. */
  take(key: string): Promise<() => void>;
}

export const createTurns = (): Turns => {
  /** By key, when the last of those who came so far is done. */
  const lasts = new Map<string, Promise<void>>();
  return {
    async take(key) {
      const before = lasts.get(key);
      let end = (): void => undefined;
      const mine = new Promise<void>((done) => {
        end = done;
      });
      const last = before === undefined ? mine : before.then(() => mine);
      lasts.set(key, last);
      void last.then(() => {
        if (lasts.get(key) === last) lasts.delete(key);
      });
      await before;
      return end;
    },
  };
};
