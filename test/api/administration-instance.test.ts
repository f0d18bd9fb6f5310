// What administrators see and change of the instance beside its people: spaces, bases, settings, jobs, health, the audit log.
import { listInstanceAudit } from '@rowhouse/contract/admin-audit.ts';
import { getAdminHealth, listAdminJobs, retryAdminJob, sendTestMail } from '@rowhouse/contract/admin-health.ts';
import {
  deleteAdminSpace,
  listAdminBases,
  listAdminSpaces,
  listBaseSizes,
  takeOverSpace,
  updateAdminSpace,
} from '@rowhouse/contract/admin-space.ts';
import { createAdminUser, updateAdminUser } from '@rowhouse/contract/admin-user.ts';
import { exportAuditLog, listAuditLog } from '@rowhouse/contract/audit.ts';
import { getUserMe, signUp } from '@rowhouse/contract/auth.ts';
import { getBase } from '@rowhouse/contract/base.ts';
import { inviteToSpace } from '@rowhouse/contract/invitation.ts';
import { noteVisit } from '@rowhouse/contract/last-visit.ts';
import { listNotifications } from '@rowhouse/contract/notification.ts';
import { listSessions } from '@rowhouse/contract/session.ts';
import { getPublicSetting, getSetting, updateSetting } from '@rowhouse/contract/setting.ts';
import { getSpace } from '@rowhouse/contract/space.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { addJob } from '../../server/work/job.sql.ts';
import { announceServer } from '../../server/domain/admin/announce-server.ts';
import { setSpacePlan } from '../../server/domain/billing/set-space-plan.ts';
import { jobsDone } from '../support/jobs.sql.ts';
import { type MailServer, openMailServer } from '../support/mail-server.ts';
import { type Person, person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop } from '../support/tables.ts';
import { member, newBase, newSpace } from '../support/workspace.ts';
import { caller, type Caller, type LocalWorld, openWorld, useWorld } from '../support/world.ts';

const world = useWorld();
let admin: Person;
let act: Caller;
let second: LocalWorld;
let mail: MailServer;

beforeAll(async () => {
  mail = await openMailServer();
  admin = await person(world(), { admin: true, name: 'Ada' });
  act = await admin.withSession();
  second = await openWorld(world().databaseUrl, { smtpUrl: mail.url, smtpFrom: 'Rowhouse <rowhouse@example.com>' });
});
afterAll(async () => {
  await second.close();
  await mail.close();
});

test('spaces and bases are found with their owners, sizes and last use, and nothing of what is in them', async () => {
  const mark = `z${Date.now()}`;
  const owner = await person(world(), { name: `${mark} owner` });
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  await act(updateAdminSpace, { params: { spaceId }, body: { name: `${mark} space` } });
  await member(world(), owner, spaceId, 'viewer');
  const [found] = (await act(listAdminSpaces, { query: { search: `${mark} space` } })).body.data;
  expect(found).toMatchObject({
    id: spaceId,
    baseCount: 1,
    collaboratorCount: 2,
    autoJoin: false,
    deletedTime: null,
    lastUsedTime: null,
    owners: [{ id: owner.userId, name: owner.name, email: owner.email }],
  });
  expect((await act(listAdminSpaces, { query: { search: `${mark} owner` } })).body.total).toBe(1);
  await owner.call(noteVisit, {
    body: { resourceType: 'base', resourceId: baseId, parentResourceId: spaceId } as never,
  });
  const bases = (await act(listAdminBases, { query: { search: `${mark} space` } })).body;
  expect(bases.total).toBe(1);
  expect(bases.data[0]).toMatchObject({ id: baseId, spaceId, spaceName: `${mark} space`, tableCount: 0 });
  expect(bases.data[0]?.bytes).toBeGreaterThan(0);
  expect(Date.parse(bases.data[0]?.lastUsedTime ?? '')).toBeGreaterThan(Date.now() - 60_000);
  for (const sort of ['size', 'name', 'used'] as const) {
    const { data } = (await act(listAdminBases, { query: { sort, pageSize: 100 } })).body;
    const key = { size: 'bytes', name: 'name', used: 'lastUsedTime' }[sort] as 'bytes';
    const values = data.map((base) => base[key] ?? '');
    if (sort === 'size') expect(values).toEqual(values.toSorted((one, other) => Number(other) - Number(one)));
    expect(data.some(({ id }) => id === baseId)).toBe(true);
  }
  expect((await act(listAdminSpaces, { query: { withoutOwner: true, search: mark } })).body.total).toBe(0);
  await act(updateAdminUser, { params: { userId: owner.userId }, body: { isActivated: false } });
  expect((await act(listAdminSpaces, { query: { withoutOwner: true, search: mark } })).body.data[0]).toMatchObject({
    id: spaceId,
    owners: [],
  });
});

