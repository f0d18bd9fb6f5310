// Who sees this: asked in menus of fields and records, answered in a dialog of the base.
import { useSyncExternalStore } from 'react';

export interface AskedWho {
  tableId: string;
  fieldId?: string;
  recordId?: string;
  /** What it is about. */
  name: string;
}

let asked: AskedWho | null = null;
const listeners = new Set<() => void>();

export const askWho = (next: AskedWho | null): void => {
  asked = next;
  for (const listener of listeners) listener();
};

export const useAskedWho = (): AskedWho | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
  );
