import { expect, test } from 'vitest';
import { createRecurring } from './recurring.ts';

test('a statement recurs from the third time on', () => {
  const recurs = createRecurring();
  expect(['a', 'b', 'a', 'a', 'a', 'b'].map(recurs)).toEqual([false, false, false, true, true, false]);
});

test('only so many are chosen, and they stay', () => {
  const recurs = createRecurring();
  for (let text = 0; text < 100; text += 1) for (let time = 0; time < 3; time += 1) recurs(`statement ${text}`);
  expect(recurs('statement 0')).toBe(true);
  expect(recurs('statement 99')).toBe(false);
});
