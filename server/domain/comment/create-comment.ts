// POST /comment/:tableId/:recordId/create
import type { Comment, createComment as endpoint } from '@rowhouse/contract/comment.ts';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { OperationFacts } from '../../catalog/operation.sql.ts';
import { namedJob } from '../../catalog/outbox.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Unconfirmed } from '../../context.ts';
import { guardOf } from '../../pipeline/guard.sql.ts';
import { guardedWrite, type TableContext, Unwritten } from '../../pipeline/pipeline.ts';
import { demandBytes } from '../plan/demand-bytes.ts';
import { explainMissing } from '../record/write/missing.ts';
import { refusedRecords } from '../record/write/not-permitted.ts';
import type { Notify } from '../record/write/notify.ts';
import { permitted, selectUnpermitted } from '../record/write/permits.sql.ts';
import { Stale } from '../../pipeline/stale.ts';
import { operationOf } from '../record/write/write.ts';
import { type CommentRow, insertComment, type NewComment, selectComment, selectPeopleById } from './comment.sql.ts';
import { readContent } from './content.ts';
import { claimImages, demandMentions } from './demand-mentions.ts';
import { showComments } from './show-comments.ts';

interface Planned {
  sight: Sight;
  comment: NewComment;
  files: readonly string[];
  people: readonly string[];
  operation: OperationFacts;
}

const plan = async (
  context: TableContext,
  sight: Sight,
  recordId: string,
  { content, quoteId }: BodyOf<typeof endpoint>,
): Promise<Planned> => {
  demandBytes(context);
  const read = readContent(content);
  const { people, files } = await demandMentions(context, sight, read);
  const quoted = quoteId == null ? undefined : await selectComment(context.db, sight.table, recordId, quoteId);
  if (quoteId != null && quoted === undefined)
    throw invalid({
      path: 'quoteId',
      message: 'There is no such comment on this record',
      expected: 'the id of a comment on the record',
    });
  const comment = { id: context.newId('com'), recordId, quoteId: quoteId ?? null, content: read };
  const notify: Notify = {
    comment: {
      id: comment.id,
      recordId,
      cause: 'created',
      mentioned: people,
      ...(quoted === undefined ? {} : { authorId: quoted.createdBy }),
    },
  };
  return { sight, comment, files, people, operation: operationOf(context, 'comment', JSON.stringify(notify)) };
};

export const createComment = (
  request: Unconfirmed,
  recordId: string,
  body: BodyOf<typeof endpoint>,
): Promise<Comment> =>
  guardedWrite<Planned, CommentRow, Comment>(request, {
    plan: (context, sight) => plan(context, sight, recordId, body),
    needsTransaction: ({ files }) => files.length > 0,
    async write(context, { sight, comment, files, operation }) {
      await claimImages(context, files);
      const guard = guardOf(context, sight.table);
      return (await insertComment(context.db, sight, guard, comment, operation)) ?? new Unwritten(guard);
    },
    async refuse({ db }, { sight }) {
      const fault = await explainMissing(db, sight, [recordId], undefined);
      if (!(fault instanceof Stale)) return fault;
      const kept = await selectUnpermitted(db, sight, [recordId], permitted(sight, 'comment'));
      return kept.length === 0 ? fault : refusedRecords('comment on', kept, sight.rule.may?.comment ?? []);
    },
    async answer(context, { sight, people, operation }, row) {
      context.noteOperation(operation.publicId);
      context.work.add(namedJob(sight.table.baseId));
      const [shown] = await showComments(
        context,
        sight,
        [row],
        await selectPeopleById(context.db, [row.createdBy, ...people]),
      );
      return shown as Comment;
    },
  });
