// Short notes at the edge of the page. A plain store, so that code outside of React can use it too.
import { useSyncExternalStore } from 'react';
import { problemOf } from './problem.ts';

export interface Toast {
  id: number;
  /** When it was shown first. */
  at?: number;
  kind: 'note' | 'problem';
  title: string;
  detail?: string;
  /** More than fits into a sentence, one below the other; what has an action leads somewhere. */
  list?: readonly { text: string; run?: (() => void) | undefined }[];
  action?: { label: string; run: () => void };
  /** Values to compare, one below the other. */
  values?: readonly { label: string; text: string }[];
  /** One of these is to be chosen: the note cannot be dismissed. */
  choices?: readonly { label: string; run: () => void }[];
  /** A note about the same takes its place. What can be undone is about its step. */
  about?: string;
  /** Until somebody dismisses it: it holds what would be lost. */
  stays?: boolean;
  /** Goes with its page although it stays there. */
  isOfPage?: boolean;
  /** What it tells of leads to another page: it is still shown there. */
  crossesPages?: boolean;
}

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

const set = (next: readonly Toast[]): void => {
  toasts = next;
  for (const listener of listeners) listener();
};

export const dismissToast = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

/** What it offered is done. */
export const dismissAbout = (about: string): void => set(toasts.filter((toast) => toast.about !== about));

/** Somebody has gone to another page: what passes is not about it. */
export const dismissPassing = (): void =>
  set(
    toasts.filter(
      ({ stays, isOfPage, crossesPages }) => (stays === true && isOfPage !== true) || crossesPages === true,
    ),
  );

/** So long a problem stands before what comes next; then it has been read, and would hide what somebody did since. */
const problemIsRead = 4_000;

/** A note takes the place of the note before it, a problem that of the problem; what holds something waits for its turn. */
export const showToast = (toast: Omit<Toast, 'id' | 'at'>): void => {
  const id = nextId++;
  const now = Date.now();
  const others = toasts.filter(
    ({ about, stays, kind, at = 0 }) =>
      (about === undefined || about !== toast.about) &&
      (stays === true ||
        (toast.stays === true && now - at < problemIsRead) ||
        (kind !== toast.kind && now - at < problemIsRead)),
  );
  set([...others, { ...toast, id, at: now }]);
  if (toast.stays !== true) setTimeout(() => dismissToast(id), toast.kind === 'problem' ? 12_000 : 5_000);
};

export const showProblem = (error: unknown, doing?: string): void => {
  const problem = problemOf(error);
  showToast({
    kind: 'problem',
    title: doing ?? problem.title,
    detail: doing === undefined ? problem.advice : `${problem.title} ${problem.advice}`,
  });
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const snapshotOfToasts = (): readonly Toast[] => toasts;

/** The one to be shown, and how many wait behind it. Of those that stay, questions are asked in their turn, before the latest report. */
export const shownToast = (all: readonly Toast[]): { toast: Toast; waiting: number } | undefined => {
  const passing = all.filter(({ stays }) => stays !== true);
  const toast =
    passing.findLast(({ kind }) => kind === 'problem') ??
    passing.at(-1) ??
    all.find(({ choices }) => choices !== undefined) ??
    all.at(-1);
  return toast && { toast, waiting: all.filter((other) => other.stays === true && other.id !== toast.id).length };
};

export const useToasts = (): readonly Toast[] => useSyncExternalStore(subscribe, snapshotOfToasts);

/** For what notes say: "1 record", "2,000 records". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
