import { expect, test } from 'vitest';
import { shareReads } from './shared-reads.ts';

const counted = () => {
  const made: string[] = [];
  return {
    made,
    read:
      (key: string, length = 10) =>
      async () => (made.push(key), 'x'.repeat(length)),
  };
};

test('what several want at once, and soon after each other, is read once', async () => {
  const shared = shareReads<string>(100, ({ length }) => length);
  const { made, read } = counted();
  const found = await Promise.all([shared.get('a', read('a')), shared.get('a', read('a')), shared.get('b', read('b'))]);
  expect(found.map(({ isFresh }) => isFresh)).toEqual([true, false, true]);
  expect(await shared.get('a', read('a'))).toEqual({ value: 'x'.repeat(10), isFresh: false });
  expect(made).toEqual(['a', 'b']);
});

test('no more is kept than there is room for: the oldest goes first', async () => {
  const shared = shareReads<string>(25, ({ length }) => length);
  const { made, read } = counted();
  for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) await shared.get(key, read(key));
  expect(made).toEqual(['a', 'b', 'c', 'a']);
  await shared.get('long', read('long', 1_000));
  await shared.get('long', read('long', 1_000));
  expect(made.filter((key) => key === 'long')).toHaveLength(2);
  shared.clear();
  await shared.get('a', read('a'));
  expect(made.filter((key) => key === 'a')).toHaveLength(3);
});

test('a read that failed is made again', async () => {
  const shared = shareReads<string>(100, ({ length }) => length);
  await expect(shared.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect((await shared.get('a', async () => 'there')).value).toBe('there');
});
