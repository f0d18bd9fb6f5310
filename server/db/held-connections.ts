// Catches code that asks for a second connection while it holds one. It works although the database is idle, where the
// mistake goes unnoticed: in a busy pool all wait for each other. Tests turn it on; it costs what AsyncLocalStorage does.
import { AsyncLocalStorage } from 'node:async_hooks';

interface HeldConnections {
  /** Throws inside of `during`. */
  demandNone(): void;
  /** Runs the work of a transaction. What it starts and does not wait for is free again once the transaction has ended. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

interface OpenTransaction {
  of: HeldConnections;
  isOpen: boolean;
  /** One of another database that was open when this one began. */
  outer: OpenTransaction | undefined;
}

const unchecked: HeldConnections = { demandNone: () => undefined, during: (work) => work() };

/**
 * One for all databases of the process: each that has ever been used is copied to every promise from then on, so that one
 * for each of 60 databases made an `await` thirty times as dear as one for all does.
 */
const storage = new AsyncLocalStorage<OpenTransaction | undefined>();

/** Without those that have ended: work that starts itself again and again would collect them. */
const innermostOpen = (): OpenTransaction | undefined => {
  let transaction = storage.getStore();
  while (transaction !== undefined && !transaction.isOpen) transaction = transaction.outer;
  return transaction;
};

export const createHeldConnections = (isChecked: boolean): HeldConnections => {
  if (!isChecked) return unchecked;
  const held: HeldConnections = {
    demandNone() {
      for (let transaction = innermostOpen(); transaction !== undefined; transaction = transaction.outer)
        if (transaction.isOpen && transaction.of === held)
          throw new Error(
            'a second connection was asked for inside of a transaction: use the handle of the transaction',
          );
    },
    during(work) {
      const transaction: OpenTransaction = { of: held, isOpen: true, outer: innermostOpen() };
      return storage.run(transaction, work).finally(() => (transaction.isOpen = false));
    },
  };
  return held;
};
