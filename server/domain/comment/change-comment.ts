// What changing, deleting and reacting share: the comment is locked, and everybody who listens hears that it changed.
import { notFound } from '@rowhouse/contract/error.ts';
import { namedJob } from '../../catalog/outbox.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Unconfirmed } from '../../context.ts';
import { guardOf } from '../../pipeline/guard.sql.ts';
import { guardedWrite, type TableContext, Unwritten } from '../../pipeline/pipeline.ts';
import type { Notify } from '../record/write/notify.ts';
import { operationOf } from '../record/write/write.ts';
import { addOperation, type CommentRow, lockComment } from './comment.sql.ts';

export interface CommentPath {
  recordId: string;
  commentId: string;
}

/** Of what was changed: whom it concerns. Undefined: nothing was. */
type Change = (
  context: TableContext,
  sight: Sight,
  comment: CommentRow,
) => Promise<{ notify: Notify['comment'] | null } | undefined>;

export const changeComment = (
  request: Unconfirmed,
  { recordId, commentId }: CommentPath,
  change: Change,
): Promise<void> =>
  guardedWrite<Sight, Notify['comment'] | null, void>(request, {
    plan: async (_context, sight) => sight,
    needsTransaction: () => true,
    async write(context, sight) {
      const guard = guardOf(context, sight.table);
      const comment = await lockComment(context.db, sight, guard, recordId, commentId);
      if (comment === undefined) return new Unwritten(guard);
      const changed = await change(context, sight, comment);
      if (changed === undefined) return null;
      const notify: Notify | null = changed.notify == null ? null : { comment: changed.notify };
      const operation = operationOf(context, 'comment', notify === null ? null : JSON.stringify(notify));
      await addOperation(context.db, sight.table, operation, [recordId]);
      context.noteOperation(operation.publicId);
      return changed.notify ?? null;
    },
    refuse: async () => notFound('Comment', commentId),
    answer({ work }, { table }, notify) {
      if (notify !== null) work.add(namedJob(table.baseId));
    },
  });
