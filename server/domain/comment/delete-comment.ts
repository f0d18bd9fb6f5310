// DELETE /comment/:tableId/:recordId/:commentId
import { forbidden } from '@rowhouse/contract/error.ts';
import { can } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Unconfirmed } from '../../context.ts';
import { changeComment, type CommentPath } from './change-comment.ts';
import { removeComment } from './comment.sql.ts';

export const deleteComment = (request: Unconfirmed, path: CommentPath): Promise<void> =>
  changeComment(request, path, async (context, { table }, { id, createdBy }) => {
    if (createdBy !== context.principal.userId) {
      if (!can(context.access, 'table|update'))
        throw forbidden('Only the author of a comment, and those who may change the table, may delete it');
      await writeAudit(
        context.db,
        doerOf(context),
        'comment.deleted',
        { spaceIds: [context.access.spaceId] },
        { baseId: table.baseId, tableId: table.id, recordId: path.recordId, commentId: id, userId: createdBy },
      );
    }
    await removeComment(context.db, table, id);
    return { notify: null };
  });
