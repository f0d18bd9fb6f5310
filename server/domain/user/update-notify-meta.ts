import type { Context } from '../../context.ts';
import { demandUnrestricted } from './demand-unrestricted.ts';
import { mergeNotifyMeta } from './user.sql.ts';

export const updateNotifyMeta = async (context: Context, input: { email?: boolean | undefined }): Promise<void> => {
  demandUnrestricted(context.principal);
  if (input.email !== undefined) await mergeNotifyMeta(context.db, context.principal.userId, { email: input.email });
};
