import { expect, test } from 'vitest';
import { createStepNames } from './window-steps.ts';

const stepsOf = (...requests: [path: string, at: number][]): number => {
  let now = 0;
  const nameStep = createStepNames(() => now);
  return new Set(
    requests.map(([path, at]) => {
      now = at;
      return nameStep('PUT', `/api/table/tbl1/${path}`);
    }),
  ).size;
};

test('a filter that is typed is one step, what is clicked is a step each, however quickly it follows', () => {
  expect(stepsOf(['view/viw1/filter', 0], ['view/viw1/filter', 500], ['view/viw1/filter', 900])).toBe(1);
  expect(stepsOf(['view/viw1/filter', 0], ['view/viw1/filter', 5_000])).toBe(2);
  expect(stepsOf(['view/viw1/filter', 0], ['view/viw1/sort', 100], ['view/viw1/filter', 200])).toBe(3);
  for (const part of ['column-meta', 'options', 'record-order'])
    expect(stepsOf([`view/viw1/${part}`, 0], [`view/viw1/${part}`, 100])).toBe(2);
  expect(stepsOf(['record/rec1', 0], ['record/rec1', 100])).toBe(2);
});
