// PATCH /comment/:tableId/:recordId/:commentId
import type { CommentBlock } from '@rowhouse/contract/comment.ts';
import { forbidden } from '@rowhouse/contract/error.ts';
import type { Unconfirmed } from '../../context.ts';
import { demandBytes } from '../plan/demand-bytes.ts';
import { changeComment, type CommentPath } from './change-comment.ts';
import { setContent } from './comment.sql.ts';
import { mentionsOf, readContent } from './content.ts';
import { claimImages, demandMentions } from './demand-mentions.ts';

export const updateComment = (
  request: Unconfirmed,
  path: CommentPath,
  content: readonly CommentBlock[],
): Promise<void> =>
  changeComment(request, path, async (context, sight, { id, createdBy, content: before }) => {
    if (createdBy !== context.principal.userId) throw forbidden('Only the author of a comment may change it');
    demandBytes(context);
    const read = readContent(content);
    const { people, files } = await demandMentions(context, sight, read, before);
    await claimImages(context, files);
    await setContent(context.db, sight.table, id, read);
    const known = mentionsOf([before]).people;
    const mentioned = people.filter((userId) => !known.includes(userId));
    return { notify: mentioned.length === 0 ? null : { id, recordId: path.recordId, cause: 'changed', mentioned } };
  });
