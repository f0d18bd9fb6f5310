// GET /comment/:tableId/:recordId/attachment/:path
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Unconfirmed } from '../../context.ts';
import { guardedRead } from '../../pipeline/pipeline.ts';
import { selectUsed } from '../file/file.sql.ts';
import { urlFor } from '../file/person-address.ts';
import { mentionsImage } from './comment.sql.ts';
import { tokenOf } from './content.ts';

export const getCommentAttachment = (request: Unconfirmed, recordId: string, path: string): Promise<string> =>
  guardedRead(request, async (context, sight) => {
    const { db } = context;
    const token = tokenOf(path);
    const { isThere, ...facts } = await mentionsImage(db, sight, recordId, path);
    if (!isThere || token === undefined || (await selectUsed(db, sight.table.baseId, [token])).length === 0)
      throw new ApiError('not_found', 'No comment on this record shows this image');
    return { facts, value: urlFor(context, context.access)(path) };
  });
