import type { Notification } from '@rowhouse/contract/notification.ts';
import type { NotificationRow } from './notification.sql.ts';

export const notificationVo = (row: NotificationRow, publicUrl: string): Notification => ({
  id: row.id,
  notifyIcon:
    row.type === 'system' || row.actorId === null || row.actorName === null
      ? { iconUrl: `${publicUrl}/icon.svg` }
      : { userId: row.actorId, userName: row.actorName, userAvatarUrl: row.actorAvatar },
  notifyType: row.type,
  url: publicUrl + row.path,
  message: row.message,
  isRead: row.isRead,
  createdTime: row.createdTime,
});
