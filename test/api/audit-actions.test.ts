// Every action of the audit log, brought about once: through the API, and through the commands of the operator.
import {
  createAuthorityRole,
  deleteAuthorityRole,
  renameAuthorityRole,
  setAuthorityMatrixAdmins,
  setAuthorityMatrixStatus,
  setAuthorityRoleMembers,
  setDefaultAuthorityRole,
} from '@rowhouse/contract/authority-matrix.ts';
import {
  addGroupMembers,
  createGroup,
  deleteGroup,
  removeGroupMembers,
  updateGroup,
} from '@rowhouse/contract/group.ts';
import {
  createAccessToken,
  deleteAccessToken,
  refreshAccessToken,
  updateAccessToken,
} from '@rowhouse/contract/access-token.ts';
import {
  activateAutomation,
  createAutomation,
  deactivateAutomation,
  deleteAutomation,
  rotateAutomationAddress,
  rotateAutomationSecret,
  updateAutomation,
} from '@rowhouse/contract/automation.ts';
import { createDashboard, deleteDashboard } from '@rowhouse/contract/dashboard.ts';
import { shareDashboard, unshareDashboard } from '@rowhouse/contract/dashboard-share.ts';
import { createWebhook, deleteWebhook, rotateWebhookSecret, updateWebhook } from '@rowhouse/contract/webhook.ts';
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { auditActions, type AuditEntry, exportAuditLog, listAuditLog } from '@rowhouse/contract/audit.ts';
import { changePassword, getUserMe, signIn } from '@rowhouse/contract/auth.ts';
import { createBaseShare, deleteBaseShare, updateBaseShare } from '@rowhouse/contract/base-share.ts';
import { deleteBase, destroyBase, duplicateBase, getBase, moveBase } from '@rowhouse/contract/base.ts';
import { exportBase, importBase } from '@rowhouse/contract/base-file.ts';
import { removeSpaceCollaborator, updateSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { createComment, deleteComment } from '@rowhouse/contract/comment.ts';
import { createDbConnection, deleteDbConnection } from '@rowhouse/contract/connection.ts';
import { exportCsv } from '@rowhouse/contract/export.ts';
import { createField, deleteField } from '@rowhouse/contract/field.ts';
import { importRecords } from '@rowhouse/contract/import.ts';
import { importFrom } from '@rowhouse/contract/import-from.ts';
import {
  acceptInvitation,
  createSpaceLink,
  deleteSpaceLink,
  inviteToSpace,
  updateSpaceLink,
} from '@rowhouse/contract/invitation.ts';
import { getJob, undoJob } from '@rowhouse/contract/job.ts';
import { createRecords, deleteRecords } from '@rowhouse/contract/record.ts';
import { revokeOauthToken } from '@rowhouse/contract/oauth.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  setSpaceSecondFactor,
} from '@rowhouse/contract/second-factor.ts';
import { endSession, listSessions } from '@rowhouse/contract/session.ts';
import { disableShare, enableShare, setShareMeta } from '@rowhouse/contract/share.ts';
import { deleteSpace, destroySpace } from '@rowhouse/contract/space.ts';
import { createTable, deleteTable, deleteTablePermanently, duplicateTable } from '@rowhouse/contract/table.ts';
import { deleteTrashItem, listTrash, listTrashItems, resetTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { createView, deleteView } from '@rowhouse/contract/view.ts';
import { expect, test, vi } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { callAllowed, endpoints } from '../support/access-cells.ts';
import { inBatches } from '../support/access-request.ts';
import { openTenant } from '../support/access-tenant.ts';
import { walks } from '../support/access-walk.ts';
import { auditTable, tellsNothing } from '../support/audit-table.ts';
import { codeAt } from '../support/authenticator.ts';
import { rowhouse } from '../support/command.ts';
import { application, tokensFor } from '../support/oauth.ts';
import { type Person, person } from '../support/people.ts';
import { member, newBase, newSpace } from '../support/workspace.ts';
import { caller, useWorld } from '../support/world.ts';

const world = useWorld({}, {});

const isOk = <T extends { status: number }>(answer: T): T => {
  expect(answer.status, JSON.stringify(answer)).toBeLessThan(300);
  return answer;
};

const setUpSecondFactor = async (someone: Person, password = someone.password): Promise<void> => {
  const { secret } = (await someone.call(beginSecondFactor, { body: { password } })).body;
  const { recoveryCodes } = isOk(
    await someone.call(confirmSecondFactor, { body: { code: codeAt(secret, new Date()) } }),
  ).body;
  isOk(await someone.call(renewRecoveryCodes, { body: { password, code: recoveryCodes[0] as string } }));
};

const operate = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await rowhouse(world().databaseUrl, ...args);
  expect([code, err]).toEqual([0, '']);
  return out;
};

