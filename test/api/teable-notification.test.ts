// The official client of Teable, unmodified: its calls for notifications, and its own schemas for the answers.
import * as teable from '@teable/openapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../contract/id.ts';
import { insertNotifications } from '../../server/domain/notification/notification.sql.ts';
import { type Person, person } from '../support/people.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
const { axios } = teable;
let who: Person;

beforeAll(async () => {
  who = await person(world());
  const actor = await person(world());
  await insertNotifications(
    world().db,
    Array.from({ length: 12 }, (_, at) => ({
      id: newId('not'),
      userId: who.userId,
      type: at % 2 === 0 ? ('system' as const) : ('collaboratorCellTag' as const),
      message: `${at}`,
      path: '/',
      actorId: at % 2 === 0 ? null : actor.userId,
      source: null,
    })),
    false,
  );
  axios.defaults.baseURL = world().baseUrl;
  axios.defaults.headers.common.Authorization = `Bearer ${who.token}`;
});

afterAll(() => {
  delete axios.defaults.headers.common.Authorization;
});

test('getNotificationList, getNotificationUnreadCount, updateNotificationStatus and notificationReadAll work', async () => {
  const states = { unread: 'unread', read: 'read' } as unknown as Record<
    'unread' | 'read',
    Parameters<typeof teable.getNotificationList>[0]['notifyStates']
  >;
  const page = await teable.getNotificationList({ notifyStates: states.unread });
  const { notifications, nextCursor } = teable.notificationVoSchema.parse(page.data);
  expect(notifications).toHaveLength(10);
  const rest = await teable.getNotificationList({ notifyStates: states.unread, cursor: nextCursor ?? null });
  expect(teable.notificationVoSchema.parse(rest.data).notifications).toHaveLength(2);

  const count = async (): Promise<number> =>
    teable.notificationUnreadCountVoSchema.parse((await teable.getNotificationUnreadCount()).data).unreadCount;
  expect(await count()).toBe(12);
  const { id } = notifications[0] as { id: string };
  const marked = await teable.updateNotificationStatus({ notificationId: id, updateNotifyStatusRo: { isRead: true } });
  expect(marked.status).toBe(200);
  expect(await count()).toBe(11);
  expect((await teable.getNotificationList({ notifyStates: states.read })).data.notifications).toMatchObject([
    { id, isRead: true },
  ]);
  expect((await teable.notificationReadAll()).status).toBe(200);
  expect(await count()).toBe(0);
});