test('an administrator sees nothing of a space until taking it over, which its owners and its log are told', async () => {
  const { owner, spaceId, baseId } = await openWorkshop(world());
  const there = { params: { spaceId } };
  expect((await act(getSpace, there)).status).toBe(404);
  expect((await act(getBase, { params: { baseId } })).status).toBe(404);
  expect((await act(takeOverSpace, { ...there, body: { reason: '' } })).status).toBe(400);
  const body = { reason: 'Its owner has left the company' };
  expect((await owner.call(takeOverSpace, { ...there, body })).status).toBe(403);
  expect((await admin.call(takeOverSpace, { ...there, body })).status).toBe(403);
  expect((await act(takeOverSpace, { ...there, body })).status).toBe(200);
  expect((await act(getSpace, there)).body.role).toBe('owner');
  expect((await act(getBase, { params: { baseId } })).status).toBe(200);
  expect((await act(takeOverSpace, { ...there, body })).status).toBe(409);
  const [entry] = (await owner.call(listAuditLog, there)).body.entries;
  expect(entry).toMatchObject({ action: 'space.takenOver', actor: { id: admin.userId }, target: body });
  await jobsDone(world().db);
  const told = (await owner.call(listNotifications, { query: { notifyStates: 'unread' } as never })).body.notifications;
  expect(JSON.stringify(told)).toContain('is now an owner of the space');
  expect(JSON.stringify(told)).toContain(body.reason);
  expect((await act(takeOverSpace, { params: { spaceId: 'spcNobody' }, body })).status).toBe(404);
});

test('a space goes to the trash, and new accounts join those that take in everybody', async () => {
  const owner = await person(world());
  const [open, gone] = [await newSpace(owner), await newSpace(owner)];
  expect((await act(updateAdminSpace, { params: { spaceId: open }, body: { autoJoin: true } })).status).toBe(200);
  const made = (await act(createAdminUser, { body: { email: `joined${Date.now()}@example.com` } })).body;
  const [role] = await world().db.query(
    sql`select role from rowhouse.collaborators where resource_id = ${open} and user_id = ${made.id}`,
  );
  expect(role).toEqual({ role: 'viewer' });
  await act(updateAdminSpace, { params: { spaceId: open }, body: { autoJoin: false } });
  const later = (await act(createAdminUser, { body: { email: `later${Date.now()}@example.com` } })).body;
  expect(
    await world().db.query(
      sql`select from rowhouse.collaborators where resource_id = ${open} and user_id = ${later.id}`,
    ),
  ).toEqual([]);

  expect((await act(deleteAdminSpace, { params: { spaceId: gone } })).status).toBe(200);
  expect((await owner.call(getSpace, { params: { spaceId: gone } })).status).toBe(404);
  expect((await act(deleteAdminSpace, { params: { spaceId: gone } })).status).toBe(404);
  expect((await act(updateAdminSpace, { params: { spaceId: gone }, body: { name: 'x' } })).status).toBe(404);
  // Where snapshots of templates are kept is no space of anybody.
  const kept = { params: { spaceId: 'spcTemplateSnapshot' } };
  expect((await act(deleteAdminSpace, kept)).status).toBe(404);
  expect((await act(takeOverSpace, { ...kept, body: { reason: 'to look' } })).status).toBe(404);
  expect((await act(updateAdminSpace, { ...kept, body: { name: 'x' } })).status).toBe(404);
  const search = gone;
  expect((await act(listAdminSpaces, { query: { search } })).body.total).toBe(0);
  expect(
    (await act(listAdminSpaces, { query: { search, includeDeleted: true } })).body.data[0]?.deletedTime,
  ).toBeTruthy();
});

