// A page of the trash as the API shows it. The id of an item is that of the thing with another prefix, so
// that nothing has to be kept in step.
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { listTrash, listTrashItems } from '@rowhouse/contract/trash.ts';
import type { Principal } from '../../catalog/principal.ts';
import type { Queryable } from '../../db/db.ts';
import { writeCursor } from './cursor.ts';
import { selectDeleters, type TrashedRow } from './trash.sql.ts';

export type Contents = ResponseOf<typeof listTrash>;
export type TableContents = ResponseOf<typeof listTrashItems>;

const prefixLength = 3;

export const trashIdOf = (resourceId: string): string => `tra${resourceId.slice(prefixLength)}`;

export const tailOf = (trashId: string): string => trashId.slice(prefixLength);

/** `rows` holds one more than a page when there is a next one. */
export const showTrash = async <T extends 'space' | 'base' | 'table' | 'workflow' | 'dashboard', R extends TrashedRow>(
  db: Queryable,
  principal: Principal,
  typeOf: (row: R) => T,
  rows: readonly R[],
  take: number,
) => {
  const shown = rows.slice(0, take);
  const last = rows.length > take ? shown.at(-1) : undefined;
  const people = await selectDeleters(db, principal, [...new Set(shown.map((row) => row.deletedBy))]);
  return {
    trashItems: shown.map((row) => ({
      id: trashIdOf(row.id),
      resourceId: row.id,
      resourceType: typeOf(row),
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
