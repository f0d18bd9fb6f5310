// The second factor: an authenticator app, recovery codes, signing in in two steps, and spaces that demand it.
import { listAuditLog } from '@rowhouse/contract/audit.ts';
import { getUserMe, signIn } from '@rowhouse/contract/auth.ts';
import { getBase } from '@rowhouse/contract/base.ts';
import { exportBase } from '@rowhouse/contract/base-file.ts';
import { removeSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { getJob, getJobFile } from '@rowhouse/contract/job.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  getSpaceSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  setSpaceSecondFactor,
  signInWithSecondFactor,
} from '@rowhouse/contract/second-factor.ts';
import { getSpace, listSpaces } from '@rowhouse/contract/space.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { removeUserSecondFactor } from '../../server/domain/auth/second-factor.ts';
import { stepAt, totpCode } from '../../server/domain/user/totp.ts';
import { codeAt, fromBase32 } from '../support/authenticator.ts';
import { type Person, person } from '../support/people.ts';
import { openWorkshop } from '../support/tables.ts';
import { give, newSpace } from '../support/workspace.ts';
import { caller, useWorld } from '../support/world.ts';

let now = new Date('2030-01-01T00:00:00Z');
const world = useWorld({}, { now: () => now });
const later = (): void => {
  now = new Date(now.getTime() + 30_000);
};

const anyone = () => caller({ baseUrl: world().baseUrl });
const cookieOf = (headers: Headers): string => (headers.get('set-cookie') as string).split(';')[0] as string;

interface App {
  code(): string;
  recoveryCodes: string[];
}

/** The authenticator app of somebody. */
const setUp = async (someone: Person): Promise<App> => {
  const { password } = someone;
  const { secret, uri } = (await someone.call(beginSecondFactor, { body: { password } })).body;
  expect(uri).toBe(`otpauth://totp/Rowhouse:${encodeURIComponent(someone.email)}?secret=${secret}&issuer=Rowhouse`);
  const code = (): string => {
    later();
    return codeAt(secret, now);
  };
  const set = await someone.call(confirmSecondFactor, { body: { code: code() } });
  expect(set.status).toBe(201);
  return { code, recoveryCodes: set.body.recoveryCodes };
};

const firstStep = async ({ email, password }: Person): Promise<string> => {
  const first = await anyone()(signIn, { body: { email, password } });
  expect([first.status, first.headers.get('set-cookie')]).toEqual([422, null]);
  return first.error.data.secondFactorToken;
};

test('setting it up takes the password and a code, ends other sessions and leaves tokens alone', async () => {
  const someone = await person(world());
  const [session, other] = [await someone.withSession(), await someone.withSession()];
  expect((await session(beginSecondFactor, { body: { password: 'wrong one 1' } })).status).toBe(400);
  expect((await session(confirmSecondFactor, { body: { code: '123456' } })).status).toBe(400);
  const { secret } = (await session(beginSecondFactor, { body: { password: someone.password } })).body;
  expect((await anyone()(signIn, { body: someone })).status).toBe(200);
  const set = await session(confirmSecondFactor, { body: { code: totpCode(fromBase32(secret), stepAt(now)) } });
  expect(set.status).toBe(201);
  expect(new Set(set.body.recoveryCodes).size).toBe(10);
  expect([
    (await session(getUserMe)).status,
    (await other(getUserMe)).status,
    (await someone.call(getUserMe)).status,
  ]).toEqual([200, 401, 200]);
  expect((await session(getSecondFactor)).body).toEqual({ isSet: true, recoveryCodesLeft: 10 });
  expect((await session(beginSecondFactor, { body: { password: someone.password } })).status).toBe(409);
});

