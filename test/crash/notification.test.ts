// A crash between the commit of a cause and the telling of it: nobody misses a notification, nobody gets one twice.
import { addSpaceCollaborators, updateSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { getUnreadCount, listNotifications, type Notification } from '@rowhouse/contract/notification.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { expect, test } from 'vitest';
import { hurryJobs } from '../../proof/hurry-jobs.sql.ts';
import { type Caller, caller } from '../support/caller.ts';
import { credentialsIn, postgresPid, serve, until, usedDataFolder } from '../support/program.ts';

/** Of the server alone and together with PostgreSQL, in turn. `npm run proof -- kill` does it a hundred times. */
const cycles = 2;

const everyNotification = async (call: Caller): Promise<Notification[]> => {
  const all: Notification[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await call(listNotifications, {
      query: { notifyStates: 'unread', ...(cursor == null ? {} : { cursor }) },
    });
    all.push(...page.body.notifications);
    cursor = page.body.nextCursor;
  } while (cursor != null);
  return all;
};

const recordOf = ({ url }: Notification): string | null => new URL(url).searchParams.get('recordId');

test(`after ${cycles} kills everyone who was named or got a role was told exactly once`, async () => {
  const data = usedDataFolder();
  let server = await serve({ ROWHOUSE_DATA: data });
  const known = credentialsIn(data);
  const { spaceId } = known as unknown as { spaceId: string };
  const password = 'correct-horse-1';
  const signUp = await fetch(`${server.origin}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password }),
  });
  const ada = (await signUp.json()) as { id: string; name: string };
  const cookie = signUp.headers.get('set-cookie')?.split(';')[0] as string;
  const owner = (): Caller => caller({ baseUrl: `${server.origin}/api`, token: known.token });
  const reader = (): Caller => caller({ baseUrl: `${server.origin}/api`, headers: { cookie } });
  const principal = { principalId: ada.id, principalType: 'user' as const };
  expect(
    (
      await owner()(addSpaceCollaborators, {
        params: { spaceId },
        body: { collaborators: [principal], role: 'editor' },
      })
    ).status,
  ).toBe(200);
  const made = await owner()(createTable, {
    params: { baseId: known.baseId },
    body: {
      name: 'Tasks',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        { name: 'Doer', type: 'user' },
      ],
      records: [],
    },
  });
  const params = { tableId: made.body.id };

  /** Records that name her, by whether their creation was acknowledged. */
  const named: string[] = [];
  const roles = { asked: 0, given: 0 };
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const call = owner();
    let isOver = false;
    const name = async (): Promise<void> => {
      while (!isOver) {
        const written = await call(createRecords, {
          params,
          body: { records: [{ fields: { Doer: { id: ada.id, title: ada.name } } }] },
        }).catch(() => undefined);
        if (written === undefined) return;
        if (written.status === 201) named.push(written.body.records[0]?.id as string);
      }
    };
    const promote = async (): Promise<void> => {
      // Whether the last one before the kill came to pass is not known, so the first may give the role that is there: no news.
      for (let isFirst = true; !isOver; isFirst = false) {
        roles.asked += 1;
        const changed = await call(updateSpaceCollaborator, {
          params: { spaceId },
          body: { ...principal, role: roles.asked % 2 === 0 ? 'editor' : 'creator' },
        }).catch(() => undefined);
        if (changed === undefined) return;
        if (changed.status === 200 && !isFirst) roles.given += 1;
        await new Promise((passed) => setTimeout(passed, 20));
      }
    };
    const wanted = named.length + 10 + cycle * 3;
    const writing = [name(), name(), promote()];
    await until('some are named', () => named.length >= wanted);
    server.kill('SIGKILL');
    if (cycle % 2 === 1) process.kill(postgresPid(data) as number, 'SIGKILL');
    isOver = true;
    await Promise.all(writing);
    await server.ended;
    await hurryJobs(data);
    server = await serve({ ROWHOUSE_DATA: data });
  }

  let told: Notification[] = [];
  await until(
    'everybody is told',
    async () => {
      told = await everyNotification(reader());
      const records = new Set(told.map(recordOf));
      return (
        named.every((id) => records.has(id)) &&
        told.filter(({ message }) => message.includes('changed your role')).length >= roles.given
      );
    },
    100,
  );
  // Whatever would tell it again gets the chance to.
  server.kill('SIGKILL');
  await server.ended;
  await hurryJobs(data);
  server = await serve({ ROWHOUSE_DATA: data });
  const last = await owner()(createRecords, {
    params,
    body: { records: [{ fields: { Name: 'last', Doer: { id: ada.id, title: ada.name } } }] },
  });
  const lastId = last.body.records[0]?.id as string;
  // One that was committed but never acknowledged may be told after the last one: the list and the count are compared when they stand still.
  let unread = -1;
  await until(
    'the last one is told, and the count is that of the list',
    async () => {
      const before = told.length;
      told = await everyNotification(reader());
      unread = (await reader()(getUnreadCount)).body.unreadCount;
      return told.some((each) => recordOf(each) === lastId) && told.length === before && unread === before;
    },
    200,
  );

  const records = told.map(recordOf).filter((id) => id !== null);
  expect(records.length).toBe(new Set(records).size);
  const changes = told.filter(({ message }) => message.includes('changed your role')).length;
  expect(changes).toBeGreaterThanOrEqual(roles.given);
  expect(changes).toBeLessThanOrEqual(roles.asked);
  expect(told.filter(({ message }) => message.includes('added you to'))).toHaveLength(1);
  expect(unread).toBe(told.length);
});
