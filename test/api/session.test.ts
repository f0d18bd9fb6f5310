// Where an account is signed in: listed, ended one by one and together, and how long it lasts.
import { getUserMe } from '@rowhouse/contract/auth.ts';
import { endOtherSessions, endSession, endSessionsOfUser, listSessions } from '@rowhouse/contract/session.ts';
import { expect, test } from 'vitest';
import { updateLastSeen } from '../../server/catalog/last-used.sql.ts';
import { sql } from '../../server/db/sql.ts';
import { noteDevice, shortenSessions } from '../../server/domain/auth/session.sql.ts';
import { hashSecret } from '../../server/endpoint/credential.ts';
import { listen } from '../support/listen.ts';
import { type Person, person } from '../support/people.ts';
import { openWorkshop } from '../support/tables.ts';
import { caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** Answers the cookie. */
const signInAs = async ({ email, password }: Person, userAgent = firefox): Promise<string> => {
  const answer = await fetch(`${world().baseUrl}/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ email, password }),
  });
  expect(answer.status).toBe(200);
  return (answer.headers.get('set-cookie') as string).split(';')[0] as string;
};

const by = (cookie: string) => caller({ baseUrl: world().baseUrl, headers: { cookie } });

const hashOf = (cookie: string): Buffer => hashSecret(cookie.slice(cookie.indexOf('=') + 1));

test('sessions are listed without what they are opened with, and one or all others are ended at once', async () => {
  const someone = await person(world());
  const cookies = [await signInAs(someone), await signInAs(someone, 'curl/8.0'), await signInAs(someone)];
  const [mine, program, other] = cookies as [string, string, string];
  const listed = await by(mine)(listSessions);
  const { sessions } = listed.body;
  expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
  expect(sessions.map(({ device }) => device)).toEqual(expect.arrayContaining(['Firefox on Windows', '']));
  expect(sessions.every(({ ip }) => ip === '127.0.0.1' || ip === '::1')).toBe(true);
  const text = JSON.stringify(listed.body);
  for (const cookie of cookies) {
    expect(text).not.toContain(cookie.slice(cookie.indexOf('=') + 1));
    expect(text).not.toContain(hashOf(cookie).toString('hex').slice(0, 24));
  }
  const ofProgram = (await by(program)(listSessions)).body.sessions.find(({ isCurrent }) => isCurrent);
  const params = { sessionId: ofProgram?.id as string };
  const stranger = await person(world());
  expect((await by(await signInAs(stranger))(endSession, { params })).status).toBe(404);
  expect((await by(program)(getUserMe)).status).toBe(200);
  expect((await by(mine)(endSession, { params })).status).toBe(200);
  expect((await by(program)(getUserMe)).status).toBe(401);
  expect((await by(mine)(endSession, { params })).status).toBe(404);
  expect((await someone.call(endOtherSessions)).status).toBe(403);
  const ended = await by(mine)(endOtherSessions);
  expect(ended.body.ended).toBe(sessions.length - 2);
  expect((await by(other)(getUserMe)).status).toBe(401);
  expect((await by(mine)(getUserMe)).status).toBe(200);
  expect((await someone.call(getUserMe)).status).toBe(200);
});

test('a stream of a session that is ended ends with it, also by an administrator', async () => {
  const shop = await openWorkshop(world());
  const admin = await person(world(), { admin: true });
  const { id: tableId } = await shop.table();
  const cookie = await signInAs(shop.owner);
  const ear = await listen(`${world().baseUrl}/table/${tableId}/events`, { cookie });
  await ear.until(({ name }) => name === 'ready');
  const params = { userId: shop.owner.userId };
  expect((await shop.owner.call(endSessionsOfUser, { params })).status).toBe(403);
  expect((await admin.call(endSessionsOfUser, { params: { userId: 'usrNobody' } })).status).toBe(404);
  expect((await admin.call(endSessionsOfUser, { params })).body.ended).toBeGreaterThan(0);
  await ear.ended;
  expect((await by(cookie)(getUserMe)).status).toBe(401);
  expect((await admin.call(endSessionsOfUser, { params })).body).toEqual({ ended: 0 });
});

test('a session lasts as long as it is used, and not longer than the settings say', async () => {
  const cookie = await signInAs(await person(world()));
  const hash = hashOf(cookie);
  const { db } = world();
  const hoursLeft = async (): Promise<number> =>
    (
      await db.query<{ hours: number }>(
        sql`select round(extract(epoch from expires_time - created_time) / 3600)::int as hours from rowhouse.sessions where hash = ${hash}`,
      )
    )[0]?.hours as number;
  expect(await hoursLeft()).toBe(168);
  const seen = (hours: number, sessionHours: number) =>
    updateLastSeen(db, [hash], [new Date(Date.now() + hours * 3_600_000)], { sessionIdleHours: 10, sessionHours });
  await seen(5, 1_000);
  expect(await hoursLeft()).toBe(15);
  await seen(8, 12);
  expect(await hoursLeft()).toBe(12);
  await shortenSessions(db, { sessionIdleHours: 10, sessionHours: 11 });
  expect(await hoursLeft()).toBe(11);
  await shortenSessions(db, { sessionIdleHours: 8_760, sessionHours: 8_760 });
  expect(await hoursLeft()).toBe(11);
});

test('what somebody signs in with for the first time is new, but for the very first', async () => {
  const { userId } = await person(world());
  const { db } = world();
  await db.query(sql`delete from rowhouse.known_devices where user_id = ${userId}`);
  const note = (device: string, network: string) => noteDevice(db, { userId, device, network });
  expect(await note('Firefox on Windows', '203.0.113.9')).toBe(false);
  expect(await note('Firefox on Windows', '203.0.113.9')).toBe(false);
  expect(await note('Firefox on Windows', '198.51.100.1')).toBe(true);
  expect(await note('Safari on iPhone', '203.0.113.9')).toBe(true);
  expect(await note('Safari on iPhone', '203.0.113.9')).toBe(false);
  await db.query(
    sql`update rowhouse.known_devices set last_time = now() - interval '2 years' where user_id = ${userId} and device = 'Safari on iPhone'`,
  );
  await note('Firefox on Windows', '203.0.113.9');
  expect(await note('Safari on iPhone', '203.0.113.9')).toBe(true);
});
