// Notifications by e-mail: once each, respecting the setting of the user, tried again when refused.
import { createComment, createSubscription } from '@rowhouse/contract/comment.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { enableShare, setShareMeta, submitShareForm } from '@rowhouse/contract/share.ts';
import { updateNotifyMeta } from '@rowhouse/contract/user.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { type MailServer, openMailServer } from '../support/mail-server.ts';
import { person } from '../support/people.ts';
import { caller } from '../support/caller.ts';
import { ground, tableWith } from '../support/table.ts';
import { give, member, newSpace } from '../support/workspace.ts';
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
  (worlds[0] as World).db.query<Waiting>(
    sql`select state, attempt from rowhouse.jobs where kind = 'send-email' and payload ->> 'notificationId' in (select id from rowhouse.notifications where user_id = ${userId})`,
  );

const notified = async (userId: string): Promise<boolean> =>
  (await (worlds[0] as World).db.query(sql`select from rowhouse.notifications where user_id = ${userId}`)).length > 0;

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
  await until(
    async () =>
      (await notified(wants.userId)) && (await notified(not.userId)) && (await waiting(wants.userId)).length === 0,
  );
  expect(await waiting(not.userId)).toEqual([]);
  const mine = mail.emails.filter((message) => message.includes(wants.email));
  expect(mine).toHaveLength(1);
  expect(mine[0]).toContain('Subject: Olga added you to the space Works as editor');
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
  expect(worlds.map(({ services }) => services.backgroundErrors.counts().get('send-email') ?? 0).toSorted()).toEqual([
    0, 1,
  ]);
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
  expect([await waiting(unsure.userId), await waiting(unknown.userId)]).toEqual([
    [{ state: 'failed', attempt: 1 }],
    [{ state: 'failed', attempt: 1 }],
  ]);
  expect(mail.emails.filter((message) => message.includes(unsure.email))).toHaveLength(1);
});

test('those who follow a record get an e-mail of each comment, unless they do not want any', async () => {
  const world = worlds[0] as World;
  const own = await ground(world);
  const table = await tableWith(own);
  const [follows, not, stranger] = await Promise.all([
    member(world, own.owner, own.spaceId, 'commenter'),
    member(world, own.owner, own.spaceId, 'viewer'),
    member(world, own.owner, own.spaceId, 'viewer'),
  ]);
  await not.call(updateNotifyMeta, { body: { email: false } });
  const { records } = (
    await table.call(createRecords, { params: table, body: { records: [{ fields: { Text: 'Roof' } }] } })
  ).body;
  const params = { tableId: table.tableId, recordId: records[0]?.id as string };
  for (const who of [follows, not]) await who.call(createSubscription, { params });
  await own.owner.call(createComment, {
    params,
    body: { content: [{ type: 'p', children: [{ type: 'span', value: 'hello' }] }] },
  });
  // That they may come in was mailed to all of them, too, at any time.
  const toldOf = ({ email }: { email: string }): string[] =>
    mail.allTo(email).filter((message) => message.includes('commented on Roof in'));
  await until(async () => toldOf(follows).length > 0);
  expect(toldOf(follows)[0]).toContain(`recordId=${params.recordId}`);
  await until(
    async () =>
      (await world.db.query(sql`select from rowhouse.notifications where user_id = ${not.userId} and type = 'comment'`))
        .length === 1 && (await waiting(not.userId)).length === 0,
  );
  expect([follows, not, stranger].map((who) => toldOf(who).length)).toEqual([1, 0, 0]);
});

test('somebody who submits a form gets an e-mail if the form says so, without a word of what they wrote, three times an hour at most', async () => {
  const world = worlds[0] as World;
  const table = await tableWith(await ground(world));
  const fieldId = table.fieldIds['Text'] as string;
  const view = (
    await table.call(createView, {
      params: table,
      body: { type: 'form', name: 'Order https://spam.example', columnMeta: { [fieldId]: { visible: true } } },
    })
  ).body;
  const params = { tableId: table.tableId, viewId: view.id };
  const { shareId } = (await table.call(enableShare, { params })).body;
  const visitor = caller({ baseUrl: world.baseUrl });
  const submit = async (text: string): Promise<number> =>
    (await visitor(submitShareForm, { params: { shareId }, body: { fields: { [fieldId]: text } } })).status;
  const confirmations = async (): Promise<number> =>
    (
      await world.db.query(
        sql`select from rowhouse.jobs where kind = 'confirm-answer' and state not in ('done', 'failed')`,
      )
    ).length;
  expect(await submit('nobody@example.com')).toBe(201);
  await table.call(setShareMeta, { params, body: { submit: { allow: true, confirmFieldId: fieldId } } });
  expect(
    (
      await table.call(setShareMeta, {
        params,
        body: { submit: { confirmFieldId: table.fieldIds['Number'] ?? 'fldNone' } },
      })
    ).status,
  ).toBe(400);
  for (const text of [
    'anna@example.com',
    'anna@example.com',
    'ANNA@example.com',
    'anna@example.com',
    'not an address',
    'a@b.c, d@e.f',
  ])
    expect(await submit(text)).toBe(201);
  await submit('x@example.com\r\nBcc: hidden.copy@example.com');
  expect(await mail.newestTo('anna@example.com')).toMatch(/Your answer to the form/);
  await until(async () => (await confirmations()) === 0);
  expect(mail.emails.filter((message) => /^To: .*anna@example\.com/im.test(message))).toHaveLength(3);
  expect(
    mail.emails.filter((message) => /spam\.example|nobody@example\.com|a@b\.c|hidden\.copy/.test(message)),
  ).toEqual([]);
});