test('signing in takes two steps; a code counts once, and the token of the first step once', async () => {
  const someone = await person(world());
  const app = await setUp(someone);
  const token = await firstStep(someone);
  expect((await anyone()(signInWithSecondFactor, { body: { token, code: '000000' } })).status).toBe(400);
  expect((await anyone()(signInWithSecondFactor, { body: { token: 'guessed', code: app.code() } })).status).toBe(400);
  const code = app.code();
  const second = await anyone()(signInWithSecondFactor, {
    body: { token, code: `${code.slice(0, 3)} ${code.slice(3)}` },
  });
  expect([second.status, second.body.id]).toEqual([200, someone.userId]);
  expect(
    (await caller({ baseUrl: world().baseUrl, headers: { cookie: cookieOf(second.headers) } })(getUserMe)).status,
  ).toBe(200);
  expect(
    (await anyone()(signInWithSecondFactor, { body: { token, code: app.code() } })).error.data.issues[0].path,
  ).toBe('token');
  const replayed = await anyone()(signInWithSecondFactor, { body: { token: await firstStep(someone), code } });
  expect([replayed.status, replayed.error.data.issues[0].path]).toEqual([400, 'code']);
  const [one, two] = [await firstStep(someone), await firstStep(someone)];
  const same = app.code();
  const both = await Promise.all(
    [one, two].map((each) => anyone()(signInWithSecondFactor, { body: { token: each, code: same } })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});

test('a recovery code works once; new ones end the old', async () => {
  const someone = await person(world());
  const app = await setUp(someone);
  const [first, second] = app.recoveryCodes as [string, string];
  expect(
    (await anyone()(signInWithSecondFactor, { body: { token: await firstStep(someone), code: first.toUpperCase() } }))
      .status,
  ).toBe(200);
  expect(
    (await anyone()(signInWithSecondFactor, { body: { token: await firstStep(someone), code: first } })).status,
  ).toBe(400);
  expect((await someone.call(getSecondFactor)).body.recoveryCodesLeft).toBe(9);
  const { password } = someone;
  expect((await someone.call(renewRecoveryCodes, { body: { password, code: '000000' } })).status).toBe(400);
  const renewed = (await someone.call(renewRecoveryCodes, { body: { password, code: app.code() } })).body.recoveryCodes;
  expect(
    (await anyone()(signInWithSecondFactor, { body: { token: await firstStep(someone), code: second } })).status,
  ).toBe(400);
  expect(
    (await anyone()(signInWithSecondFactor, { body: { token: await firstStep(someone), code: renewed[0] as string } }))
      .status,
  ).toBe(200);
});

test('after ten wrong codes in an hour there are no more tries, whatever the first step', async () => {
  const someone = await person(world());
  const app = await setUp(someone);
  for (let count = 0; count < 10; count += 1)
    expect(
      (await anyone()(signInWithSecondFactor, { body: { token: await firstStep(someone), code: '000000' } })).status,
    ).toBe(400);
  const refused = await anyone()(signInWithSecondFactor, {
    body: { token: await firstStep(someone), code: app.code() },
  });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
});

test('giving it up takes the password and a code; the operator needs neither', async () => {
  const someone = await person(world());
  const spaceId = await newSpace(someone);
  const app = await setUp(someone);
  const { password } = someone;
  expect((await someone.call(removeSecondFactor, { body: { password: 'wrong one 1', code: app.code() } })).status).toBe(
    400,
  );
  expect((await someone.call(removeSecondFactor, { body: { password, code: '000000' } })).status).toBe(400);
  expect((await someone.call(removeSecondFactor, { body: { password, code: app.code() } })).status).toBe(201);
  expect((await anyone()(signIn, { body: someone })).status).toBe(200);
  await setUp(someone);
  const token = await firstStep(someone);
  expect(await removeUserSecondFactor(world().db, someone.email)).toBe(true);
  expect(await removeUserSecondFactor(world().db, someone.email)).toBe(false);
  expect((await anyone()(signInWithSecondFactor, { body: { token, code: '000000' } })).status).toBe(400);
  expect((await anyone()(signIn, { body: someone })).status).toBe(200);
  const told = (await someone.call(listAuditLog, { params: { spaceId } })).body.entries.map(
    ({ action, via }) => `${action} ${via}`,
  );
  expect(told.filter((line) => line.includes('Factor'))).toEqual([
    'user.secondFactorRemoved operator',
    'user.secondFactorSet token',
    'user.secondFactorRemoved token',
    'user.secondFactorSet token',
  ]);
});

test('what is kept is sealed: a copy of the database holds no secret of an app', async () => {
  const someone = await person(world());
  const { secret } = (await someone.call(beginSecondFactor, { body: { password: someone.password } })).body;
  const [row] = await world().db.query<{ sealed: Buffer }>(
    sql`select sealed_secret as sealed from rowhouse.second_factors where user_id = ${someone.userId}`,
  );
  const bytes = fromBase32(secret);
  for (const form of [bytes, Buffer.from(bytes.toString('hex')), Buffer.from(secret)])
    expect((row as { sealed: Buffer }).sealed.includes(form)).toBe(false);
});

test('a space that demands it is closed to members without one, by session and token, until they have one; they can leave', async () => {
  const { owner, spaceId, baseId, table } = await openWorkshop(world());
  const tableId = (await table({})).id;
  const [member, leaver, guest] = [await person(world()), await person(world()), await person(world())];
  await give(owner, spaceId, member, 'creator');
  await give(owner, spaceId, leaver, 'editor');
  await world().db.query(
    sql`insert into rowhouse.collaborators (resource_type, resource_id, user_id, role) values ('base', ${baseId}, ${guest.userId}, 'viewer')`,
  );
  expect((await owner.call(setSpaceSecondFactor, { params: { spaceId }, body: { isDemanded: true } })).status).toBe(
    409,
  );
  await setUp(owner);
  expect((await member.call(setSpaceSecondFactor, { params: { spaceId }, body: { isDemanded: true } })).status).toBe(
    403,
  );
  const exported = await member.call(exportBase, { params: { baseId }, query: {} });
  const job = { params: { jobId: exported.headers.get('x-job-id') as string } };
  await expect.poll(async () => (await member.call(getJob, job)).body.state).toBe('done');
  // Remembered rights end, too.
  expect((await member.call(listRecords, { params: { tableId } })).status).toBe(200);
  expect((await owner.call(setSpaceSecondFactor, { params: { spaceId }, body: { isDemanded: true } })).body).toEqual({
    isDemanded: true,
    membersWithout: 3,
  });

  const session = await member.withSession();
  const refused = await session(getSpace, { params: { spaceId } });
  expect([refused.status, refused.error.message, refused.error.data]).toEqual([
    403,
    expect.stringContaining('set one up in your account'),
    { secondFactor: 'demanded' },
  ]);
  expect((await member.call(listRecords, { params: { tableId } })).status).toBe(403);
  // What was exported before is no way around it.
  expect([(await member.call(getJob, job)).status, (await member.call(getJobFile, job)).status]).toEqual([403, 403]);
  expect((await guest.call(getBase, { params: { baseId } })).status).toBe(403);
  expect((await member.call(listSpaces)).body.map(({ id }) => id)).toContain(spaceId);
  expect((await owner.call(getSpace, { params: { spaceId } })).status).toBe(200);

  expect(
    (
      await leaver.call(removeSpaceCollaborator, {
        params: { spaceId },
        query: { principalId: guest.userId, principalType: 'user' },
      })
    ).status,
  ).toBe(403);
  expect(
    (
      await leaver.call(removeSpaceCollaborator, {
        params: { spaceId },
        query: { principalId: leaver.userId, principalType: 'user' },
      })
    ).status,
  ).toBe(200);
  await setUp(member);
  expect((await member.call(listRecords, { params: { tableId } })).status).toBe(200);
  expect((await member.call(getJob, job)).status).toBe(200);
  await removeUserSecondFactor(world().db, member.email);
  expect((await member.call(listRecords, { params: { tableId } })).status).toBe(403);
  expect((await owner.call(setSpaceSecondFactor, { params: { spaceId }, body: { isDemanded: false } })).body).toEqual({
    isDemanded: false,
    membersWithout: 2,
  });
  expect((await owner.call(getSpaceSecondFactor, { params: { spaceId } })).status).toBe(200);
  expect((await member.call(listRecords, { params: { tableId } })).status).toBe(200);
});
