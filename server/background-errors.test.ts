import { expect, test } from 'vitest';
import { createBackgroundErrors } from './background-errors.ts';

test('each kind is logged once a minute at most, with how many were passed over, and always counted', () => {
  let time = 0;
  const lines: [string, string, number][] = [];
  const backgroundErrors = createBackgroundErrors(() => time);
  backgroundErrors.logTo((work, error, untold) => lines.push([work, (error as Error).message, untold]));
  backgroundErrors.note('telling people', new Error('a'));
  backgroundErrors.note('telling people', new Error('b'));
  backgroundErrors.note('live feed', new Error('c'));
  time = 59_999;
  backgroundErrors.note('telling people', new Error('d'));
  time = 60_000;
  backgroundErrors.note('telling people', new Error('e'));
  expect(lines).toEqual([
    ['telling people', 'a', 0],
    ['live feed', 'c', 0],
    ['telling people', 'e', 2],
  ]);
  expect([...backgroundErrors.counts()]).toEqual([
    ['telling people', 4],
    ['live feed', 1],
  ]);
});