/** Accounts and credentials of a member; what the operator does, by the commands. */
const actAsMember = async (someone: Person, spaceId: string): Promise<void> => {
  const anyone = caller({ baseUrl: world().baseUrl });
  isOk(await anyone(signIn, { body: { email: someone.email, password: someone.password } }));
  const [session] = isOk(await someone.call(listSessions)).body.sessions;
  isOk(await someone.call(endSession, { params: { sessionId: session?.id as string } }));
  isOk(await someone.call(changePassword, { body: { password: someone.password, newPassword: 'quite different 2' } }));
  const token = isOk(
    await someone.call(createAccessToken, {
      body: { name: 'Sync', scopes: ['record|read'], spaceIds: [spaceId], expiredTime: '2099-01-01' },
    }),
  );
  const params = { accessTokenId: token.body.id };
  isOk(await someone.call(updateAccessToken, { params, body: { name: 'Sync', scopes: ['base|read'] } }));
  isOk(await someone.call(refreshAccessToken, { params }));
  isOk(await someone.call(deleteAccessToken, { params }));
  const app = await application(await person(world()));
  await tokensFor(world(), someone, app);
  isOk(await someone.call(revokeOauthToken, { params: { clientId: app.clientId } }));
  await setUpSecondFactor(someone, 'quite different 2');

  expect(await operate('user', 'remove-second-factor', someone.email)).toContain('has no second factor any more');
  expect(await operate('user', 'remove-second-factor', someone.email)).toContain('had no second factor');
  expect(await operate('user', 'reset-password', someone.email, '--password', 'by the operator 3')).toBe(
    `the password of ${someone.email} is changed`,
  );
  isOk(await anyone(signIn, { body: { email: someone.email, password: 'by the operator 3' } }));
  const address = `other-${someone.email}`;
  expect(await operate('user', 'change-email', someone.email, address)).toContain(`has the address ${address} now`);
  expect((await someone.call(getUserMe)).body).toMatchObject({ email: address, isEmailVerified: true });
  expect(await operate('user', 'verify', address)).toContain('was already verified');
  expect(await operate('user', 'deactivate', address)).toContain('is now deactivated');
  expect((await someone.call(getUserMe)).status).toBe(401);
  expect(await operate('user', 'activate', address)).toContain('is now active');
  isOk(await anyone(signIn, { body: { email: address, password: 'by the operator 3' } }));
};

