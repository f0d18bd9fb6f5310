// A file that was chosen where its base was not open yet, such as the home page: the page of the base asks what becomes of it, as of any other file.
import { useSyncExternalStore } from 'react';

export interface BroughtFile {
  file: File;
  /** What its table is to be called, if it holds one. */
  tableName?: string;
}

let brought: (BroughtFile & { baseId: string }) | undefined;
const listeners = new Set<() => void>();

const set = (next: typeof brought): void => {
  brought = next;
  for (const listener of listeners) listener();
};

export const bringFile = (baseId: string, given: BroughtFile): void => set({ ...given, baseId });

/** Once it is asked about. */
export const forgetFile = (): void => set(undefined);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useBroughtFile = (baseId: string): BroughtFile | undefined => {
  const found = useSyncExternalStore(subscribe, () => brought);
  return found?.baseId === baseId ? found : undefined;
};
