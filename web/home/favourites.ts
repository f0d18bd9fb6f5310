// Bases that somebody marked, and those they opened last: kept in this browser, by account.
import { useMe } from '../app/me.ts';
import { createStored, type Stored } from '../app/stored.ts';

const ids = (value: unknown): readonly string[] | undefined => (Array.isArray(value) ? value.filter((id) => typeof id === 'string') : undefined);

const stores = new Map<string, Stored<readonly string[]>>();
const none: readonly string[] = [];

const storeOf = (what: 'favourites' | 'recent', userId: string): Stored<readonly string[]> => {
  const key = `rowhouse.${what}.${userId}`;
  const store = stores.get(key) ?? createStored(key, none, ids);
  stores.set(key, store);
  return store;
};

export interface Favourites {
  ids: readonly string[];
  isFavourite(baseId: string): boolean;
  toggle(baseId: string): void;
}

export const useFavourites = (): Favourites => {
  const store = storeOf('favourites', useMe().id);
  const marked = store.use();
  return {
    ids: marked,
    isFavourite: (baseId) => marked.includes(baseId),
    toggle: (baseId) => store.write(marked.includes(baseId) ? marked.filter((id) => id !== baseId) : [...marked, baseId]),
  };
};

const keptAtMost = 10;

/** Latest first. */
export const useRecentIds = (): readonly string[] => storeOf('recent', useMe().id).use();

export const noteVisit = (userId: string, baseId: string): void => {
  const store = storeOf('recent', userId);
  if (store.read()[0] !== baseId) store.write([baseId, ...store.read().filter((id) => id !== baseId)].slice(0, keptAtMost));
};