const actOnPeople = async (owner: Person, spaceId: string, editor: Person): Promise<void> => {
  const params = { spaceId };
  const whom = { principalId: editor.userId, principalType: 'user' as const };
  const { invitationId, invitationCode } = isOk(
    await owner.call(createSpaceLink, { params, body: { role: 'viewer' } }),
  ).body;
  isOk(await owner.call(updateSpaceLink, { params: { spaceId, invitationId }, body: { role: 'commenter' } }));
  isOk(await (await person(world())).call(acceptInvitation, { body: { invitationId, invitationCode } }));
  isOk(await owner.call(deleteSpaceLink, { params: { spaceId, invitationId } }));
  isOk(await owner.call(inviteToSpace, { params, body: { emails: ['new@example.com'], role: 'viewer' } }));
  isOk(await owner.call(updateSpaceCollaborator, { params, body: { ...whom, role: 'viewer' } }));
  isOk(await owner.call(removeSpaceCollaborator, { params, query: whom }));
  const groupId = isOk(await owner.call(createGroup, { params, body: { name: 'Sales' } })).body.id;
  const group = { spaceId, groupId };
  isOk(await owner.call(updateGroup, { params: group, body: { name: 'Sale' } }));
  isOk(await owner.call(addGroupMembers, { params: group, body: { userIds: [editor.userId] } }));
  isOk(await owner.call(removeGroupMembers, { params: group, query: { userIds: [editor.userId] } }));
  isOk(await owner.call(deleteGroup, { params: group }));
  await setUpSecondFactor(owner);
  for (const isDemanded of [true, false])
    isOk(await owner.call(setSpaceSecondFactor, { params, body: { isDemanded } }));
};

const actOnRights = async (owner: Person, baseId: string): Promise<void> => {
  const params = { baseId };
  const { id } = isOk(await owner.call(createAuthorityRole, { params, body: { name: 'Clients' } })).body;
  const role = { baseId, authorityMatrixRoleId: id };
  isOk(await owner.call(renameAuthorityRole, { params: role, body: { name: 'Client' } }));
  isOk(await owner.call(setAuthorityRoleMembers, { params: role, body: { userIds: [owner.userId] } }));
  isOk(await owner.call(setDefaultAuthorityRole, { params, body: { defaultRole: null } }));
  isOk(await owner.call(setAuthorityMatrixAdmins, { params, body: { userIds: [owner.userId] } }));
  for (const enabled of [true, false]) isOk(await owner.call(setAuthorityMatrixStatus, { params, body: { enabled } }));
  isOk(await owner.call(getBase, { params, headers: { 'x-view-as': owner.userId } } as never));
  isOk(await owner.call(deleteAuthorityRole, { params: role }));
};

/** Fields, views and records go into the trash of their table, and come back. */
const actOnParts = async (owner: Person, table: { baseId: string; tableId: string }): Promise<void> => {
  const params = { tableId: table.tableId };
  const base = { baseId: table.baseId };
  const { id: webhookId } = isOk(
    await owner.call(createWebhook, {
      params: base,
      body: { name: 'Hook', url: 'https://receiver.invalid/', events: ['table.changed'] },
    }),
  ).body;
  isOk(await owner.call(updateWebhook, { params: { ...base, webhookId }, body: { name: 'Hooked' } }));
  isOk(await owner.call(rotateWebhookSecret, { params: { ...base, webhookId } }));
  isOk(await owner.call(deleteWebhook, { params: { ...base, webhookId } }));
  const { id: automationId } = isOk(
    await owner.call(createAutomation, {
      params: base,
      body: {
        name: 'Yearly',
        trigger: { type: 'schedule', cron: '0 0 1 1 *', timeZone: 'UTC' },
        steps: [{ type: 'wait', id: 'step1', seconds: 1 }],
      },
    }),
  ).body;
  const automation = { params: { ...base, automationId } };
  isOk(await owner.call(updateAutomation, { ...automation, body: { name: 'Every year' } }));
  for (const act of [
    activateAutomation,
    deactivateAutomation,
    rotateAutomationAddress,
    rotateAutomationSecret,
    deleteAutomation,
  ])
    isOk(await owner.call(act, automation));
  isOk(await owner.call(restoreTrash, { params: { trashId: `tra${automationId.slice(3)}` } }));
  isOk(await owner.call(deleteAutomation, automation));
  const { id: dashboardId } = isOk(await owner.call(createDashboard, { params: base, body: { name: 'Sales' } })).body;
  const dashboard = { params: { ...base, dashboardId } };
  isOk(await owner.call(shareDashboard, { ...dashboard, body: {} }));
  isOk(await owner.call(unshareDashboard, dashboard));
  isOk(await owner.call(deleteDashboard, dashboard));
  isOk(await owner.call(restoreTrash, { params: { trashId: `tra${dashboardId.slice(3)}` } }));
  isOk(await owner.call(deleteDashboard, dashboard));
  const fieldId = isOk(await owner.call(createField, { params, body: { type: 'number' } })).body.id;
  const viewId = isOk(await owner.call(createView, { params, body: { type: 'grid' } })).body.id;
  const made = isOk(
    await owner.call(createRecords, { params, body: { records: [{ fields: {} }, { fields: {} }] } }),
  ).body;
  isOk(await owner.call(deleteField, { params: { ...params, fieldId } }));
  isOk(await owner.call(deleteView, { params: { ...params, viewId } }));
  isOk(await owner.call(deleteRecords, { params, query: { recordIds: made.records.map(({ id }) => id) } }));
  const { trashItems } = isOk(
    await owner.call(listTrashItems, { query: { resourceId: table.tableId, resourceType: 'table' } }),
  ).body;
  for (const { id } of trashItems) isOk(await owner.call(restoreTrash, { params: { trashId: id } }));
  isOk(await owner.call(duplicateTable, { params: table, body: { name: 'Copy', includeRecords: true } }));
};

