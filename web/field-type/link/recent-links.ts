// The records that a person linked last, by table: those are often wanted again.
import { createStored, type Stored } from '../../app/stored.ts';

type Recent = Record<string, string[]>;

const mostRecords = 6;
const mostTables = 40;

const stores = new Map<string, Stored<Recent>>();

const isRecent = (value: unknown): value is Recent =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((ids) => Array.isArray(ids) && ids.every((id) => typeof id === 'string'));

const storeOf = (userId: string): Stored<Recent> => {
  const known =
    stores.get(userId) ??
    createStored<Recent>(`rowhouse.recent-links.${userId}`, {}, (value) => (isRecent(value) ? value : undefined));
  stores.set(userId, known);
  return known;
};

export const recentLinks = (userId: string, tableId: string): readonly string[] =>
  storeOf(userId).read()[tableId] ?? [];

export const noteLink = (userId: string, tableId: string, recordId: string): void => {
  const store = storeOf(userId);
  const { [tableId]: before = [], ...others } = store.read();
  store.write(
    Object.fromEntries([
      [tableId, [recordId, ...before.filter((id) => id !== recordId)].slice(0, mostRecords)],
      ...Object.entries(others).slice(0, mostTables - 1),
    ]),
  );
};
