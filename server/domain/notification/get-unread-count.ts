import type { Context } from '../../context.ts';
import { selectUnread } from './notification.sql.ts';

export const getUnreadCount = async (context: Context): Promise<{ unreadCount: number }> => ({
  unreadCount: await selectUnread(context.db, context.principal.userId),
});
