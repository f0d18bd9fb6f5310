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

const states = async (userId: string): Promise<string[]> =>
  (await (worlds[0] as World).db.query<{ mail: string }>(sql`select mail from rowhouse.notifications where user_id = ${userId}`)).map((row) => row.mail);

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
};

test('a letter goes out once, from however many processes, and not to those who do not want any', async () => {
  const world = worlds[0] as World;
  const owner = await person(world, { name: 'Olga' });
  const [wants, not] = [await person(world, { name: 'Wanda' }), await person(world)];
  await not.call(updateNotifyMeta, { body: { email: false } });
  const spaceId = await newSpace(owner, 'Works');
  await give(owner, spaceId, wants, 'editor');
  await give(owner, spaceId, not, 'editor');
  await until(async () => (await states(wants.userId))[0] === 'sent' && (await states(not.userId)).length > 0);
  expect(await states(not.userId)).toEqual(['none']);
  const mine = mail.letters.filter((letter) => letter.includes(wants.email));
  expect(mine).toHaveLength(1);
  expect(mine[0]).toContain('Subject: Olga let you into the space Works as editor');
  expect(mail.letters.filter((letter) => letter.includes(not.email))).toEqual([]);
});

test('a letter that is refused is tried again later', async () => {
  const world = worlds[0] as World;
  mail.refuse = 1;
  const [owner, someone] = [await person(world), await person(world)];
  const spaceId = await newSpace(owner);
  await give(owner, spaceId, someone, 'viewer');
  await until(async () => mail.refuse === 0 && (await states(someone.userId))[0] === 'pending');
  expect(mail.letters.some((letter) => letter.includes(someone.email))).toBe(false);
  expect(worlds.map(({ services }) => services.faults.counts().get('sending letters') ?? 0).toSorted()).toEqual([0, 1]);
  await world.db.query(sql`update rowhouse.notifications set mail_time = now() where user_id = ${someone.userId}`);
  await until(async () => (await states(someone.userId))[0] === 'sent');
  expect(mail.letters.filter((letter) => letter.includes(someone.email))).toHaveLength(1);
});
