// Notifications: what makes them, and what their owner does with them.
import { addSpaceCollaborators, updateSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import {
  getUnreadCount,
  listNotifications,
  type Notification,
  readAllNotifications,
  updateNotificationStatus,
} from '@rowhouse/contract/notification.ts';
import { createRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { createSpace } from '@rowhouse/contract/space.ts';
import { expect, test } from 'vitest';
import { addToOutbox } from '../../server/catalog/outbox.ts';
import { sql } from '../../server/db/sql.ts';
import { insertNotifications } from '../../server/domain/notification/notification.sql.ts';
import { removeOld } from '../../server/domain/notification/jobs.ts';
import { newId } from '../../contract/id.ts';
import { listen } from '../support/listen.ts';
import { type Person, person } from '../support/people.ts';
import { openWorkshop } from '../support/tables.ts';
import { give } from '../support/workspace.ts';
import { openWorld, useWorld } from '../support/world.ts';

const world = useWorld();

const list = async (who: Person, notifyStates: 'unread' | 'read' = 'unread'): Promise<Notification[]> =>
  (await who.call(listNotifications, { query: { notifyStates } })).body.notifications;

const unread = async (who: Person): Promise<number> => (await who.call(getUnreadCount)).body.unreadCount;

/** Waits, by the live feed, until the person has that many unread. */
const untilUnread = async (who: Person, count: number): Promise<void> => {
  const ear = await listen(`${world().baseUrl}/notifications/events`, { token: who.token });
  await ear.until((event) => event.name === 'notification.unread' && event.data.unreadCount === count);
  ear.close();
};

const put = (who: Person, count: number): Promise<void> =>
  insertNotifications(
    world().db,
    Array.from({ length: count }, (_, at) => ({
      id: newId('not'),
      userId: who.userId,
      type: 'system' as const,
      message: `message ${at}`,
      path: '/',
      actorId: null,
      source: null,
    })),
    false,
  );

/** A table with a user field that notifies, one that does not, and people in its space. */
const openTasks = async () => {
  const shop = await openWorkshop(world());
  const [ada, ben] = await Promise.all([person(world(), { name: 'Ada' }), person(world(), { name: 'Ben' })]);
  await give(shop.owner, shop.spaceId, ada, 'editor');
  await give(shop.owner, shop.spaceId, ben, 'editor');
  await Promise.all([untilUnread(ada, 1), untilUnread(ben, 1)]);
  for (const one of [ada, ben]) await one.call(readAllNotifications);
  const table = await shop.table({
    name: 'Tasks',
    records: [],
    fields: [
      { type: 'singleLineText', name: 'Name' },
      { type: 'user', name: 'Doers', options: { isMultiple: true } },
      { type: 'user', name: 'Quiet', options: { shouldNotify: false } },
    ],
  });
  return { ...shop, ada, ben, tasks: table, params: { tableId: table.id } };
};

const cell = (who: Person) => ({ id: who.userId, title: who.name });

test('anyone who is newly named in a user field is told once, but not anyone who named them', async () => {
  const { owner, ada, ben, baseId, tasks, params } = await openTasks();
  const made = await owner.call(createRecords, {
    params,
    body: { records: [{ fields: { Name: 'a', Doers: [cell(ada), cell(owner)], Quiet: cell(ben) } }] },
  });
  const recordId = made.body.records[0]?.id as string;
  await untilUnread(ada, 1);
  const [first] = await list(ada);
  expect(first).toMatchObject({
    notifyType: 'collaboratorCellTag',
    notifyIcon: { userId: owner.userId, userName: 'Owner' },
    message: 'Owner assigned you a record in Tasks (Doers)',
    url: `${world().origin}/base/${baseId}/${tasks.id}?recordId=${recordId}`,
    isRead: false,
  });
  await ben.call(updateRecords, {
    params,
    body: { records: [{ id: recordId, fields: { Doers: [cell(ben), cell(ada), cell(owner)] } }] },
  });
  await owner.call(updateRecords, {
    params,
    body: { records: [{ id: recordId, fields: { Doers: [cell(ada), cell(owner)] } }] },
  });
  await owner.call(updateRecords, {
    params,
    body: { records: [{ id: recordId, fields: { Doers: [cell(ada), cell(ben), cell(owner)] } }] },
  });
  await untilUnread(ben, 1);
  expect(await list(ben)).toMatchObject([{ notifyIcon: { userId: owner.userId } }]);
  expect(await unread(ada)).toBe(1);
  expect(await unread(owner)).toBe(0);
});

test('several records of one request make one notification', async () => {
  const { owner, ada, params } = await openTasks();
  const records = Array.from({ length: 3 }, (_, at) => ({ fields: { Name: `${at}`, Doers: [cell(ada)] } }));
  const made = await owner.call(createRecords, { params, body: { records } });
  await untilUnread(ada, 1);
  expect(await list(ada)).toMatchObject([
    { notifyType: 'collaboratorMultiRowTag', message: 'Owner assigned you 3 records in Tasks' },
  ]);
  await owner.call(updateRecords, {
    params,
    body: { records: made.body.records.map(({ id }) => ({ id, fields: { Doers: null } })) },
  });
  await owner.call(updateRecords, {
    params,
    body: { records: made.body.records.slice(0, 2).map(({ id }) => ({ id, fields: { Doers: [cell(ada)] } })) },
  });
  await untilUnread(ada, 2);
  expect((await list(ada))[0]).toMatchObject({
    notifyType: 'collaboratorMultiRowTag',
    message: 'Owner assigned you 2 records in Tasks',
  });
});

test('an invitation and another role are told', async () => {
  const { owner, spaceId } = await openWorkshop(world());
  const someone = await person(world());
  const principal = { principalId: someone.userId, principalType: 'user' as const };
  await owner.call(addSpaceCollaborators, {
    params: { spaceId },
    body: { collaborators: [principal], role: 'viewer' },
  });
  await untilUnread(someone, 1);
  await owner.call(updateSpaceCollaborator, { params: { spaceId }, body: { ...principal, role: 'editor' } });
  await untilUnread(someone, 2);
  expect(await list(someone)).toMatchObject([
    {
      notifyType: 'system',
      message: expect.stringMatching(/^Owner changed your role in the space .* to editor$/),
      url: `${world().origin}/space/${spaceId}`,
    },
    { notifyType: 'system', message: expect.stringMatching(/^Owner added you to the space .* as viewer$/) },
  ]);
  expect((await list(someone))[0]?.notifyIcon).toEqual({ iconUrl: `${world().origin}/icon.svg` });
});

test('owners are told of limits and of their subscription, and of tokens that are about to end', async () => {
  const owner = await person(world());
  const space = await owner.call(createSpace, { body: { name: 'Works' } });
  const spaceId = space.body.id;
  await world().db.transaction(async (tx) => {
    await addToOutbox(tx, { type: 'limitReached', spaceId, limit: 'maxRows', used: 800, allowed: 1_000, percent: 80 });
    await addToOutbox(tx, { type: 'subscriptionChanged', spaceId, status: 'past_due', level: 'pro' });
  });
  await owner.withToken({ name: 'nightly', expiredTime: new Date(Date.now() + 86_400_000) });
  await world().db.query(
    sql`update rowhouse.access_tokens set created_time = now() - interval '30 days' where user_id = ${owner.userId} and name = 'nightly'`,
  );
  // A server that starts looks for what was left behind.
  const second = await openWorld(world().databaseUrl);
  await untilUnread(owner, 3);
  await second.close();
  const third = await openWorld(world().databaseUrl);
  await third.close();
  expect((await list(owner)).map(({ message }) => message).toSorted()).toEqual([
    'The space Works has used 80 % of what its plan allows: 800 of 1,000 records',
    'The subscription of the space Works (pro) is now past due',
    expect.stringMatching(/^Your access token nightly expires on /),
  ]);
});

test('pages go newest first, by state, without gap or repeat', async () => {
  const who = await person(world());
  await put(who, 23);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await who.call(listNotifications, {
      query: { notifyStates: 'unread', ...(cursor === undefined ? {} : { cursor }) },
    });
    expect(page.body.notifications.length).toBeLessThanOrEqual(10);
    seen.push(...page.body.notifications.map(({ id }) => id));
    cursor = page.body.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(new Set(seen).size).toBe(23);
  expect(await list(who, 'read')).toEqual([]);
  for (const query of [
    {},
    { notifyStates: 'both' },
    { notifyStates: 'read', cursor: 'nothing' },
    { notifyStates: 'read', cursor: newId('not') },
  ]) {
    expect((await who.call(listNotifications, { query })).status).toBe(400);
  }
});

test('marking is counted exactly, also twice and from many sides at once', async () => {
  const who = await person(world());
  await put(who, 20);
  const both = [...(await list(who)), ...(await list(who))].map(({ id }) => id);
  const mark = (notificationId: string, isRead: boolean) =>
    who.call(updateNotificationStatus, { params: { notificationId }, body: { isRead } });
  await Promise.all(both.map((id) => mark(id, true)));
  expect(await unread(who)).toBe(10);
  const first = await mark(both[0] as string, true);
  expect(first).toMatchObject({ status: 200, body: { id: both[0], isRead: true } });
  expect(await list(who, 'read')).toHaveLength(10);
  await Promise.all([
    ...both.map((id, at) => mark(id, at % 2 === 0)),
    put(who, 5),
    who.call(readAllNotifications),
    put(who, 5),
  ]);
  const counted = await world().db.query<{ count: number }>(
    sql`select count(*) from rowhouse.notifications where user_id = ${who.userId} and not is_read`,
  );
  expect(await unread(who)).toBe(counted[0]?.count);
  expect((await who.call(readAllNotifications)).status).toBe(200);
  expect(await unread(who)).toBe(0);
});

test("another user's, unknown and malformed notifications are passed over, as in Teable, and bodies are checked", async () => {
  const [who, other] = [await person(world()), await person(world())];
  await put(who, 1);
  const [mine] = await list(who);
  for (const notificationId of [mine?.id as string, newId('not'), 'x', "'; --"]) {
    expect(
      await other.call(updateNotificationStatus, { params: { notificationId }, body: { isRead: true } }),
    ).toMatchObject({ status: 200, body: undefined });
  }
  expect(
    (
      await who.call(updateNotificationStatus, {
        params: { notificationId: mine?.id as string },
        body: { isRead: 'yes' } as never,
      })
    ).status,
  ).toBe(400);
  expect(await unread(who)).toBe(1);
});

test('notifications are heard as they come, and again what was missed', async () => {
  const who = await person(world());
  await put(who, 2);
  const url = `${world().baseUrl}/notifications/events`;
  const ear = await listen(url, { token: who.token });
  await ear.until((event) => event.name === 'notification.unread' && event.data.unreadCount === 2);
  const [newest] = await list(who);
  await who.call(updateNotificationStatus, {
    params: { notificationId: newest?.id as string },
    body: { isRead: true },
  });
  await ear.until((event) => event.name === 'notification.unread' && event.data.unreadCount === 1);
  await put(who, 1);
  world().services.live.inboxChanged();
  const heard = await ear.until((event) => event.name === 'notification.created');
  expect(heard).toMatchObject({
    id: 3,
    data: { unreadCount: 2, notification: { message: 'message 0', isRead: false } },
  });
  ear.close();
  await put(who, 2);
  const back = await listen(url, { token: who.token, lastEventId: 3 });
  await back.until((event) => event.id === 5);
  expect(back.heard.filter((event) => event.name === 'notification.created').map((event) => event.id)).toEqual([4, 5]);
  back.close();
  const lost = await listen(url, { token: who.token, lastEventId: 77 });
  await lost.until((event) => event.name === 'reload');
  lost.close();
});

test('what was committed before a crash is told by anyone who starts next, once', async () => {
  const { owner, ada, baseId, params } = await openTasks();
  const before = await unread(ada);
  // As if the process had died between commit and telling: the write is there, and nobody was woken.
  const made = await owner.call(createRecords, { params, body: { records: [{ fields: { Name: 'a' } }] } });
  await world().db.query(
    sql`update ${sql.id(baseId, '__operation')} set notify = ${JSON.stringify({ named: { [ada.userId]: { fieldName: 'Doers', recordId: made.body.records[0]?.id, count: 1 } } })}::jsonb
        where public_id = ${made.headers.get('x-operation-id')}`,
  );
  const [second, third] = await Promise.all([openWorld(world().databaseUrl), openWorld(world().databaseUrl)]);
  await untilUnread(ada, before + 1);
  await second.close();
  await third.close();
  expect(await unread(ada)).toBe(before + 1);
});

test('old read notifications are removed, unread ones stay', async () => {
  const who = await person(world());
  await put(who, 4);
  const [one, two] = await list(who);
  for (const item of [one, two])
    await who.call(updateNotificationStatus, {
      params: { notificationId: item?.id as string },
      body: { isRead: true },
    });
  await world().db.query(
    sql`update rowhouse.notifications set created_time = now() - interval '8 days' where user_id = ${who.userId} and id <> ${two?.id}`,
  );
  const { services } = world();
  await removeOld({ ...services, config: { ...services.config, notificationDays: 7 } }, new AbortController().signal);
  expect(await list(who, 'read')).toMatchObject([{ id: two?.id }]);
  expect(await unread(who)).toBe(2);
});

test('the newest come first, also among those that were made at the same moment; pages and the live feed agree', async () => {
  const ada = await person(world(), { name: 'Ada' });
  const ear = await listen(`${world().baseUrl}/notifications/events`, { token: ada.token });
  await ear.until(({ name }) => name === 'ready');
  await put(ada, 25);
  world().services.live.inboxChanged();
  const found: Notification[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = (
      await ada.call(listNotifications, {
        query: { notifyStates: 'unread', ...(cursor === undefined ? {} : { cursor }) },
      })
    ).body;
    found.push(...page.notifications);
    if (page.nextCursor === undefined || page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  const oldestFirst = Array.from({ length: 25 }, (_, at) => `message ${at}`);
  expect(found.map(({ message }) => message).reverse()).toEqual(oldestFirst);
  const times = found.map(({ createdTime }) => createdTime);
  expect(times).toEqual([...times].sort().reverse());
  await ear.until(
    ({ data }) => (data as { notification?: { message: string } }).notification?.message === 'message 24',
  );
  expect(
    ear.heard.flatMap(({ data }) => (data as { notification?: { message: string } }).notification?.message ?? []),
  ).toEqual(oldestFirst);
  ear.close();
});

test('what waited to be told is told in the order in which it happened', async () => {
  const [ada, boss] = await Promise.all([person(world(), { name: 'Ada' }), person(world(), { name: 'Boss' })]);
  const space = await boss.call(createSpace, { body: { name: 'Space' } });
  const roles = ['viewer', 'editor', 'creator', 'commenter', 'owner'] as const;
  await world().db.transaction(async (tx) => {
    for (const role of roles)
      await addToOutbox(tx, {
        type: 'roleChanged',
        userIds: [ada.userId],
        place: { type: 'space', id: space.body.id },
        role,
        actorId: boss.userId,
      });
  });
  world().services.work.wake();
  await untilUnread(ada, roles.length);
  expect((await list(ada)).map(({ message }) => message.split(' ').at(-1)).reverse()).toEqual([...roles]);
});

test('everything that comes after the headers of a stream is heard', async () => {
  const ada = await person(world(), { name: 'Ada' });
  for (let round = 1; round <= 20; round += 1) {
    const ear = await listen(`${world().baseUrl}/notifications/events`, { token: ada.token });
    await put(ada, 1);
    world().services.live.inboxChanged();
    const heard = await ear.until(({ name }) => name === 'notification.created');
    expect(heard.data.unreadCount).toBe(round);
    ear.close();
  }
});