const actOnData = async (owner: Person, spaceId: string): Promise<void> => {
  const [moving, baseId] = [await newBase(owner, spaceId), await newBase(owner, spaceId)];
  const restoreNewest = async (trash: { trashItems: { id: string }[] }): Promise<void> =>
    void isOk(await owner.call(restoreTrash, { params: { trashId: trash.trashItems[0]?.id as string } }));
  isOk(await owner.call(duplicateBase, { body: { fromBaseId: moving, spaceId } }));
  isOk(await owner.call(moveBase, { params: { baseId: moving }, body: { spaceId: await newSpace(owner) } }));
  const exporting = isOk(await owner.call(exportBase, { params: { baseId }, query: {} })).headers.get(
    'x-job-id',
  ) as string;
  const { url: fileUrl } = await vi.waitFor(
    async () => {
      const { state, result } = (await owner.call(getJob, { params: { jobId: exporting } })).body;
      expect(state).toBe('done');
      return result as { url: string };
    },
    { timeout: 50_000, interval: 20 },
  );
  const upload = async (bytes: Buffer, contentType: string) => {
    const { url, token } = isOk(
      await owner.call(createFileSignature, { body: { contentType, contentLength: bytes.length, type: 5 } }),
    ).body;
    isOk(await fetch(url, { method: 'PUT', body: bytes as never, headers: { 'content-type': contentType } }));
    return isOk(await owner.call(notifyFile, { params: { token }, query: { filename: 'gates.csv' } })).body;
  };
  isOk(
    await owner.call(importBase, {
      body: {
        notify: await upload(Buffer.from(await (await fetch(fileUrl)).arrayBuffer()), 'application/x-tar'),
        spaceId,
      },
    }),
  );
  isOk(await owner.call(importFrom, { body: { spaceId, source: { type: 'airtable-json', tables: [], records: {} } } }));
  const ofBase = { params: { baseId } };
  const { shareId } = isOk(await owner.call(createBaseShare, { ...ofBase, body: {} })).body;
  const ofShare = { params: { baseId, shareId } };
  isOk(await owner.call(updateBaseShare, { ...ofShare, body: { allowCopy: true } }));
  isOk(await owner.call(deleteBaseShare, ofShare));
  isOk(await owner.call(createDbConnection, { params: { baseId } }));
  isOk(await owner.call(deleteDbConnection, { params: { baseId } }));
  const made = isOk(await owner.call(createTable, { params: { baseId }, body: {} })).body;
  const table = { baseId, tableId: made.id };
  const view = { tableId: made.id, viewId: made.defaultViewId as string };
  isOk(await owner.call(enableShare, { params: view }));
  isOk(await owner.call(setShareMeta, { params: view, body: {} }));
  isOk(await owner.call(disableShare, { params: view }));
  isOk(await owner.call(exportCsv, { params: table }));
  const guest = await member(world(), owner, baseId, 'commenter');
  const recordId = isOk(await owner.call(createRecords, { params: table, body: { records: [{ fields: {} }] } })).body
    .records[0]?.id as string;
  const commented = { tableId: table.tableId, recordId };
  const comment = isOk(
    await guest.call(createComment, {
      params: commented,
      body: { content: [{ type: 'p', children: [{ type: 'span', value: 'Hello' }] }] },
    }),
  ).body;
  isOk(await owner.call(deleteComment, { params: { ...commented, commentId: comment.id } }));
  const { presignedUrl } = await upload(Buffer.from('Name\nGate\n'), 'text/csv');
  const begun = isOk(
    await owner.call(importRecords, {
      params: table,
      body: {
        attachmentUrl: presignedUrl,
        fileType: 'csv',
        insertConfig: { sourceWorkSheetKey: 'Import Table', excludeFirstRow: true, sourceColumnMap: {} },
      },
    }),
  );
  const jobId = begun.headers.get('x-job-id') as string;
  await vi.waitFor(async () => isOk(await owner.call(undoJob, { params: { jobId } })), {
    timeout: 50_000,
    interval: 20,
  });
  await actOnParts(owner, table);
  isOk(await owner.call(deleteTable, { params: table }));
  await actOnRights(owner, table.baseId);
  await restoreNewest((await owner.call(listTrashItems, { query: { resourceId: baseId, resourceType: 'base' } })).body);
  isOk(await owner.call(deleteRecords, { params: table, query: { recordIds: [recordId] } }));
  const parts = (await owner.call(listTrashItems, { query: { resourceId: table.tableId, resourceType: 'table' } }))
    .body;
  isOk(await owner.call(deleteTrashItem, { params: { trashId: parts.trashItems[0]?.id as string } }));
  isOk(await owner.call(deleteTable, { params: table }));
  isOk(await owner.call(deleteTablePermanently, { params: table }));
  isOk(await owner.call(resetTrashItems, { query: { resourceType: 'base', resourceId: baseId } }));
  isOk(await owner.call(deleteBase, { params: { baseId } }));
  await restoreNewest((await owner.call(listTrash, { query: { resourceType: 'base' } })).body);
  isOk(await owner.call(deleteBase, { params: { baseId } }));
  isOk(await owner.call(destroyBase, { params: { baseId } }));
  isOk(await owner.call(deleteSpace, { params: { spaceId } }));
  await restoreNewest((await owner.call(listTrash, { query: { resourceType: 'space' } })).body);
};

