// GET /comment/:tableId/count and GET /comment/:tableId/:recordId/count
import type { countCommentsByQuery as endpoint } from '@rowhouse/contract/comment.ts';
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { notFound } from '@rowhouse/contract/error.ts';
import type { Unconfirmed } from '../../context.ts';
import { guardedRead, seen } from '../../pipeline/pipeline.ts';
import { queryFor } from '../record/read/list-records.ts';
import { countOfPage, countOfRecord, hasComments } from './comment.sql.ts';

export const countComments = (request: Unconfirmed, recordId: string): Promise<{ count: number }> =>
  guardedRead(request, async (context, sight) => {
    const { count, isSeen, ...facts } = await countOfRecord(context.db, sight, recordId);
    if (!isSeen) throw notFound('Record', recordId);
    return { facts, value: { count } };
  });

export const countCommentsByQuery = (
  request: Unconfirmed,
  query: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> =>
  guardedRead(request, async (context, sight) => {
    const { where, keys } = queryFor(sight, query);
    if (!(await hasComments(context.db, sight.table))) return seen(context, sight, []);
    const { counts, ...facts } = await countOfPage(context.db, sight, {
      where,
      keys,
      take: query.take ?? 100,
      skip: query.skip ?? 0,
    });
    return { facts, value: counts };
  });
