// Which files are looked at. A plain store: the editor that they were opened from may close meanwhile.
import type { Attachment } from '@rowhouse/contract/attachment.ts';
import { useSyncExternalStore } from 'react';

export interface Preview {
  files: readonly Attachment[];
  at: number;
  /** All of them as one archive. */
  archive: string | undefined;
}

let shown: Preview | null = null;
const listeners = new Set<() => void>();

const set = (next: Preview | null): void => {
  shown = next;
  for (const listener of listeners) listener();
};

export const openPreview = (preview: Preview): void => set(preview);
export const closePreview = (): void => set(null);
export const turnPreview = (step: number): void => {
  if (shown !== null) set({ ...shown, at: (shown.at + step + shown.files.length) % shown.files.length });
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const usePreview = (): Preview | null => useSyncExternalStore(subscribe, () => shown);

export const fileSize = (bytes: number): string =>
  bytes < 1_000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1_000)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`;