const wholeLog = async (owner: Person, spaceId: string): Promise<AuditEntry[]> => {
  const entries: AuditEntry[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = isOk(
      await owner.call(listAuditLog, {
        params: { spaceId },
        query: { take: 20, ...(cursor === undefined ? {} : { cursor }) },
      }),
    ).body;
    entries.push(...page.entries);
    cursor = page.nextCursor;
  }
  return entries;
};

const byOperator = [
  'user.activated',
  'user.deactivated',
  'user.emailChanged',
  'user.passwordReset',
  'user.secondFactorRemoved',
];

/** It takes a provider of OpenID Connect to bring them about: test/api/identity.test.ts. */
// Organisations, and what providers do, are brought about in their own tests.
const throughProviders = ['user.passwordAdded', 'user.identityLinked', 'user.identityUnlinked'];

/** Of administrators of the instance: test/api/administration.test.ts. */
const byAdministrators = [
  'user.created',
  'user.renamed',
  'user.madeAdmin',
  'user.unmadeAdmin',
  'user.deleted',
  'user.restored',
  'user.erased',
  'user.passwordLinkMade',
  'space.takenOver',
  'space.changed',
  'setting.changed',
  'job.retried',
  'mail.tested',
];

test('each is told with who, when, from where and through what, in the list and in both exports', async () => {
  const begun = Date.now();
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const editor = await member(world(), owner, spaceId, 'editor');
  await actAsMember(editor, spaceId);
  await actOnPeople(owner, spaceId, editor);
  await actOnData(owner, spaceId);
  isOk(await owner.call(exportAuditLog, { params: { spaceId }, query: { format: 'csv' } }));

  const entries = await wholeLog(owner, spaceId);
  const all = Object.keys(auditActions)
    .filter(
      (name) =>
        name !== 'space.destroyed' &&
        ![...throughProviders, ...byAdministrators].includes(name) &&
        !name.startsWith('organization.'),
    )
    .toSorted();
  expect([...new Set(entries.map(({ action }) => action))].toSorted()).toEqual(all);
  for (const { action, actor, via, ip, userAgent, time, target, credentialId } of entries) {
    expect(Date.parse(time), action).toBeGreaterThanOrEqual(begun - 1_000);
    if (!action.startsWith('user.')) expect(Object.keys(target), action).not.toEqual([]);
    if (byOperator.includes(action)) expect([actor, via, ip], action).toEqual([null, 'operator', null]);
    // Undoing an import is a job, which has no address.
    else if (action !== 'record.trashed' || ip !== null) {
      expect(
        [actor?.id === owner.userId || action === 'invitation.accepted' || actor?.id === editor.userId, ip],
        action,
      ).toEqual([true, '127.0.0.1']);
      expect(userAgent, action).not.toBeNull();
      expect([via, credentialId === null], action).toEqual(
        action === 'user.signedIn' || action === 'application.allowed' ? ['session', true] : ['token', false],
      );
    }
  }

  // One entry for a request, however many records it deletes.
  expect(entries.filter(({ action }) => action === 'record.trashed').map(({ target }) => target.records)).toContain(2);

  const json = isOk(await owner.call(exportAuditLog, { params: { spaceId }, query: { format: 'json' } }))
    .body as unknown as AuditEntry[];
  expect(json).toEqual(entries);
  const csv = String(isOk(await owner.call(exportAuditLog, { params: { spaceId }, query: { format: 'csv' } })).body);
  for (const { id, action } of entries)
    expect(csv).toMatch(new RegExp(`^"?${id}"?,[^,]+,${action.replace('.', '\\.')},`, 'm'));

  isOk(await owner.call(deleteSpace, { params: { spaceId } }));
  isOk(await owner.call(destroySpace, { params: { spaceId } }));
  const [last] = await world().db.query<{ action: string; actor: string; via: string; ip: string }>(
    sql`select action, actor_id as actor, via, ip from rowhouse.audit_log where space_id = ${spaceId} order by id desc limit 1`,
  );
  expect(last).toEqual({ action: 'space.destroyed', actor: owner.userId, via: 'token', ip: '127.0.0.1' });
});

