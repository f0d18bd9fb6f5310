// PATCH and DELETE /comment/:tableId/:recordId/:commentId/reaction
import type { Unconfirmed } from '../../context.ts';
import { changeComment, type CommentPath } from './change-comment.ts';
import { setReactions, type StoredReaction } from './comment.sql.ts';

const reacted = (known: readonly StoredReaction[], reaction: string, userId: string): StoredReaction[] =>
  known.some((one) => one.reaction === reaction)
    ? known.map((one) => (one.reaction === reaction ? { reaction, user: [...one.user, userId] } : one))
    : [...known, { reaction, user: [userId] }];

const has = (known: readonly StoredReaction[], reaction: string, userId: string): boolean =>
  known.some((one) => one.reaction === reaction && one.user.includes(userId));

/** The second time changes nothing. */
export const createReaction = (request: Unconfirmed, path: CommentPath, reaction: string): Promise<void> =>
  changeComment(request, path, async ({ db, principal: { userId } }, { table }, { id, createdBy, reactions }) => {
    const known = reactions ?? [];
    if (has(known, reaction, userId)) return undefined;
    await setReactions(db, table, id, reacted(known, reaction, userId));
    return { notify: { id, recordId: path.recordId, cause: 'reacted', mentioned: [], authorId: createdBy, reaction } };
  });

export const deleteReaction = (request: Unconfirmed, path: CommentPath, reaction: string): Promise<void> =>
  changeComment(request, path, async ({ db, principal: { userId } }, { table }, { id, reactions }) => {
    const known = reactions ?? [];
    if (!has(known, reaction, userId)) return undefined;
    const left = known
      .map((one) =>
        one.reaction === reaction ? { reaction, user: one.user.filter((other) => other !== userId) } : one,
      )
      .filter(({ user }) => user.length > 0);
    await setReactions(db, table, id, left.length === 0 ? null : left);
    return { notify: null };
  });
