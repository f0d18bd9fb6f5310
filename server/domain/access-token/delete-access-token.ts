import type { Context } from '../../context.ts';
import { deleteAccessTokenRow } from './access-token.sql.ts';
import { changeOwnToken } from './change-own-token.ts';

export const deleteAccessToken = (context: Context, id: string): Promise<void> =>
  changeOwnToken(context, id, async (tx) => {
    await deleteAccessTokenRow(tx, id);
  });