test('the operator makes, lists and vouches for accounts', async () => {
  const made = await operate('user', 'create', 'made@example.com', '--name', 'Made', '--password', 'by the operator 3');
  expect(made).toMatch(/^created usr\w+ made@example\.com with the space spc\w+$/);
  const listed = JSON.parse(await operate('user', 'list', '--json')) as {
    email: string;
    verified: string;
    state: string;
  }[];
  expect(listed.find(({ email }) => email === 'made@example.com')).toMatchObject({
    name: 'Made',
    role: 'user',
    verified: 'yes',
    state: 'active',
  });
  const random = await operate('user', 'reset-password', 'made@example.com');
  const password = /^password: (\S+)$/m.exec(random)?.[1] as string;
  isOk(await caller({ baseUrl: world().baseUrl })(signIn, { body: { email: 'made@example.com', password } }));
  const someone = await person(world());
  expect(await operate('user', 'verify', someone.email)).toContain('is now verified');
  expect((await someone.call(getUserMe)).body.isEmailVerified).toBe(true);
  for (const args of [
    ['verify'],
    ['reset-password'],
    ['change-email', 'x@example.org'],
    ['remove-second-factor'],
    ['deactivate'],
    ['activate'],
  ]) {
    const [name, ...more] = args as [string, ...string[]];
    const refused = await rowhouse(world().databaseUrl, 'user', name, 'nobody@example.org', ...more);
    expect([refused.code, refused.err], name).toEqual([1, expect.stringContaining('nobody@example.org')]);
  }
});

