// Notifications of the calling user.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';

const tag = 'notification';

export const Notification = Type.Object({
  id: Type.String(),
  notifyIcon: Type.Union(
    [
      Type.Object({
        userId: Type.String(),
        userName: Type.String(),
        userAvatarUrl: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      }),
      Type.Object({ iconUrl: Type.String() }),
    ],
    { description: 'The one who caused it, or the icon of the instance.' },
  ),
  notifyType: Type.Enum(['system', 'collaboratorCellTag', 'collaboratorMultiRowTag', 'comment', 'exportBase']),
  url: Type.String({ description: 'Where to look, as an absolute address.' }),
  message: Type.String(),
  isRead: Type.Boolean(),
  createdTime: Type.String({ description: 'ISO 8601, UTC' }),
});
export type Notification = Static<typeof Notification>;

export const listNotifications = endpoint({
  name: 'listNotifications',
  method: 'GET',
  path: '/notifications',
  summary: 'List notifications, newest first',
  description: 'Ten per page. Not for tokens of applications.',
  tag,
  access: { on: 'user', everywhere: true },
  query: Type.Object({
    notifyStates: Type.Enum(['unread', 'read']),
    cursor: Type.Optional(Type.String({ maxLength: 50, description: '`nextCursor` of the page before.' })),
  }),
  status: 200,
  response: Type.Object({
    notifications: Type.Array(Notification),
    nextCursor: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'Absent on the last page.' })),
  }),
});

export const getUnreadCount = endpoint({
  name: 'getUnreadCount',
  method: 'GET',
  path: '/notifications/unread-count',
  summary: 'Count unread notifications',
  tag,
  access: { on: 'user', everywhere: true },
  status: 200,
  response: Type.Object({ unreadCount: Type.Integer({ minimum: 0 }) }),
});

export const updateNotificationStatus = endpoint({
  name: 'updateNotificationStatus',
  method: 'PATCH',
  path: '/notifications/:notificationId/status',
  summary: 'Mark a notification as read or unread',
  description: 'One that is unknown, or of somebody else, is passed over: the answer is empty then.',
  tag,
  access: { on: 'user', everywhere: true },
  params: Type.Object({ notificationId: Type.String() }),
  body: Type.Object({ isRead: Type.Boolean() }),
  status: 200,
  response: Notification,
  mayBeEmpty: true,
});

export const readAllNotifications = endpoint({
  name: 'readAllNotifications',
  method: 'PATCH',
  path: '/notifications/read-all',
  summary: 'Mark all notifications as read',
  description: 'Not for tokens of applications.',
  tag,
  access: { on: 'user', everywhere: true },
  status: 200,
});
