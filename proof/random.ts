// A small generator of random numbers with a seed (mulberry32): the same seed, the same choices.

export interface Random {
  /** From 0 up to but not including 1. */
  number: () => number;
  /** A whole number from 0 up to but not including `end`. */
  below: (end: number) => number;
  pick: <T>(choices: readonly T[]) => T;
  /** True once in `n` times. */
  once: (n: number) => boolean;
  shuffled: <T>(items: readonly T[]) => T[];
  /** A generator of its own for one of many workers, so that their order does not matter. */
  fork: (salt: number) => Random;
}

export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0;
  const number = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(number() * end);
  return {
    number,
    below,
    pick: (choices) => {
      const choice = choices[below(choices.length)];
      if (choice === undefined && choices.length === 0) throw new Error('there is nothing to pick from');
      return choice as (typeof choices)[number];
    },
    once: (n) => below(n) === 0,
    shuffled: (items) => {
      const copy = [...items];
      for (let last = copy.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        [copy[last], copy[other]] = [copy[other] as (typeof copy)[number], copy[last] as (typeof copy)[number]];
      }
      return copy;
    },
    fork: (salt) => randomFrom(Math.imul(seed ^ 0x9e3779b9, 2 * salt + 1)),
  };
};
