// GET /comment/:tableId/:recordId/list and GET /comment/:tableId/:recordId/:commentId
import type { Comment, listComments as endpoint } from '@rowhouse/contract/comment.ts';
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { Unconfirmed } from '../../context.ts';
import { guardedRead } from '../../pipeline/pipeline.ts';
import { selectComments } from './comment.sql.ts';
import { showComments } from './show-comments.ts';

export const listComments = (
  request: Unconfirmed,
  recordId: string,
  query: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> =>
  guardedRead(request, async (context, sight) => {
    const { take = 20, cursor = '', includeCursor = true, direction = 'forward' } = query;
    const page = {
      recordId,
      take,
      cursor: cursor === '' ? null : cursor,
      includeCursor,
      towards: direction === 'forward' ? ('older' as const) : ('newer' as const),
    };
    const { comments, people, isSeen, isCursorThere, ...facts } = await selectComments(context.db, sight, page);
    if (!isSeen) throw notFound('Record', recordId);
    if (!isCursorThere)
      throw invalid({
        path: 'query.cursor',
        message: 'This comment is not on the record any more',
        expected: 'the id of a comment on the record',
      });
    const shown = await showComments(context, sight, comments.slice(0, take), people);
    return {
      facts,
      value: { comments: direction === 'forward' ? shown.toReversed() : shown, nextCursor: comments[take]?.id ?? null },
    };
  });

/** Undefined when there is none, as in Teable. */
export const getComment = (request: Unconfirmed, recordId: string, commentId: string): Promise<Comment | undefined> =>
  guardedRead(request, async (context, sight) => {
    const { comments, people, isSeen, ...facts } = await selectComments(context.db, sight, {
      recordId,
      take: 1,
      cursor: commentId,
      includeCursor: true,
      towards: 'newer',
    });
    if (!isSeen) throw notFound('Record', recordId);
    const [shown] = await showComments(context, sight, comments.slice(0, 1), people);
    return { facts, value: shown };
  });
