import { afterEach, beforeEach, expect, test, vi } from 'vitest';

// On its own: what other tests have made it remember does not count. By this name it is loaded apart from the one that all share.
const own = './zone.ts?own';
let isTimeZone: (name: string) => boolean;
let wallOf: (instant: number, zone: string) => unknown;
beforeEach(async () => {
  vi.resetModules();
  ({ isTimeZone, wallOf } = (await import(/* @vite-ignore */ own)) as {
    isTimeZone: typeof isTimeZone;
    wallOf: typeof wallOf;
  });
});

const real = Intl.DateTimeFormat;
afterEach(() => {
  Intl.DateTimeFormat = real;
});

/** Counts what is made: each takes some 27 kB. */
const counting = (): (() => number) => {
  let made = 0;
  Intl.DateTimeFormat = new Proxy(real, {
    construct: (target, given) => {
      const formatter = new target(...(given as []));
      made += 1;
      return formatter;
    },
  });
  return () => made;
};

const spellings = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, bits) =>
    [...name].map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter.toLowerCase())).join(''),
  );

test('a zone is remembered once, however it is spelt', () => {
  const made = counting();
  for (const name of spellings('Europe/Tallinn', 4_096)) {
    expect(isTimeZone(name)).toBe(true);
    wallOf(0, name);
  }
  expect(made()).toBe(1);
});

test('what is no zone is not remembered, and pushes nothing out', () => {
  const made = counting();
  wallOf(0, 'Europe/Riga');
  for (let n = 0; n < 5_000; n += 1) expect(isTimeZone(`Europe/Riga${n}`)).toBe(false);
  wallOf(0, 'Europe/Riga');
  expect(made()).toBe(1);
});
