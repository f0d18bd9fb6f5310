// What the comments of a record are made of, and hearing of changes to them.
import { countComments, getSubscription, listComments } from '@rowhouse/contract/comment.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import type { TableRecords } from '../../record-data/table-records.ts';

export interface RecordPlace {
  tableId: string;
  recordId: string;
}

const key = ({ tableId, recordId }: RecordPlace) => ['comments', tableId, recordId] as const;

/** Pages of older comments come after the newest. */
export const commentsQuery = (params: RecordPlace) =>
  infiniteQueryOptions({
    queryKey: [...key(params), 'list'],
    queryFn: ({ pageParam, signal }) =>
      call(listComments, { params, query: pageParam === null ? {} : { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });

export const commentCountQuery = (params: RecordPlace) =>
  queryOptions({
    queryKey: [...key(params), 'count'],
    queryFn: async ({ signal }) => (await call(countComments, { params, signal })).count,
  });

export const subscriptionQuery = (params: RecordPlace) =>
  queryOptions({
    queryKey: [...key(params), 'subscription'],
    queryFn: async ({ signal }) => (await call(getSubscription, { params, signal })) !== undefined,
  });

export const reloadComments = (params: RecordPlace): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: key(params) });

/** While the record is open. */
export const useLiveComments = ({ tableId, recordId }: RecordPlace, listen: TableRecords['listen']): void => {
  useEffect(
    () =>
      listen((event) => {
        if (event.kind === 'commented' && (event.mayBeAny || event.recordIds.includes(recordId)))
          void reloadComments({ tableId, recordId });
      }),
    [tableId, recordId, listen],
  );
};
