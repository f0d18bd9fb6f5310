import { expect, test } from 'vitest';
import { takePlaceOutside } from './outside.ts';

test('a base has eight places for requests, each of them once, however many runs look at the same moment', () => {
  const of = { baseId: 'bseOne', spaceId: 'spcOne' };
  const taken = Array.from({ length: 20 }, () => takePlaceOutside(of)).filter((leave) => leave !== undefined);
  expect(taken).toHaveLength(8);
  taken[0]?.();
  const again = [takePlaceOutside(of), takePlaceOutside(of)];
  expect(again.map((leave) => leave !== undefined)).toEqual([true, false]);
  for (const leave of [...taken.slice(1), again[0]]) leave?.();
  const last = takePlaceOutside(of);
  expect(last).toBeDefined();
  last?.();
});
