import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../context.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { avatarAddress, updateAvatarOf } from '../user/user.sql.ts';
import { deletePublicFiles } from './public-file.sql.ts';
import { showPicture } from './show-picture.ts';

export const updateAvatar = async (
  context: Context,
  body: AsyncIterable<Buffer> | undefined,
  headers: IncomingHttpHeaders,
): Promise<void> => {
  const { principal } = context;
  demandUnrestricted(principal);
  const { userId } = principal;
  // The address of cells is always the same; here it changes with the picture, so that browsers fetch the new one.
  await showPicture(context, userId, body, headers, (tx, token) =>
    updateAvatarOf(tx, userId, `${avatarAddress}${userId}?v=${token.slice(-6)}`),
  );
};

export const deleteAvatar = (context: Context): Promise<void> => {
  const { userId } = context.principal;
  demandUnrestricted(context.principal);
  return context.db.transaction(async (tx) => {
    await deletePublicFiles(tx, userId);
    await updateAvatarOf(tx, userId, null);
  });
};
