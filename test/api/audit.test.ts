// The audit log of a space: what its owners can look up afterwards.
import {
  createAccessToken,
  deleteAccessToken,
  refreshAccessToken,
  updateAccessToken,
} from '@rowhouse/contract/access-token.ts';
import { type AuditEntry, exportAuditLog, listAuditLog } from '@rowhouse/contract/audit.ts';
import { changePassword, signIn } from '@rowhouse/contract/auth.ts';
import { deleteBase, destroyBase, duplicateBase, moveBase } from '@rowhouse/contract/base.ts';
import { removeSpaceCollaborator, updateSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import {
  acceptInvitation,
  createSpaceLink,
  deleteSpaceLink,
  inviteToSpace,
  updateSpaceLink,
} from '@rowhouse/contract/invitation.ts';
import { revokeOauthToken } from '@rowhouse/contract/oauth.ts';
import { deleteSpace, destroySpace } from '@rowhouse/contract/space.ts';
import { createTable, deleteTable, deleteTablePermanently } from '@rowhouse/contract/table.ts';
import { listTrash, resetTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { removeOldAudit } from '../../server/domain/audit/jobs.ts';
import { resetPassword } from '../../server/domain/auth/operator-account.ts';
import { setUserActive } from '../../server/domain/auth/set-user-active.ts';
import { application, tokensFor } from '../support/oauth.ts';
import { type Person, person } from '../support/people.ts';
import { member, newBase, newSpace } from '../support/workspace.ts';
import { caller, useWorld } from '../support/world.ts';

const world = useWorld();

const log = async (owner: Person, spaceId: string, query: Record<string, unknown> = {}): Promise<AuditEntry[]> => {
  const answer = await owner.call(listAuditLog, { params: { spaceId }, query });
  expect(answer.status).toBe(200);
  return answer.body.entries;
};

/** Oldest first, what was done. */
const deeds = async (owner: Person, spaceId: string): Promise<string[]> =>
  (await log(owner, spaceId, { take: 200 })).map(({ action }) => action).reverse();

const whom = (someone: Person) => ({ principalId: someone.userId, principalType: 'user' as const });

test('people: who was let in, by whom, from where, through what', async () => {
  const owner = await person(world(), { name: 'Olga' });
  const spaceId = await newSpace(owner);
  const params = { spaceId };
  const [guest, editor] = [await person(world()), await member(world(), owner, spaceId, 'editor')];
  const session = await owner.withSession();
  const { invitationId, invitationCode } = (
    await session(createSpaceLink, { params, body: { role: 'viewer' }, headers: { 'user-agent': 'Browser 1' } })
  ).body;
  await owner.call(updateSpaceLink, { params: { spaceId, invitationId }, body: { role: 'commenter' } });
  await guest.call(acceptInvitation, { body: { invitationId, invitationCode } });
  await owner.call(deleteSpaceLink, { params: { spaceId, invitationId } });
  await owner.call(inviteToSpace, { params, body: { emails: ['new@example.com'], role: 'viewer' } });
  await owner.call(updateSpaceCollaborator, { params, body: { ...whom(editor), role: 'viewer' } });
  await owner.call(removeSpaceCollaborator, { params, query: whom(editor) });
  expect(await deeds(owner, spaceId)).toEqual([
    'collaborator.added',
    'invitation.linkCreated',
    'invitation.changed',
    'invitation.accepted',
    'invitation.deleted',
    'invitation.sent',
    'collaborator.roleChanged',
    'collaborator.removed',
  ]);
  const [removed, changed, sent, , accepted, , created, added] = await log(owner, spaceId);
  expect(created).toEqual({
    id: expect.any(String),
    time: expect.any(String),
    action: 'invitation.linkCreated',
    actor: { id: owner.userId, name: 'Olga', email: owner.email },
    via: 'session',
    credentialId: null,
    credentialName: null,
    ip: '127.0.0.1',
    userAgent: 'Browser 1',
    target: { spaceId, invitationId, role: 'viewer' },
  });
  expect(added).toMatchObject({
    via: 'token',
    credentialId: expect.stringMatching(/^acc/),
    credentialName: 'test',
    target: { userIds: [editor.userId], role: 'editor' },
  });
  expect(accepted).toMatchObject({
    actor: { id: guest.userId },
    target: { role: 'commenter', invitedBy: owner.userId },
  });
  expect(sent?.target).toMatchObject({ emails: ['new@example.com'], role: 'viewer' });
  expect(changed?.target).toMatchObject({ userId: editor.userId, from: 'editor', to: 'viewer' });
  expect(removed?.target).toMatchObject({ userId: editor.userId, role: 'viewer' });
});

test('sign-ins, passwords and credentials of a member are told in every space they reach, and nowhere else', async () => {
  const owner = await person(world());
  const [spaceId, other, foreign] = [
    await newSpace(owner),
    await newSpace(owner),
    await newSpace(await person(world())),
  ];
  const baseId = await newBase(owner, other);
  const someone = await member(world(), owner, spaceId, 'editor');
  await owner.call(inviteToSpace, { params: { spaceId: other }, body: { emails: ['x@example.com'], role: 'viewer' } });
  const anyone = caller({ baseUrl: world().baseUrl });
  await anyone(signIn, { body: { email: someone.email, password: someone.password } });
  expect((await anyone(signIn, { body: { email: someone.email, password: 'wrong' } })).status).toBe(400);
  await someone.call(changePassword, { body: { password: someone.password, newPassword: 'quite different 2' } });
  await resetPassword(world().db, { email: someone.email, password: 'by the operator 3' });
  const here = await someone.call(createAccessToken, {
    body: { name: 'Sync', scopes: ['record|read'], spaceIds: [spaceId], expiredTime: '2099-01-01' },
  });
  const params = { accessTokenId: here.body.id };
  await someone.call(updateAccessToken, { params, body: { name: 'Sync', scopes: ['base|read'] } });
  await someone.call(refreshAccessToken, { params });
  await someone.call(deleteAccessToken, { params });
  const app = await application(await person(world()));
  await tokensFor(world(), someone, app);
  await someone.call(revokeOauthToken, { params: { clientId: app.clientId } });
  await setUserActive(world().db, someone.email, false);
  await setUserActive(world().db, someone.email, true);
  expect((await deeds(owner, spaceId)).slice(1)).toEqual([
    'user.signedIn',
    'user.passwordChanged',
    'user.passwordReset',
    'token.created',
    'token.changed',
    'token.refreshed',
    'token.deleted',
    'application.allowed',
    'application.ended',
    'user.deactivated',
    'user.activated',
  ]);
  expect((await log(owner, spaceId, { action: 'token.created' }))[0]).toMatchObject({
    target: { name: 'Sync', scopes: ['record|read'] },
    credentialName: null,
  });
  expect((await log(owner, spaceId, { action: 'user.passwordReset' }))[0]).toMatchObject({
    actor: null,
    via: 'operator',
    ip: null,
    target: { userId: someone.userId },
  });
  // A token for a base is the business of its space.
  await owner.call(createAccessToken, {
    body: { name: 'Base', scopes: ['record|read'], baseIds: [baseId], expiredTime: '2099-01-01' },
  });
  expect(await deeds(owner, other)).toEqual(['invitation.sent', 'token.created']);
  expect(await world().db.query(sql`select action from rowhouse.audit_log where space_id = ${foreign}`)).toEqual([]);
});

test('what moves, is copied, opened or deleted, by whom', async () => {
  const owner = await person(world());
  const [spaceId, elsewhere] = [await newSpace(owner), await newSpace(owner)];
  const [moving, going] = [await newBase(owner, spaceId), await newBase(owner, spaceId, 'Going')];
  const tableId = (await owner.call(createTable, { params: { baseId: going }, body: {} })).body.id;
  const table = { baseId: going, tableId };
  await owner.call(duplicateBase, { body: { fromBaseId: moving, spaceId: elsewhere } });
  await owner.call(moveBase, { params: { baseId: moving }, body: { spaceId: elsewhere } });
  await owner.call(deleteTable, { params: table });
  await owner.call(deleteTablePermanently, { params: table });
  await owner.call(resetTrashItems, { query: { resourceType: 'base', resourceId: going } });
  await owner.call(deleteBase, { params: { baseId: going } });
  const { trashItems } = (await owner.call(listTrash, { query: { resourceType: 'base' } })).body;
  await owner.call(restoreTrash, { params: { trashId: trashItems[0]?.id as string } });
  await owner.call(deleteBase, { params: { baseId: going } });
  await owner.call(destroyBase, { params: { baseId: going } });
  expect(await deeds(owner, spaceId)).toEqual([
    'base.copied',
    'base.moved',
    'table.trashed',
    'table.destroyed',
    'trash.emptied',
    'base.trashed',
    'base.restored',
    'base.trashed',
    'base.destroyed',
  ]);
  expect(await deeds(owner, elsewhere)).toEqual(['base.copied', 'base.moved']);
  expect((await log(owner, elsewhere))[0]?.target).toEqual({
    baseId: moving,
    fromSpaceId: spaceId,
    toSpaceId: elsewhere,
  });
  expect((await log(owner, spaceId))[0]?.target).toEqual({ baseId: going, name: 'Going', tables: 0 });
  await owner.call(deleteSpace, { params: { spaceId } });
  await owner.call(destroySpace, { params: { spaceId } });
  // Nobody can ask any more; the operator finds it in the database.
  expect((await owner.call(listAuditLog, { params: { spaceId } })).status).toBe(404);
  expect(
    await world().db.query(
      sql`select action from rowhouse.audit_log where space_id = ${spaceId} order by id desc limit 2`,
    ),
  ).toEqual([{ action: 'space.destroyed' }, { action: 'space.trashed' }]);
});

test('what did not happen is not told', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const creator = await member(world(), owner, spaceId, 'creator');
  await creator.call(destroyBase, { params: { baseId } });
  await owner.call(destroyBase, { params: { baseId: 'bseNobody0000000' } });
  await owner.call(inviteToSpace, {
    params: { spaceId },
    body: { emails: ['new@example.com', creator.email], role: 'viewer' },
  });
  expect(await deeds(owner, spaceId)).toEqual(['collaborator.added']);
});

test('it is for owners, in pages, by action, person and time', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const params = { spaceId };
  const creator = await member(world(), owner, spaceId, 'creator');
  expect((await creator.call(listAuditLog, { params })).status).toBe(403);
  for (let round = 0; round < 5; round += 1) await creator.call(createSpaceLink, { params, body: { role: 'viewer' } });
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await owner.call(listAuditLog, {
      params,
      query: { take: 2, ...(cursor === undefined ? {} : { cursor }) },
    });
    seen.push(...page.body.entries.map(({ id }) => id));
    cursor = page.body.nextCursor;
  }
  expect(new Set(seen).size).toBe(6);
  expect(await log(owner, spaceId, { userId: creator.userId })).toHaveLength(5);
  expect(await log(owner, spaceId, { action: 'collaborator.added' })).toHaveLength(1);
  expect(await log(owner, spaceId, { until: '2020-01-01' })).toEqual([]);
  expect(await log(owner, spaceId, { from: '2020-01-01' })).toHaveLength(6);
  for (const query of [
    { from: 'soon' },
    { cursor: '9'.repeat(30) },
    { cursor: 'x' },
    { action: 'nothing' },
    { take: 0 },
  ]) {
    expect((await owner.call(listAuditLog, { params, query: query as never })).status).toBe(400);
  }
  const blind = await owner.withToken({ scopes: ['space|audit_read'], spaceIds: [spaceId] });
  expect((await blind.call(listAuditLog, { params })).body.entries[0]?.actor).toEqual({
    id: creator.userId,
    name: expect.any(String),
  });
});

