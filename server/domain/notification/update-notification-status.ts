import { notFound } from '@rowhouse/contract/error.ts';
import { isId } from '@rowhouse/contract/id.ts';
import type { Notification } from '@rowhouse/contract/notification.ts';
import type { Context } from '../../context.ts';
import { notificationVo } from './notification-vo.ts';
import { lockInbox, updateRead } from './notification.sql.ts';

export const updateNotificationStatus = async (context: Context, notificationId: string, isRead: boolean): Promise<Notification> => {
  const { userId } = context.principal;
  if (!isId('not', notificationId)) throw notFound('Notification', String(notificationId).slice(0, 50));
  const row = await context.db.transaction(async (tx) => {
    await lockInbox(tx, userId);
    return updateRead(tx, userId, notificationId, isRead);
  });
  if (row === undefined) throw notFound('Notification', notificationId);
  context.live.inboxChanged();
  return notificationVo(row, context.publicUrl());
};
