import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createConnectionShares, type ShareKey, type ConnectionShares } from './connection-shares.ts';

/** Takes until it has to wait, and answers how many it got. */
const takeAll = async (shares: ConnectionShares, key: ShareKey): Promise<number> => {
  for (let count = 0; ; count += 1) {
    let isGiven = false;
    void shares.take(key).then(
      () => (isGiven = true),
      () => undefined,
    );
    await new Promise(setImmediate);
    if (!isGiven) return count;
  }
};

test('one key never gets all, and several leave some to each other', async () => {
  const shares = createConnectionShares(10, 60_000);
  expect([await takeAll(shares, 'a'), await takeAll(shares, 'b'), await takeAll(shares, 'c'), await takeAll(shares, 'd')]).toEqual([8, 1, 1, 0]);
});

test('what has no key gets whatever is free', async () => {
  const shares = createConnectionShares(10, 60_000);
  expect([await takeAll(shares, 'a'), await takeAll(shares, null)]).toEqual([8, 2]);
});

test('of two connections one is left, and one alone serves all', async () => {
  const shares = createConnectionShares(2, 60_000);
  expect([await takeAll(shares, 'a'), await takeAll(shares, null)]).toEqual([1, 1]);
  expect(await takeAll(createConnectionShares(1, 60_000), 'a')).toBe(1);
});

test('what is given back goes to one of each key in turn', async () => {
  const shares = createConnectionShares(2, 60_000);
  await shares.take(null);
  await shares.take(null);
  const order: string[] = [];
  for (const key of ['a', 'a', 'a', 'b', 'c']) void shares.take(key).then(() => order.push(key));
  for (let count = 0; count < 5; count += 1) {
    shares.give(count === 0 ? null : (order.at(-1) as string));
    await new Promise(setImmediate);
  }
  expect(order).toEqual(['a', 'b', 'c', 'a', 'a']);
});

test('whoever waits too long is told to come again, and takes nothing from those who come later', async () => {
  const shares = createConnectionShares(1, 5);
  await shares.take('a');
  await expect(shares.take('b')).rejects.toMatchObject({ code: 'service_unavailable', headers: { 'retry-after': '1' } });
  shares.give('a');
  await shares.take(null);
});

test('whatever comes and goes, no more are out than there are, and all who wait get theirs in the end', async () => {
  const steps = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c', null), gives: fc.nat(3) }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 12 }), async (list, connections) => {
      const shares = createConnectionShares(connections, 60_000);
      const out: ShareKey[] = [];
      let got = 0;
      for (const { key, gives } of list) {
        void shares.take(key).then(() => {
          got += 1;
          out.push(key);
        });
        await Promise.resolve();
        for (let count = 0; count < gives && out.length > 0; count += 1) shares.give(out.shift() as ShareKey);
        await Promise.resolve();
        expect(out.length).toBeLessThanOrEqual(connections);
      }
      await new Promise(setImmediate);
      while (out.length > 0) {
        shares.give(out.shift() as ShareKey);
        await new Promise(setImmediate);
      }
      expect(got).toBe(list.length);
    }),
    { numRuns: 200 },
  );
});
