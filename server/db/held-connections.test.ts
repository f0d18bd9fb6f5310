import { executionAsyncResource } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { createHeldConnections } from './held-connections.ts';

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

test('a second connection is refused until the transaction has ended, for what it has started, too', async () => {
  const { demandNone, during } = createHeldConnections(true);
  demandNone();
  let started: Promise<void> | undefined;
  let end: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  await during(async () => {
    expect(demandNone).toThrow('a second connection was asked for inside of a transaction');
    await later();
    expect(demandNone).toThrow('a second connection was asked for inside of a transaction');
    started = ended.then(later).then(demandNone);
  });
  end?.();
  await started;
  demandNone();
});

test('each database has its own: one may be asked inside of a transaction of another, its own never', async () => {
  const one = createHeldConnections(true);
  const other = createHeldConnections(true);
  await one.during(async () => {
    other.demandNone();
    await other.during(async () => {
      await later();
      expect(one.demandNone).toThrow();
      expect(other.demandNone).toThrow();
    });
    other.demandNone();
    expect(one.demandNone).toThrow();
  });
  await expect(one.during(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  one.demandNone();
});

test('what every promise carries does not grow with the number of databases', async () => {
  const carried = async (databases: number): Promise<number> => {
    for (let made = 0; made < databases; made += 1) await createHeldConnections(true).during(later);
    await later();
    return Object.getOwnPropertySymbols(executionAsyncResource()).length;
  };
  const few = await carried(1);
  expect(await carried(30)).toBe(few);
});
