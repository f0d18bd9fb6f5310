// Who asks, for conditions that compare with the caller.

/** Who `me` is, and when today is. */
export interface Asker {
  readonly userId: string;
  readonly now: Date;
  /** Set in a statement that is made once and run by many (see `anyAsker`). */
  readonly later?: <T>(of: (asker: Asker) => T) => T;
}

/** A value that depends on who asks: the only way from an asker to a value of a statement. */
export const ofAsker = <T>(asker: Asker, of: (asker: Asker) => T): T =>
  asker.later === undefined ? of(asker) : asker.later(of);

const unknown = (): never => {
  throw new Error('a statement for many was given a value of one of them');
};

/** Nobody in particular: what depends on the asker is left to each run. What reads it in another way fails, rather than keep the values of one person. */
export const anyAsker = (later: NonNullable<Asker['later']>): Asker => ({
  get userId(): string {
    return unknown();
  },
  get now(): Date {
    return unknown();
  },
  later,
});