test('a changed setting holds in every process at once, is audited, and bad ones change nothing', async () => {
  const there = caller({ baseUrl: second.baseUrl, headers: { cookie: await admin.cookie() } });
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const invite = (call: Caller, emails: string[]) =>
    call(inviteToSpace, { params: { spaceId }, body: { emails, role: 'viewer' } });
  const inSecond = caller({ baseUrl: second.baseUrl, token: owner.token });
  expect(
    (await act(updateSetting, { body: { invitationsPerHour: 1, refusedEmailDomains: ['spam.example'] } })).status,
  ).toBe(200);
  expect((await there(getSetting)).body).toMatchObject({
    invitationsPerHour: 1,
    refusedEmailDomains: ['spam.example'],
  });
  expect((await invite(inSecond, ['a@example.org', 'b@example.org'])).status).toBe(429);
  const refused = await invite(inSecond, ['good@example.org', 'bad@mail.Spam.example']);
  expect(refused.error).toMatchObject({ status: 400 });
  expect(refused.error.message).toContain('emails[1]');
  const anyone = caller({ baseUrl: world().baseUrl });
  expect((await anyone(signUp, { body: { email: 'x@spam.example', password: 'rosebud 1941' } })).status).toBe(400);
  expect((await anyone(signUp, { body: { email: 'x@notspam.example', password: 'rosebud 1941' } })).status).toBe(201);
  // Everybody may read some of them, and not these.
  expect((await anyone(getPublicSetting)).body).not.toHaveProperty('refusedEmailDomains');
  for (const body of [
    { invitationsPerHour: 0 },
    { auditDays: 1 },
    { refusedEmailDomains: ['not a domain'] },
    { refusedEmailDomains: ['@example.com'] },
    { sessionHours: 10_000 },
  ])
    expect((await act(updateSetting, { body: body as never })).status, JSON.stringify(body)).toBe(400);
  const before = (await there(getSetting)).body;
  expect((await act(updateSetting, { body: { invitationsPerHour: null, refusedEmailDomains: [] } })).status).toBe(200);
  expect((await there(getSetting)).body).toEqual({ ...before, invitationsPerHour: 200, refusedEmailDomains: [] });
  const [entry] = (await act(listInstanceAudit, { query: { action: 'setting.changed', take: 1 } })).body.items;
  expect(entry).toMatchObject({
    userId: admin.userId,
    userName: 'Ada',
    spaceIds: [],
    origin: { via: 'session', byApi: false },
    payload: { invitationsPerHour: { before: 1, after: null } },
  });
});

test('a shorter life of sessions ends those that are older, also where they were remembered', async () => {
  const someone = await person(world());
  const cookie = await someone.cookie();
  const [here, there] = [world(), second].map(({ baseUrl }) => caller({ baseUrl, headers: { cookie } })) as [
    Caller,
    Caller,
  ];
  await world().db.query(
    sql`update rowhouse.sessions set created_time = now() - interval '5 hours' where user_id = ${someone.userId}`,
  );
  for (const call of [here, there]) expect((await call(getUserMe)).status).toBe(200);
  expect((await act(updateSetting, { body: { sessionHours: 4, sessionIdleHours: 2 } })).status).toBe(200);
  for (const call of [here, there]) expect((await call(getUserMe)).status).toBe(401);
  const fresh = await (await person(world())).withSession();
  const [session] = (await fresh(listSessions)).body.sessions;
  expect(Date.parse(session?.expiresTime ?? '') - Date.parse(session?.createdTime ?? '')).toBe(2 * 3_600_000);
  await act(updateSetting, { body: { sessionHours: null, sessionIdleHours: null } });
});

