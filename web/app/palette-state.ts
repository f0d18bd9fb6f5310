import { useSyncExternalStore } from 'react';

type Shown = 'palette' | 'shortcuts' | null;

let shown: Shown = null;
const listeners = new Set<() => void>();

export const show = (what: Shown): void => {
  shown = what;
  for (const listener of listeners) listener();
};

export const useShown = (): Shown =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
