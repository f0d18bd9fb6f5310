import type { Notification } from '@rowhouse/contract/notification.ts';
import { eyesOf, type Principal } from '../../catalog/principal.ts';
import { hiddenText } from './message.ts';
import type { NotificationRow } from './notification.sql.ts';

type Told = Pick<NotificationRow, 'type' | 'isHidden' | 'message' | 'actorName'>;

/** Comments are told of with the title of their record. */
const namesRecords = ({ type }: Told): boolean =>
  type === 'comment' || type === 'collaboratorCellTag' || type === 'collaboratorMultiRowTag';

/** `principal`: null for an e-mail, which goes to the person and not to a token. */
export const messageOf = (row: Told, principal: Principal | null): string =>
  row.isHidden || (principal !== null && namesRecords(row) && !eyesOf(principal).seesCells)
    ? hiddenText(row.type, row.actorName)
    : row.message;

export const notificationVo = (row: NotificationRow, principal: Principal, publicUrl: string): Notification => ({
  id: row.id,
  notifyIcon:
    row.type === 'system' || row.actorId === null || row.actorName === null
      ? { iconUrl: `${publicUrl}/icon.svg` }
      : { userId: row.actorId, userName: row.actorName, userAvatarUrl: row.actorAvatar },
  notifyType: row.type,
  url: publicUrl + row.path,
  message: messageOf(row, principal),
  isRead: row.isRead,
  createdTime: row.createdTime,
});
