import { expect, test } from 'vitest';
import { randomFrom } from './random.ts';

test('the same seed makes the same choices, another seed others', () => {
  const draw = (seed: number): number[] => {
    const random = randomFrom(seed);
    return Array.from({ length: 20 }, () => random.below(1_000));
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test('workers draw from generators of their own', () => {
  const [one, other] = [randomFrom(7).fork(1), randomFrom(7).fork(2)];
  expect([one.number(), one.number()]).not.toEqual([other.number(), other.number()]);
  expect(randomFrom(7).fork(1).number()).toBe(randomFrom(7).fork(1).number());
});

test('shuffling keeps every item once', () => {
  const items = Array.from({ length: 50 }, (_, index) => index);
  const shuffled = randomFrom(3).shuffled(items);
  expect(shuffled).not.toEqual(items);
  expect(shuffled.toSorted((a, b) => a - b)).toEqual(items);
});
