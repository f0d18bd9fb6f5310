import { ApiError } from '@rowhouse/contract/error.ts';
import { listTrashItems } from '@rowhouse/contract/trash.ts';
import { call } from '../../app/call.ts';

/** Of a field or view that was deleted from the table. */
export const trashIdOf = async (tableId: string, id: string): Promise<string> => {
  let cursor: string | null | undefined;
  do {
    const page: { trashItems: { id: string; resourceIds?: string[] }[]; nextCursor: string | null } = await call(listTrashItems, { query: { resourceType: 'table', resourceId: tableId, ...(cursor == null ? {} : { cursor }) } });
    const item = page.trashItems.find(({ resourceIds }) => resourceIds?.includes(id));
    if (item !== undefined) return item.id;
    cursor = page.nextCursor;
  } while (cursor !== null);
  throw new ApiError('not_found', 'It is not in the trash any more');
};