const audited = endpoints.filter(({ name }) => Array.isArray(auditTable[name]));

test('every endpoint that writes has an entry in the audit log, or a reason why it has none', () => {
  const known = new Set(endpoints.map(({ name }) => name));
  expect(Object.keys(auditTable).filter((name) => !known.has(name))).toEqual([]);
  expect(
    endpoints.filter(({ name, method }) => method !== 'GET' && auditTable[name] === undefined).map(({ name }) => name),
  ).toEqual([]);
  // By the operator alone.
  const byCommand = ['user.activated', 'user.deactivated'];
  // Of every GET with the header `X-View-As`.
  const byHeader = ['base.viewed_as'];
  expect(
    Object.keys(auditActions).filter(
      (action) =>
        !byCommand.includes(action) &&
        !byHeader.includes(action) &&
        !Object.values(auditTable).some((row) => Array.isArray(row) && row.includes(action)),
    ),
  ).toEqual([]);
});

test('a request that succeeded has left the entry that its endpoint promises', async () => {
  const tenant = await openTenant(world());
  const { owner } = tenant;
  const walked = audited.filter(({ name }) => walks[name]?.answers === undefined && !tellsNothing.has(name));
  const slips: string[] = [];
  const administrator = await person(world(), { admin: true });
  await inBatches(walked, async (endpoint) => {
    const isForBrowsers = ['decideOauthRequest', 'decideDeviceRequest', 'endOtherSessions'].includes(endpoint.name);
    const doer = endpoint.access.on === 'admin' ? administrator : owner;
    const { token } = doer;
    const isBySession = endpoint.access.on === 'admin' && endpoint.access.session === true;
    const credential: Record<string, string> =
      isForBrowsers || isBySession ? { cookie: await doer.cookie() } : { authorization: `Bearer ${token}` };
    const caller = {
      name: isForBrowsers ? ('session' as const) : ('owner' as const),
      label: 'owner',
      headers: async () => credential,
      admit: async () => undefined,
    };
    // The log keeps the user agent: it tells which request an entry is of.
    const { slip } = await callAllowed(
      world(),
      tenant,
      { matrix: 'role', endpoint, caller, expected: 'ok' },
      { ...credential, 'user-agent': `walk ${endpoint.name}` },
    );
    if (slip !== undefined) slips.push(slip);
  });
  expect(slips).toEqual([]);
  const told = (): Promise<{ agent: string; action: string }[]> =>
    world().db.query(
      sql`select distinct user_agent as agent, action from rowhouse.audit_log where user_agent like 'walk %'`,
    );
  // Of a stream only the beginning is waited for.
  await vi.waitFor(
    async () => {
      const entries = await told();
      expect(
        walked
          .filter(
            ({ name }) =>
              !entries.some(
                ({ agent, action }) =>
                  agent === `walk ${name}` && (auditTable[name] as readonly string[]).includes(action),
              ),
          )
          .map(({ name }) => name),
      ).toEqual([]);
      expect(
        entries.filter(({ agent, action }) => !(auditTable[agent.slice(5)] as readonly string[]).includes(action)),
      ).toEqual([]);
    },
    { timeout: 10_000 },
  );
});
