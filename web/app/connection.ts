// Whether the server answers. A request that got no answer at all starts the asking; the first answer ends it.
import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
const returned = new Set<() => void>();
let lost = false;
let timer: ReturnType<typeof setTimeout> | undefined;

const set = (next: boolean): void => {
  if (lost === next) return;
  lost = next;
  for (const listener of listeners) listener();
  if (!lost) for (const listener of returned) listener();
};

const ask = async (): Promise<void> => {
  try {
    const response = await fetch('/health', { cache: 'no-store' });
    if (response.ok) return set(false);
  } catch {
    // Still away.
  }
  timer = setTimeout(() => void ask(), 2_000);
};

export const connectionLost = (): void => {
  if (lost) return;
  set(true);
  clearTimeout(timer);
  timer = setTimeout(() => void ask(), 1_000);
};

export const connectionAnswered = (): void => set(false);

export const onConnectionReturn = (listener: () => void): (() => void) => {
  returned.add(listener);
  return () => returned.delete(listener);
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useConnectionLost = (): boolean => useSyncExternalStore(subscribe, () => lost);
