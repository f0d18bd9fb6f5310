import type { Context } from '../../context.ts';
import { demandUnrestricted } from './demand-unrestricted.ts';
import { mergeNotifyMeta, updateLanguage, updateName } from './user.sql.ts';

export const renameUser = async (context: Context, name: string): Promise<void> => {
  demandUnrestricted(context.principal);
  await updateName(context.db, context.principal.userId, name);
};

export const updateNotifyMeta = async (context: Context, input: { email?: boolean | undefined }): Promise<void> => {
  demandUnrestricted(context.principal);
  if (input.email !== undefined) await mergeNotifyMeta(context.db, context.principal.userId, { email: input.email });
};

export const setLanguage = async (context: Context, lang: string): Promise<void> => {
  demandUnrestricted(context.principal);
  await updateLanguage(context.db, context.principal.userId, lang);
};
