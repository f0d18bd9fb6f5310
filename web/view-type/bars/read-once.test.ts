import { expect, test } from 'vitest';
import { createReadOnce } from './read-once.ts';

test('a read that is under way is answered to all who ask, and asked again for those who came later', async () => {
  const answers: ((value: number) => void)[] = [];
  const from = (): Promise<number> => new Promise((resolve) => answers.push(resolve));
  let again = 0;
  const { read, forget } = createReadOnce<number>();
  const first = read('a', from, () => (again += 1));
  const second = read('a', from, () => (again += 1));
  expect(answers).toHaveLength(1);
  answers[0]?.(1);
  expect([await first, await second, again]).toEqual([1, 1, 1]);
  // Something was written: what is under way is not waited for.
  const old = read('a', from, () => (again += 1));
  forget();
  const fresh = read('a', from, () => (again += 1));
  answers[2]?.(3);
  answers[1]?.(2);
  expect([await old, await fresh, again]).toEqual([2, 3, 1]);
});
