// Notifications by e-mail: once each, respecting the setting of the user, tried again when refused.
import { updateNotifyMeta } from '@rowhouse/contract/user.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { type MailServer, openMailServer } from '../support/mail-server.ts';
import { person } from '../support/people.ts';
import { give, newSpace } from '../support/workspace.ts';
import { createDatabase, openWorld, type World } from '../support/world.ts';

let mail: MailServer;
let worlds: World[];
let drop: () => Promise<void>;

beforeAll(async () => {
  mail = await openMailServer();
  const database = await createDatabase();
  drop = database.drop;
  const config = { smtpUrl: mail.url, smtpFrom: 'Rowhouse <rowhouse@example.com>' };
  worlds = [await openWorld(database.url, config), await openWorld(database.url, config)];
});

afterAll(async () => {
  for (const world of worlds) await world.close();
  await drop();
  await mail.close();
});

interface Waiting {
  state: string;
  attempt: number;
}

/** E-mails to somebody that have not gone out. */
const waiting = (userId: string): Promise<Waiting[]> =>
  (worlds[0] as World).db.query<Waiting>(sql`select state, attempt from rowhouse.jobs where kind = 'send-email' and payload ->> 'notificationId' in (select id from rowhouse.notifications where user_id = ${userId})`);

const notified = async (userId: string): Promise<boolean> => (await (worlds[0] as World).db.query(sql`select from rowhouse.notifications where user_id = ${userId}`)).length > 0;

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
};

test('an e-mail goes out once, from however many processes, and not to those who do not want any', async () => {
  const world = worlds[0] as World;
  const owner = await person(world, { name: 'Olga' });
  const [wants, not] = [await person(world, { name: 'Wanda' }), await person(world)];
  await not.call(updateNotifyMeta, { body: { email: false } });
  const spaceId = await newSpace(owner, 'Works');
  await give(owner, spaceId, wants, 'editor');
  await give(owner, spaceId, not, 'editor');
  await until(async () => (await notified(wants.userId)) && (await notified(not.userId)) && (await waiting(wants.userId)).length === 0);
  expect(await waiting(not.userId)).toEqual([]);
  const mine = mail.emails.filter((message) => message.includes(wants.email));
  expect(mine).toHaveLength(1);
  expect(mine[0]).toContain('Subject: Olga let you into the space Works as editor');
  expect(mail.emails.filter((message) => message.includes(not.email))).toEqual([]);
});

test('an e-mail that is refused is tried again later', async () => {
  const world = worlds[0] as World;
  mail.refuse = 1;
  const [owner, someone] = [await person(world), await person(world)];
  const spaceId = await newSpace(owner);
  await give(owner, spaceId, someone, 'viewer');
  await until(async () => (await waiting(someone.userId))[0]?.state === 'waiting' && mail.refuse === 0);
  expect(await waiting(someone.userId)).toEqual([{ state: 'waiting', attempt: 1 }]);
  expect(mail.emails.some((message) => message.includes(someone.email))).toBe(false);
  expect(worlds.map(({ services }) => services.backgroundErrors.counts().get('send-email') ?? 0).toSorted()).toEqual([0, 1]);
  await world.db.query(sql`update rowhouse.jobs set due_time = now() where kind = 'send-email'`);
  await until(async () => (await waiting(someone.userId)).length === 0);
  expect(mail.emails.filter((message) => message.includes(someone.email))).toHaveLength(1);
});

test('an e-mail that the mail server may have is not sent again, and neither is one to somebody it does not know', async () => {
  const world = worlds[0] as World;
  const [owner, unsure, unknown] = [await person(world), await person(world), await person(world)];
  const spaceId = await newSpace(owner);
  mail.hangUp = true;
  await give(owner, spaceId, unsure, 'viewer');
  await until(async () => (await waiting(unsure.userId))[0]?.state === 'failed');
  mail.unknown.add(unknown.email);
  await give(owner, spaceId, unknown, 'viewer');
  await until(async () => (await waiting(unknown.userId))[0]?.state === 'failed');
  expect([await waiting(unsure.userId), await waiting(unknown.userId)]).toEqual([[{ state: 'failed', attempt: 1 }], [{ state: 'failed', attempt: 1 }]]);
  expect(mail.emails.filter((message) => message.includes(unsure.email))).toHaveLength(1);
});
