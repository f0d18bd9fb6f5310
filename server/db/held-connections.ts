// Catches code that asks for a second connection while it holds one. It works although the database is idle, where the
// mistake goes unnoticed: in a busy pool all wait for each other. Tests turn it on; it costs what AsyncLocalStorage does.
import { AsyncLocalStorage } from 'node:async_hooks';

interface HeldConnections {
  /** Throws inside of `during`. */
  demandNone(): void;
  /** Runs the work of a transaction. What it starts and does not wait for is free again once the transaction has ended. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

const unchecked: HeldConnections = { demandNone: () => undefined, during: (work) => work() };

export const createHeldConnections = (isChecked: boolean): HeldConnections => {
  if (!isChecked) return unchecked;
  const storage = new AsyncLocalStorage<{ isOpen: boolean }>();
  return {
    demandNone() {
      if (storage.getStore()?.isOpen === true)
        throw new Error('a second connection was asked for inside of a transaction: use the handle of the transaction');
    },
    during(work) {
      const transaction = { isOpen: true };
      return storage.run(transaction, work).finally(() => (transaction.isOpen = false));
    },
  };
};
