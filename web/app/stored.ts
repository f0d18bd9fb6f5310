// Small things that this browser remembers. What belongs to a person has the account in its key.
import { useSyncExternalStore } from 'react';

export interface Stored<T> {
  read(): T;
  write(value: T): void;
  use(): T;
}

/** `check` answers undefined for what it cannot use: an older version of the app, or somebody else, may have written it. */
export const createStored = <T>(key: string, fallback: T, check: (value: unknown) => T | undefined): Stored<T> => {
  const listeners = new Set<() => void>();
  let known: { text: string | null; value: T } | undefined;

  const textOf = (): string | null => {
    try {
      return localStorage.getItem(key);
    } catch {
      return known?.text ?? null;
    }
  };
  const parse = (text: string | null): T => {
    try {
      return text === null ? fallback : (check(JSON.parse(text)) ?? fallback);
    } catch {
      return fallback;
    }
  };
  const read = (): T => {
    const text = textOf();
    if (known === undefined || known.text !== text) known = { text, value: parse(text) };
    return known.value;
  };
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const onOtherTab = (event: StorageEvent): void => {
    if (event.key === key) tell();
  };
  const subscribe = (listener: () => void): (() => void) => {
    if (listeners.size === 0) window.addEventListener('storage', onOtherTab);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) window.removeEventListener('storage', onOtherTab);
    };
  };
  return {
    read,
    write(value) {
      const text = JSON.stringify(value);
      try {
        localStorage.setItem(key, text);
      } catch {
        // A browser that keeps nothing still has it for this visit.
      }
      known = { text, value };
      tell();
    },
    use: () => useSyncExternalStore(subscribe, read),
  };
};