test('it is exported as CSV and JSON, which is itself told', async () => {
  const owner = await person(world(), { name: '=HYPERLINK("https://evil.example")' });
  const spaceId = await newSpace(owner);
  const params = { spaceId };
  await owner.call(inviteToSpace, { params, body: { emails: ['a@example.com'], role: 'viewer' } });
  const csv = await owner.call(exportAuditLog, { params, query: { format: 'csv' } });
  expect([csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
    'text/csv; charset=utf-8',
    `attachment; filename="audit-log-${spaceId}.csv"`,
  ]);
  const lines = (csv.body as unknown as string).split('\r\n');
  expect(lines[0]).toBe(
    'id,time,action,actorId,actorName,actorEmail,via,credentialId,credentialName,ip,userAgent,target',
  );
  expect(lines[1]).toContain(
    `invitation.sent,${owner.userId},"'=HYPERLINK(""https://evil.example"")",${owner.email},token,`,
  );
  const json = await owner.call(exportAuditLog, { params, query: { format: 'json' } });
  expect(json.body).toMatchObject([
    { action: 'audit.exported', target: { format: 'csv', entries: 1 } },
    { action: 'invitation.sent' },
  ]);
});

test('entries are kept for a year', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  await owner.call(inviteToSpace, { params: { spaceId }, body: { emails: ['a@example.com'], role: 'viewer' } });
  await owner.call(inviteToSpace, { params: { spaceId }, body: { emails: ['b@example.com'], role: 'viewer' } });
  const [young, old] = await log(owner, spaceId);
  await world().db.query(
    sql`update rowhouse.audit_log set time = now() - interval '366 days' where id = ${old?.id ?? ''}::bigint`,
  );
  await world().db.query(
    sql`update rowhouse.audit_log set time = now() - interval '364 days' where id = ${young?.id ?? ''}::bigint`,
  );
  await removeOldAudit(world().services);
  expect((await log(owner, spaceId)).map(({ id }) => id)).toEqual([young?.id]);
});
