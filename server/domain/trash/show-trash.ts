// A page of the trash as the API shows it. The id of an item is that of the thing with another prefix, so
// that nothing has to be kept in step.
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { listTrash } from '@rowhouse/contract/trash.ts';
import type { Queryable } from '../../db/db.ts';
import { writeCursor } from './cursor.ts';
import { selectDeleters, type TrashedRow } from './trash.sql.ts';

export type Contents = ResponseOf<typeof listTrash>;

export const emptyTrash: Contents = { trashItems: [], userMap: {}, resourceMap: {}, nextCursor: null };

const prefixLength = 3;

export const trashIdOf = (resourceId: string): string => `tra${resourceId.slice(prefixLength)}`;

export const tailOf = (trashId: string): string => trashId.slice(prefixLength);

/** `rows` holds one more than a page when there is a next one. */
export const showTrash = async (db: Queryable, resourceType: 'space' | 'base' | 'table', rows: readonly TrashedRow[], take: number): Promise<Contents> => {
  const shown = rows.slice(0, take);
  const last = rows.length > take ? shown.at(-1) : undefined;
  const people = await selectDeleters(db, [...new Set(shown.map((row) => row.deletedBy))]);
  return {
    trashItems: shown.map((row) => ({
      id: trashIdOf(row.id),
      resourceId: row.id,
      resourceType,
      deletedTime: row.deletedTime,
      deletedBy: row.deletedBy,
    })),
    userMap: Object.fromEntries(people.map((user) => [user.id, user])),
    resourceMap: Object.fromEntries(
      shown.map(({ id, name, spaceId }) => [id, spaceId === null ? { id, name } : { id, name, spaceId }]),
    ),
    nextCursor: last === undefined ? null : writeCursor(last),
  };
};
