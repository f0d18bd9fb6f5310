import { isId } from '@rowhouse/contract/id.ts';
import type { Notification } from '@rowhouse/contract/notification.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { notificationVo } from './notification-vo.ts';
import { lockInbox, updateRead } from './notification.sql.ts';

/** Of one that is unknown, or of somebody else, nothing is said and nothing changes, as in Teable. */
export const updateNotificationStatus = async (
  context: Context,
  notificationId: string,
  isRead: boolean,
): Promise<Notification | undefined> => {
  const { userId } = context.principal;
  if (!isId('not', notificationId)) return undefined;
  const row = await retriedTransaction(context.db, async (tx) => {
    await lockInbox(tx, userId);
    return updateRead(tx, userId, notificationId, isRead);
  });
  if (row === undefined) return undefined;
  context.live.inboxChanged();
  return notificationVo(row, context.principal, context.publicUrl());
};
