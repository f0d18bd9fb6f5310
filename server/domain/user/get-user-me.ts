import { unauthorized } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { selectUser, type UserMe } from './user.sql.ts';

export const getUserMe = async (context: Context): Promise<UserMe> => {
  const user = await selectUser(context.db, context.principal.userId);
  // Removed since the credential was checked.
  if (user === undefined) throw unauthorized();
  return user;
};
