import type { Context } from '../../context.ts';
import { demandUnrestricted } from './demand-unrestricted.ts';
import { updateName } from './user.sql.ts';

export const renameUser = async (context: Context, name: string): Promise<void> => {
  demandUnrestricted(context.principal);
  await updateName(context.db, context.principal.userId, name);
};