test('a job that failed is shown with its error and without what it is about, and is tried again', async () => {
  const { spaceId, baseId } = await openWorkshop(world());
  const { db } = world();
  const id = await addJob(db, {
    kind: 'no-such-kind',
    baseId,
    createdBy: admin.userId,
    payload: { cell: 'secret of a cell' },
  });
  await db.query(
    sql`update rowhouse.jobs set state = 'failed', error = 'The value "secret of a cell" does not fit', finished_time = now() where id = ${id}`,
  );
  const shown = async () => (await act(listAdminJobs, { query: { kind: 'no-such-kind' } })).body.jobs[0];
  expect(await shown()).toMatchObject({
    id,
    state: 'failed',
    canRetry: true,
    spaceId,
    baseId,
    createdBy: { name: 'Ada' },
  });
  const { body: all } = await act(listAdminJobs, { query: { state: 'failed' } });
  expect(JSON.stringify(all)).not.toContain('secret of a cell');
  expect(all.jobs[0]?.error).toContain('does not fit');
  expect(all.counts.find(({ kind }) => kind === 'no-such-kind')).toEqual({
    kind: 'no-such-kind',
    state: 'failed',
    count: 1,
  });
  expect((await act(retryAdminJob, { params: { jobId: id } })).status).toBe(200);
  expect(await shown()).toMatchObject({ state: 'waiting', error: null, canRetry: false });
  expect((await act(retryAdminJob, { params: { jobId: id } })).status).toBe(409);
  // One that waits for its next try is due at once.
  await db.query(
    sql`update rowhouse.jobs set error = 'not now', due_time = now() + interval '1 hour' where id = ${id}`,
  );
  expect((await act(listAdminJobs, { query: { state: 'failing' } })).body.jobs.map((job) => job.id)).toContain(id);
  expect((await act(retryAdminJob, { params: { jobId: id } })).status).toBe(200);
  expect(Date.parse((await shown())?.dueTime ?? '')).toBeLessThan(Date.now() + 60_000);
  await db.query(sql`delete from rowhouse.jobs where id = ${id}`);
  expect((await act(retryAdminJob, { params: { jobId: id } })).status).toBe(404);
  const pages = [(await act(listAdminJobs, { query: { take: 3 } })).body];
  pages.push((await act(listAdminJobs, { query: { take: 3, cursor: pages[0]?.nextCursor as string } })).body);
  const ids = pages.flatMap(({ jobs }) => jobs.map((job) => job.id));
  expect(new Set(ids).size).toBe(6);
});

test('all server processes are shown as long as they run, and that they are of different builds', async () => {
  const { db, services } = world();
  const partOf = async () =>
    (await act(getAdminHealth)).body.parts.find(({ name }) => name === 'Server processes') as {
      state: string;
      detail: string;
    };
  const [first, other] = [
    announceServer(db, services.backgroundErrors, { version: '1.0.0', commit: null }),
    announceServer(second.db, services.backgroundErrors, { version: '1.0.0', commit: null }),
  ];
  await vi.waitFor(async () =>
    expect(await partOf()).toMatchObject({ state: 'ok', detail: expect.stringMatching(/^2 running: /) }),
  );
  const newer = announceServer(db, services.backgroundErrors, { version: '1.1.0', commit: null });
  await vi.waitFor(async () =>
    expect(await partOf()).toMatchObject({ state: 'warning', detail: expect.stringContaining('(1.1.0)') }),
  );
  await newer();
  // One that died has stopped saying so.
  await db.query(
    sql`update rowhouse.servers set seen_time = now() - interval '2 minutes' where id = (select min(id) from rowhouse.servers)`,
  );
  expect((await partOf()).detail).toMatch(/^1 running: /);
  await first();
  await other();
  expect((await partOf()).detail).toBe('0 running');
  expect(await db.query(sql`select from rowhouse.servers`)).toEqual([]);
});

test('health names all parts with their versions, and a test mail says what the mail server says', async () => {
  const { parts, state, auditStream } = (await act(getAdminHealth)).body;
  expect(parts.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'Rowhouse',
      'Node.js',
      'PostgreSQL',
      'Database schema',
      'E-mail',
      'Background work',
      'Address',
    ]),
  );
  expect(parts.find(({ name }) => name === 'Node.js')?.version).toBe(process.versions.node);
  expect(parts.find(({ name }) => name === 'PostgreSQL')?.version).toMatch(/^\d+/);
  expect(parts.find(({ name }) => name === 'E-mail')?.state).toBe('warning');
  expect(['warning', 'problem']).toContain(state);
  expect(auditStream).toBeNull();
  expect((await act(sendTestMail)).status).toBe(422);
  const there = caller({ baseUrl: second.baseUrl, headers: { cookie: await admin.cookie() } });
  expect((await there(sendTestMail)).body).toEqual({ isAccepted: true, to: admin.email, error: null });
  expect(await mail.newestTo(admin.email)).toContain('Subject: A test e-mail');
  mail.unknown.add('gone@example.com');
  const refused = (await there(sendTestMail, { body: { to: 'gone@example.com' } })).body;
  expect(refused).toMatchObject({ isAccepted: false, to: 'gone@example.com' });
  expect(refused.error).toContain('no such person');
});

