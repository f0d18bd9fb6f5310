import type { Context } from '../../context.ts';
import { hasScope } from '../../catalog/principal.ts';
import { getUserMe } from './get-user-me.ts';

export interface UserInfo {
  id: string;
  name: string;
  avatar: string | null;
  email?: string;
}

export const getUser = async (context: Context): Promise<UserInfo> => {
  const { id, name, avatar, email } = await getUserMe(context);
  return { id, name, avatar, ...(hasScope(context.principal, 'user|email_read') ? { email } : {}) };
};
