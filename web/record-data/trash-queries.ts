import { listTrash, listTrashItems } from '@rowhouse/contract/trash.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/call.ts';

export type TrashContents = Omit<ResponseOf<typeof listTrash>, 'trashItems'> & {
  trashItems: { id: string; resourceId?: string; resourceType: string; deletedTime: string; deletedBy: string }[];
};

export const trashQuery = (resourceType: 'space' | 'base') =>
  queryOptions({
    queryKey: ['trash', resourceType],
    queryFn: ({ signal }) => call(listTrash, { query: { resourceType }, signal }),
  });

/** The deleted tables and automations of a base, all pages of them. */
export const baseTrashQuery = (baseId: string) =>
  queryOptions({
    queryKey: ['trash', 'tables', baseId],
    queryFn: async ({ signal }): Promise<TrashContents> => {
      let all: TrashContents | undefined;
      do {
        const page: TrashContents = await call(listTrashItems, {
          query: {
            resourceId: baseId,
            resourceType: 'base',
            ...(all?.nextCursor == null ? {} : { cursor: all.nextCursor }),
          },
          signal,
        });
        all = {
          trashItems: [...(all?.trashItems ?? []), ...page.trashItems],
          userMap: { ...all?.userMap, ...page.userMap },
          resourceMap: { ...all?.resourceMap, ...page.resourceMap },
          nextCursor: page.nextCursor,
        };
      } while (all.nextCursor !== null);
      return all;
    },
  });