test('where e-mails are sent, the link of a new account goes to its address', async () => {
  const there = caller({ baseUrl: second.baseUrl, headers: { cookie: await admin.cookie() } });
  const email = `mailed${Date.now()}@example.com`;
  const made = (await there(createAdminUser, { body: { email } })).body;
  expect(made.isMailed).toBe(true);
  const message = await mail.newestTo(email);
  expect(message).toContain('Choose a password');
  expect(message.replaceAll('\n', '')).toContain(made.link.split('#')[1]);
});

test('the log of the instance has each act once, by person, action, thing and time, and so have its files', async () => {
  const owner = await person(world());
  const spaces = [await newSpace(owner), await newSpace(owner), await newSpace(owner)];
  await act(updateAdminUser, { params: { userId: owner.userId }, body: { isActivated: false } });
  const list = async (query: object) => (await act(listInstanceAudit, { query })).body.items;
  const [entry, ...others] = await list({ resourceId: owner.userId, action: 'user.deactivated' });
  expect(others).toEqual([]);
  expect(entry?.spaceIds.toSorted()).toEqual(spaces.toSorted());
  const rows = await world().db.query(
    sql`select space_id from rowhouse.audit_log where action = 'user.deactivated' and target ->> 'userId' = ${owner.userId}`,
  );
  expect(rows).toHaveLength(3);
  expect((await list({ userId: admin.userId, take: 500 })).every(({ userId }) => userId === admin.userId)).toBe(true);
  const [first, next] = [await list({ take: 3 }), await list({ take: 3, skip: 3 })];
  expect(await list({ take: 3, before: first.at(-1)?.id })).toEqual(next);
  expect(await list({ endTime: '2001-01-01T00:00:00Z' })).toEqual([]);
  expect((await act(listInstanceAudit, { query: { startTime: 'yesterday' } })).status).toBe(400);
  expect((await act(listInstanceAudit, { query: { take: 501 } })).status).toBe(400);

  const cookie = await admin.cookie();
  const read = async (format: 'csv' | 'jsonl', query: Record<string, string> = {}): Promise<string> => {
    const search = new URLSearchParams({ format, ...query });
    const answer = await fetch(`${world().baseUrl}/admin/audit-logs/export?${search}`, { headers: { cookie } });
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="audit-log.${format}"`);
    return answer.text();
  };
  const lines = (await read('jsonl', { resourceId: owner.userId }))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.find(({ id }) => id === entry?.id)).toEqual(entry);
  const all = (await read('jsonl'))
    .trim()
    .split('\n')
    .map((line) => Number(JSON.parse(line).id));
  expect(all).toEqual(all.toSorted((one, other) => one - other));
  const csv = await read('csv', { startTime: '2020-01-01T00:00:00Z' });
  expect(csv.split('\r\n')[0]).toBe(
    'id,time,action,userId,userName,resourceId,spaceIds,via,credentialId,ip,userAgent,payload',
  );
  expect(csv).toContain(`${entry?.id},`);
  expect((await list({ action: 'audit.exported', take: 1 }))[0]).toMatchObject({ userId: admin.userId });
  expect((await owner.call(listInstanceAudit)).status).toBe(401);
});

test('the switches of the plan give the log and the sizes to owners, or 402', async () => {
  const plans = plansWith({
    free: { auditLogEnable: false, adminPanelEnable: false },
    pro: { auditLogEnable: true, adminPanelEnable: true },
  });
  const planned = await openWorld(world().databaseUrl, {}, { plans });
  const owner = await person(planned);
  const spaceId = await newSpace(owner);
  const there = { params: { spaceId } };
  const calls = () =>
    Promise.all([
      owner.call(listAuditLog, there),
      owner.call(exportAuditLog, { ...there, query: { format: 'json' } }),
      owner.call(listBaseSizes, there),
    ]);
  for (const { error } of await calls()) expect(error).toMatchObject({ status: 402, code: 'payment_required' });
  await setSpacePlan(planned.services, spaceId, { level: 'pro', quantity: 5 });
  expect((await calls()).map(({ status }) => status)).toEqual([200, 200, 200]);
  const editor = await member(planned, owner, spaceId, 'creator');
  expect((await editor.call(listBaseSizes, there)).status).toBe(403);
  const baseId = await newBase(owner, spaceId);
  expect((await owner.call(listBaseSizes, there)).body.data.map(({ id }) => id)).toEqual([baseId]);
  // The operator's own panel is not for sale.
  expect((await caller({ baseUrl: planned.baseUrl, token: admin.token })(listAdminSpaces)).status).toBe(200);
  await planned.close();
});
