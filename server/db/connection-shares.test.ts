import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ConnectionShares, createConnectionShares, type Share } from './connection-shares.ts';

const at = (resource: string, ...holders: string[]): Share => ({ resource, holders });

/** Takes until it has to wait, and answers how many it got. */
const takeAll = async (shares: ConnectionShares, share: Share): Promise<number> => {
  for (let count = 0; ; count += 1) {
    let isGiven = false;
    void shares.take(share).then(
      () => (isGiven = true),
      () => undefined,
    );
    await new Promise(setImmediate);
    if (!isGiven) return count;
  }
};

test('one key never gets all, and several leave some to each other', async () => {
  const shares = createConnectionShares(10, 60_000);
  expect([
    await takeAll(shares, at('a')),
    await takeAll(shares, at('b')),
    await takeAll(shares, at('c')),
    await takeAll(shares, at('d')),
  ]).toEqual([8, 1, 1, 0]);
});

test('anyone who asks leaves one to somebody else, in however many resources and spaces they ask', async () => {
  const shares = createConnectionShares(10, 60_000);
  expect([
    await takeAll(shares, at('a', 'eve', 's')),
    await takeAll(shares, at('b', 'eve', 't')),
    await takeAll(shares, at('c', 'eve', 'u')),
  ]).toEqual([8, 1, 0]);
  expect(await takeAll(shares, at('d', 'ann', 'v'))).toBe(1);
});

test('all who work in a space leave one to those who do not', async () => {
  const shares = createConnectionShares(10, 60_000);
  expect([
    await takeAll(shares, at('a', 'eve', 's')),
    await takeAll(shares, at('b', 'ann', 's')),
    await takeAll(shares, at('c', 'bob', 's')),
  ]).toEqual([8, 1, 0]);
  expect(await takeAll(shares, at('d', 'cyd', 't'))).toBe(1);
});

test('what has no key gets whatever is free', async () => {
  const shares = createConnectionShares(10, 60_000);
  expect([await takeAll(shares, at('a')), await takeAll(shares, null)]).toEqual([8, 2]);
});

test('of two connections one is left, and one alone serves all', async () => {
  const shares = createConnectionShares(2, 60_000);
  expect([await takeAll(shares, at('a')), await takeAll(shares, null)]).toEqual([1, 1]);
  expect(await takeAll(createConnectionShares(1, 60_000), at('a'))).toBe(1);
});

test('what is given back goes to one of each key in turn', async () => {
  const shares = createConnectionShares(2, 60_000);
  await shares.take(null);
  await shares.take(null);
  const order: string[] = [];
  for (const key of ['a', 'a', 'a', 'b', 'c']) void shares.take(at(key)).then(() => order.push(key));
  for (let count = 0; count < 5; count += 1) {
    shares.give(count === 0 ? null : at(order.at(-1) as string));
    await new Promise(setImmediate);
  }
  expect(order).toEqual(['a', 'b', 'c', 'a', 'a']);
});

test('anyone who waits too long is told to come again, and takes nothing from those who come later', async () => {
  const shares = createConnectionShares(1, 5);
  await shares.take(at('a'));
  await expect(shares.take(at('b'))).rejects.toMatchObject({
    code: 'service_unavailable',
    headers: { 'retry-after': '1' },
  });
  shares.give(at('a'));
  await shares.take(null);
});

test('whatever comes and goes, no more are out than there are, and all who wait get theirs in the end', async () => {
  const steps = fc.array(
    fc.record({ share: fc.constantFrom(at('a', 'x'), at('b', 'x', 'y'), at('c', 'y'), null), gives: fc.nat(3) }),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 12 }), async (list, connections) => {
      const shares = createConnectionShares(connections, 60_000);
      const out: Share[] = [];
      let got = 0;
      for (const { share, gives } of list) {
        void shares.take(share).then(() => {
          got += 1;
          out.push(share);
        });
        await Promise.resolve();
        for (let count = 0; count < gives && out.length > 0; count += 1) shares.give(out.shift() as Share);
        await Promise.resolve();
        expect(out.length).toBeLessThanOrEqual(connections);
      }
      await new Promise(setImmediate);
      while (out.length > 0) {
        shares.give(out.shift() as Share);
        await new Promise(setImmediate);
      }
      expect(got).toBe(list.length);
    }),
    { numRuns: 200 },
  );
});
