// What rules leave of the tables and views of a base, for what people keep for themselves: a pin or a visit outlives the rights that it was made with.
import { boundRightsIn } from '../../catalog/access.ts';
import type { Handle } from '../../db/db.ts';
import { selectStanding } from '../collaborator/collaborator.sql.ts';
import { type Seen, selectPlaces } from './location.sql.ts';

/** Null: no rules bind the user there. */
export const seenPlaces = async (db: Handle, userId: string, baseId: string): Promise<Seen | null> => {
  const standing = await selectStanding(db, userId, { type: 'base', id: baseId });
  const rights = standing === undefined ? undefined : await boundRightsIn(db, standing, userId);
  if (rights?.bound === undefined) return null;
  const { bound } = rights;
  const tables = (await selectPlaces(db, baseId)).filter(({ tableId }) => rights.of(tableId) !== null);
  return {
    tableIds: tables.map(({ tableId }) => tableId),
    viewIds: tables.flatMap(({ tableId, views }) => {
      const listed = bound.views(tableId);
      return views
        .filter(({ id, ownerId }) => listed === null || listed.has(id) || ownerId === userId)
        .map(({ id }) => id);
    }),
  };
};
