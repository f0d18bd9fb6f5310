// Who has a table open, as its stream last said.
import type { EventData } from '@rowhouse/contract/event.ts';
import { useSyncExternalStore } from 'react';

type People = EventData<'presence.changed'>['users'];

const nobody: People = [];
const present = new Map<string, People>();
const listeners = new Set<() => void>();

/** An empty list when the stream has ended: nobody is known to be there any more. */
export const setPresent = (tableId: string, users: People): void => {
  if (users.length === 0) present.delete(tableId);
  else present.set(tableId, users);
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const usePresent = (tableId: string): People =>
  useSyncExternalStore(subscribe, () => present.get(tableId) ?? nobody);
