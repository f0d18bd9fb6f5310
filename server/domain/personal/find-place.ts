import { notFound } from '@rowhouse/contract/error.ts';
import type { Handle } from '../../db/db.ts';
import { type Location, type Seen, selectLocation } from './location.sql.ts';
import { seenPlaces } from './seen-places.ts';

interface Named {
  type: 'space' | 'base' | 'table' | 'view';
  id: string;
}

const words = { space: 'Space', base: 'Base', table: 'Table', view: 'View' } as const;

export const isSeen = (seen: Seen | null, { type, id }: Named): boolean =>
  seen === null || (type === 'table' ? seen.tableIds.includes(id) : type === 'view' ? seen.viewIds.includes(id) : true);

/** 404 for what is not there for the user. */
export const findPlace = async (db: Handle, userId: string, named: Named): Promise<Location> => {
  const location = await selectLocation(db, userId, named.type, named.id);
  const isPart = named.type === 'table' || named.type === 'view';
  const seen = isPart && location?.baseId != null ? await seenPlaces(db, userId, location.baseId) : null;
  if (location === undefined || !isSeen(seen, named)) throw notFound(words[named.type], named.id.slice(0, 50));
  return location;
};
