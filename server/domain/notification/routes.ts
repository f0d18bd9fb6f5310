import * as contract from '@rowhouse/contract/notification.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { getUnreadCount, listNotifications } from './list-notifications.ts';
import { readAllNotifications } from './read-all-notifications.ts';
import { updateNotificationStatus } from './update-notification-status.ts';

export const notificationRoutes: Route[] = [
  route(contract.listNotifications, (context, { query }) => listNotifications(context, query)),
  route(contract.getUnreadCount, getUnreadCount),
  route(contract.updateNotificationStatus, (context, { params, body }) =>
    updateNotificationStatus(context, params.notificationId, body.isRead),
  ),
  route(contract.readAllNotifications, readAllNotifications),
];
