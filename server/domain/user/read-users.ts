import { unauthorized } from '@rowhouse/contract/error.ts';
import type { ShownEmail } from '@rowhouse/contract/user.ts';
import { eyesOf, shownEmail } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { selectUser, selectUsers, type UserListed, type UserMe } from './user.sql.ts';

export const getUserMe = async (context: Context): Promise<UserMe> => {
  const user = await selectUser(context.db, context.principal.userId);
  // Removed since the credential was checked.
  if (user === undefined) throw unauthorized();
  return user;
};

interface UserInfo {
  id: string;
  name: string;
  avatar: string | null;
  email?: ShownEmail;
}

export const getUser = async (context: Context): Promise<UserInfo> => {
  const { id, name, avatar, email } = await getUserMe(context);
  return {
    id,
    name,
    avatar,
    ...(eyesOf(context.principal).seesEmails ? { email: shownEmail(context.principal, email) } : {}),
  };
};

/** Everybody, oldest first. */
export const listUsers = (db: Queryable): Promise<UserListed[]> => selectUsers(db);
