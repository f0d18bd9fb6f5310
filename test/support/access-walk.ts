// How the access walk calls each endpoint. The path is filled from the things of a tenant; here stands what goes into
// query and body, and what has to be made again for a call that goes through and uses it up.
import { createBaseShare } from '@rowhouse/contract/base-share.ts';
import { deleteBase } from '@rowhouse/contract/base.ts';
import { createDbConnection } from '@rowhouse/contract/connection.ts';
import { activateAutomation, createAutomation } from '@rowhouse/contract/automation.ts';
import { createWebhook } from '@rowhouse/contract/webhook.ts';
import { createComment } from '@rowhouse/contract/comment.ts';
import { createRecordTemplate, deleteRecordTemplate } from '@rowhouse/contract/record-template.ts';
import { createField } from '@rowhouse/contract/field.ts';
import { randomText } from '@rowhouse/contract/id.ts';
import { createBaseLink, createSpaceLink } from '@rowhouse/contract/invitation.ts';
import { createAuthorityRole, deleteAuthorityRole, listAuthorityRoles } from '@rowhouse/contract/authority-matrix.ts';
import { addGroupMembers, createGroup } from '@rowhouse/contract/group.ts';
import { createDashboard, createDashboardItem, setDashboardPluginStorage } from '@rowhouse/contract/dashboard.ts';
import { shareDashboard } from '@rowhouse/contract/dashboard-share.ts';
import { createFolder } from '@rowhouse/contract/node.ts';
import { createPin } from '@rowhouse/contract/pin.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { deleteSpace } from '@rowhouse/contract/space.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { enableShare } from '@rowhouse/contract/share.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { createWorkflowAction, createWorkflowLogic } from '@rowhouse/contract/workflow.ts';
import { sql } from '../../server/db/sql.ts';
import { setSpacePlan } from '../../server/domain/billing/set-space-plan.ts';
import { markDeleted } from '../../server/domain/user/user.sql.ts';
import type { Principal } from './access-principals.ts';
import {
  endedImport,
  nodesOf,
  pendingTransaction,
  smallToken,
  type Tenant,
  type Things,
  tomorrow,
  trashedTable,
  waitingJob,
} from './access-tenant.ts';
import { organizationRequests } from './organization-requests.ts';
import { application, callback, codeFor, deviceCodes, tokensFor } from './oauth.ts';
import { person } from './people.ts';
import { member, newBase, newSpace } from './workspace.ts';
import type { World } from './world.ts';

export interface Request {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** A body that is no JSON. */
  raw?: { type: string; text: string };
}

interface Stage extends Tenant {
  world: World;
  caller: Principal;
}

/** With a token or a session of its own where the call ends those of the caller. */
type Fresh = Partial<Things> & { bearer?: string; cookie?: string };

interface Walk {
  request?: (things: Things) => Request;
  fresh?: (stage: Stage) => Promise<Fresh>;
  /** The answer to a call that got through, where that is a refusal of the operation itself. */
  answers?: number;
}

const aTemplate = { params: { templateId: 'tplProjectTracker00' } };

const freshSpace = async ({ owner, caller }: Stage): Promise<Fresh> => {
  const spaceId = await newSpace(owner);
  await caller.admit(spaceId);
  return { spaceId };
};

const freshDeleted = async (stage: Stage): Promise<Fresh> => {
  const fresh = await freshPerson(stage);
  await markDeleted(stage.world.db, fresh.personId as string);
  return fresh;
};

const ofPerson = ({ personId }: Things): Request => ({ params: { userId: personId } });

const freshBase = async ({ owner, caller, things }: Stage): Promise<Fresh> => {
  const baseId = await newBase(owner, things.spaceId);
  await caller.admit(baseId);
  return { baseId };
};

const freshTable = async ({ owner, things }: Stage): Promise<Fresh> => ({
  tableId: (await owner.call(createTable, { params: { baseId: things.baseId }, body: {} })).body.id,
});

// Deleting a table waits for anyone who changes another one of the base, so the base is a new one, too.
const freshBaseWithTable = async (stage: Stage): Promise<Fresh> => {
  const { baseId = '' } = await freshBase(stage);
  const made = await stage.owner.call(createTable, { params: { baseId }, body: {} });
  return { baseId, tableId: made.body.id };
};

const freshBaseWithTrash = async (stage: Stage): Promise<Fresh> => {
  const { baseId = '' } = await freshBase(stage);
  return { baseId, ...(await trashedTable(stage.owner, baseId)) };
};

const freshField = async ({ owner, things }: Stage): Promise<Fresh> => ({
  fieldId: (await owner.call(createField, { params: { tableId: things.tableId }, body: { type: 'number' } })).body.id,
});

/** One for all who ask. */
const dateFields = new WeakMap<object, Promise<Fresh>>();
const freshDateField = ({ owner, things }: Stage): Promise<Fresh> => {
  const made =
    dateFields.get(things) ??
    owner
      .call(createField, { params: { tableId: things.tableId }, body: { type: 'date' } })
      .then(({ body }) => ({ fieldId: body.id }));
  dateFields.set(things, made);
  return made;
};

const freshView = async ({ owner, things }: Stage): Promise<Fresh> => ({
  viewId: (await owner.call(createView, { params: { tableId: things.tableId }, body: { type: 'grid' } })).body.id,
});

const commentOf = (value: string) => [{ type: 'p' as const, children: [{ type: 'span' as const, value }] }];

const freshShare = async (stage: Stage): Promise<Fresh> => {
  const { viewId = '' } = await freshView(stage);
  const { shareId } = (await stage.owner.call(enableShare, { params: { tableId: stage.things.tableId, viewId } })).body;
  return { viewId, shareId };
};

/** Of a folder of its own. */
const freshBaseFolder = async ({ owner, things: { baseId } }: Stage): Promise<{ nodeId: string }> => {
  const made = await owner.call(createFolder, { params: { baseId }, body: { name: 'Shared' } });
  return { nodeId: `bno${made.body.id.slice(3)}` };
};

const freshBaseShare = async (stage: Stage): Promise<Fresh> => {
  const { nodeId } = await freshBaseFolder(stage);
  const { baseId } = stage.things;
  const { shareId } = (await stage.owner.call(createBaseShare, { params: { baseId }, body: { nodeId } })).body;
  return { nodeId, shareId };
};

const freshPin = async (stage: Stage): Promise<Fresh> => {
  const fresh = await freshView(stage);
  await stage.owner.call(createPin, { body: { type: 'view', id: fresh.viewId as string } });
  return fresh;
};

const freshRecord = async ({ owner, things }: Stage): Promise<Fresh> => {
  const made = await owner.call(createRecords, {
    params: { tableId: things.tableId },
    body: { records: [{ fields: {} }] },
  });
  return { recordId: made.body.records[0]?.id ?? '' };
};

const freshPerson = async ({ world }: Stage): Promise<Fresh> => ({ personId: (await person(world)).userId });

const freshApplication = async ({ world, owner }: Stage): Promise<Fresh> => {
  const app = await application(owner);
  const issued = (await tokensFor(world, owner, app)) as { access_token: string };
  return { clientId: app.clientId, secretId: app.secretId, bearer: issued.access_token };
};

const freshToken = async ({ owner }: Stage): Promise<Fresh> => ({ accessTokenId: await smallToken(owner) });

const freshAddress = async (): Promise<Fresh> => ({ email: `${randomText(12).toLowerCase()}@example.com` });

const freshGroup = async ({ owner, things: { spaceId, memberId } }: Stage): Promise<Fresh> => {
  const made = await owner.call(createGroup, { params: { spaceId }, body: { name: randomText(12) } });
  const groupId = made.body.id;
  await owner.call(addGroupMembers, { params: { spaceId, groupId }, body: { userIds: [memberId] } });
  return { groupId };
};

const newcomer = ({ personId }: Things): Request => ({
  body: { collaborators: [{ principalId: personId, principalType: 'user' }], role: 'viewer' },
});

const tokenBody = { name: 'Token', scopes: ['user|email_read'] };
const clientBody = {
  name: 'Application',
  homepage: 'https://app.example.com',
  redirectUris: [callback],
  scopes: ['record|read'],
};

// A directory comes with a token of an organisation.
const directory: Record<string, Walk> = {
  listScimUsers: { answers: 401 },
  createScimUser: { request: () => ({ raw: { type: 'application/scim+json', text: '{}' } }), answers: 401 },
  getScimUser: { request: () => ({ params: { id: 'none' } }), answers: 401 },
  replaceScimUser: {
    request: () => ({ params: { id: 'none' }, raw: { type: 'application/scim+json', text: '{}' } }),
    answers: 401,
  },
  changeScimUser: {
    request: () => ({ params: { id: 'none' }, raw: { type: 'application/scim+json', text: '{}' } }),
    answers: 401,
  },
  deleteScimUser: { request: () => ({ params: { id: 'none' } }), answers: 401 },
  listScimGroups: { answers: 401 },
  createScimGroup: { request: () => ({ raw: { type: 'application/scim+json', text: '{}' } }), answers: 401 },
  getScimGroup: { request: () => ({ params: { id: 'none' } }), answers: 401 },
  replaceScimGroup: {
    request: () => ({ params: { id: 'none' }, raw: { type: 'application/scim+json', text: '{}' } }),
    answers: 401,
  },
  changeScimGroup: {
    request: () => ({ params: { id: 'none' }, raw: { type: 'application/scim+json', text: '{}' } }),
    answers: 401,
  },
  deleteScimGroup: { request: () => ({ params: { id: 'none' } }), answers: 401 },
};

const organization: Record<string, Walk> = {
  ...Object.fromEntries(
    Object.entries(organizationRequests).map(([name, request]) => [name, { request: () => request, answers: 404 }]),
  ),
  createOrganization: { request: () => ({ body: { name: 'Organisation' } }) },
  deleteOrganization: { request: () => ({ params: { organizationId: 'orgNone' } }), answers: 404 },
  listOrganizationAdmins: { request: () => ({ params: { organizationId: 'orgNone' } }), answers: 404 },
  setOrganizationAdmin: {
    request: () => ({ params: { organizationId: 'orgNone' }, body: { userId: 'usrNone', isAdmin: true } }),
    answers: 404,
  },
};

const account: Record<string, Walk> = {
  signUp: { request: ({ email, password }) => ({ body: { email, password } }), fresh: freshAddress },
  signIn: { request: ({ email, password }) => ({ body: { email, password } }) },
  // Anyone who gets through offers one that is too short: a real change would end the sessions of the walk.
  changePassword: {
    request: ({ password, newPassword }) => ({ body: { password, newPassword } }),
    fresh: async () => ({ newPassword: 'short' }),
    answers: 400,
  },
  // The walk runs without providers, and its owner has a password.
  beginProviderSignIn: { request: () => ({ params: { providerId: 'none' } }), answers: 404 },
  endSessionsByProvider: {
    request: () => ({ params: { providerId: 'none' }, body: { logout_token: 'x' } }),
    answers: 404,
  },
  finishProviderSignIn: { request: () => ({ params: { providerId: 'none' } }), answers: 404 },
  linkIdentity: { request: ({ password }) => ({ body: { providerId: 'none', password } }), answers: 404 },
  unlinkIdentity: { request: () => ({ params: { identityId: 'none' } }), answers: 404 },
  addPassword: { request: ({ password }) => ({ body: { password } }), answers: 409 },
  signInWithSecondFactor: { request: () => ({ body: { token: 'none', code: 'none' } }), answers: 400 },
  endSession: { request: () => ({ params: { sessionId: 'sesNone' } }), answers: 404 },
  // Of somebody else: it would end those that other calls of the walk are made with.
  endOtherSessions: {
    fresh: async ({ world }) => {
      const someone = await person(world);
      await someone.cookie();
      return { cookie: await someone.cookie() };
    },
  },
  endSessionsOfUser: { request: () => ({ params: { userId: 'usrNone' } }), answers: 404 },
  beginSecondFactor: { request: ({ password }) => ({ body: { password } }) },
  // Anyone who gets through has no code.
  confirmSecondFactor: { request: () => ({ body: { code: 'none' } }), answers: 400 },
  renewRecoveryCodes: { request: ({ password }) => ({ body: { password, code: 'none' } }), answers: 404 },
  removeSecondFactor: { request: ({ password }) => ({ body: { password, code: 'none' } }), answers: 404 },
  setSpaceSecondFactor: { request: () => ({ body: { isDemanded: false } }) },
  // The walk runs without a mail server, and without the codes of one.
  sendSignUpCode: { request: ({ email }) => ({ body: { email } }), answers: 422 },
  sendSignInCode: { request: ({ email }) => ({ body: { email } }), answers: 422 },
  signInWithCode: { request: ({ email }) => ({ body: { email, code: 'none' } }), answers: 400 },
  sendResetPasswordEmail: { request: ({ email }) => ({ body: { email } }), answers: 422 },
  resetPassword: { request: ({ password }) => ({ body: { password, code: 'none' } }), answers: 400 },
  sendVerificationCode: { answers: 422 },
  verifyEmail: { request: () => ({ body: { token: 'none', code: 'none' } }), answers: 400 },
  sendChangeEmailCode: { request: ({ email, password }) => ({ body: { email, password } }), answers: 422 },
  changeEmail: { request: ({ email }) => ({ body: { email, token: 'none', code: 'none' } }), answers: 400 },
  // Without a form.
  updateAvatar: { answers: 400 },
  updateLogo: { answers: 400 },
  // A token needs the password, and the owner has spaces.
  deleteUser: { request: () => ({ query: { confirm: 'DELETE' } }), answers: 400 },
  searchSpace: { request: () => ({ query: { search: 'a' } }) },
  signAttachments: { request: () => ({ body: { attachments: [] } }) },
  saveQuery: { request: () => ({ body: { params: { take: 10 } } }) },
  toggleSearchIndex: { request: () => ({ body: { type: 'search' } }) },
  renameUser: { request: () => ({ body: { name: 'Renamed' } }) },
  setLanguage: { request: () => ({ body: { lang: 'en' } }) },
  updateNotifyMeta: { request: () => ({ body: { email: false } }) },
  createAccessToken: { request: () => ({ body: { ...tokenBody, expiredTime: tomorrow().toISOString() } }) },
  updateAccessToken: { request: () => ({ body: tokenBody }), fresh: freshToken },
  refreshAccessToken: { fresh: freshToken },
  deleteAccessToken: { fresh: freshToken },
};

/** It ends after five minutes, and a walk may take longer. */
const freshTransaction = async ({ world, owner }: Stage): Promise<Fresh> => ({
  transactionId: await pendingTransaction(world, owner, (await application(owner)).clientId),
});

const freshDevice = async ({ world, owner }: Stage): Promise<Fresh> => {
  const { body } = await deviceCodes(world, await application(owner, { secret: false, allowDeviceFlow: true }));
  return { userCode: body.user_code };
};

const oauth: Record<string, Walk> = {
  createDeviceCode: {
    request: ({ clientId }) => ({ body: { client_id: clientId, scope: 'table|read' } }),
    // It does not allow the flow.
    answers: 401,
  },
  getDeviceRequest: { fresh: freshDevice },
  decideDeviceRequest: { request: ({ userCode }) => ({ body: { userCode, approve: true } }), fresh: freshDevice },
  createOauthClient: { request: () => ({ body: clientBody }) },
  updateOauthClient: { request: () => ({ body: clientBody }), fresh: freshApplication },
  deleteOauthClient: { fresh: freshApplication },
  createOauthSecret: { fresh: freshApplication },
  deleteOauthSecret: { fresh: freshApplication },
  revokeOauthAccess: { fresh: freshApplication },
  revokeOauthToken: { fresh: freshApplication },
  giveUpOauthToken: { fresh: freshApplication },
  // Of a job that has not ended.
  getJobFile: { answers: 404 },
  authorizeOauthClient: {
    request: ({ clientId }) => ({ query: { response_type: 'code', client_id: clientId, redirect_uri: callback } }),
  },
  getOauthDecision: { fresh: freshTransaction },
  decideOauthRequest: {
    request: ({ transactionId }) => ({ body: { transaction_id: transactionId } }),
    fresh: freshTransaction,
  },
  issueOauthToken: {
    request: ({ clientId, clientSecret, code }) => ({
      body: {
        grant_type: 'authorization_code',
        code,
        redirect_uri: callback,
        client_id: clientId,
        client_secret: clientSecret,
      },
    }),
    fresh: async ({ world, owner, things }) => ({
      code: await codeFor(world, owner, {
        clientId: things.clientId,
        secret: things.clientSecret,
        secretId: things.secretId,
      }),
    }),
  },
  revokeIssuedToken: {
    request: ({ clientId, clientSecret }) => ({
      body: { token: 'unknown', client_id: clientId, client_secret: clientSecret },
    }),
  },
};

const workspace: Record<string, Walk> = {
  updateSpace: { request: () => ({ body: { name: 'Renamed' } }), fresh: freshSpace },
  deleteSpace: { fresh: freshSpace },
  destroySpace: {
    fresh: async (stage) => {
      const { spaceId = '' } = await freshSpace(stage);
      await stage.owner.call(deleteSpace, { params: { spaceId } });
      return { spaceId };
    },
  },
  exportAuditLog: { request: () => ({ query: { format: 'csv' } }) },
  createBase: { request: ({ spaceId }) => ({ body: { spaceId } }) },
  duplicateBase: {
    request: ({ baseId, spaceId }) => ({ body: { fromBaseId: baseId, spaceId, withRecords: true } }),
    fresh: freshBaseWithTable,
  },
  createBaseFromTemplate: {
    request: ({ spaceId }) => ({ body: { spaceId, templateId: 'tplWithoutTables000' } }),
    fresh: async ({ world }) => {
      await world.db.query(
        sql`insert into rowhouse.templates (id, name, is_published, position) values ('tplWithoutTables000', 'Without tables', true, 9) on conflict do nothing`,
      );
      return {};
    },
  },
  getTemplate: { request: () => aTemplate },
  createTemplate: { request: () => ({ body: { name: 'Template' } }) },
  updateTemplate: { request: () => ({ ...aTemplate, body: { isSystem: true } }) },
  // It has no base.
  snapshotTemplate: { request: () => aTemplate, answers: 400 },
  // Administrators have no key to the bases of others.
  publishBase: { request: () => ({ body: { title: 'Template', description: 'Of a base' } }), answers: 404 },
  getTemplateOfBase: { answers: 404 },
  unpublishTemplate: { request: () => ({ params: { templateId: 'tplUnknown000000000' } }), answers: 404 },
  pinTemplate: { request: () => aTemplate },
  orderTemplate: { request: () => ({ ...aTemplate, body: { anchorId: 'tplSalesPipeline000', position: 'before' } }) },
  orderTemplateCategory: {
    request: () => ({
      params: { templateCategoryId: 'tpcOperations000000' },
      body: { anchorId: 'tpcSalesMarketing00', position: 'after' },
    }),
  },
  visitTemplate: { request: () => aTemplate },
  getTemplatePermalink: { request: () => ({ params: { identifier: 'tplUnknown000000000' } }), answers: 404 },
  deleteTemplate: { request: () => ({ params: { templateId: 'tplUnknown000000000' } }), answers: 404 },
  createTemplateCategory: { request: () => ({ body: { name: 'Category' } }) },
  updateTemplateCategory: {
    request: () => ({ params: { templateCategoryId: 'tpcOperations000000' }, body: { name: 'Operations' } }),
  },
  deleteTemplateCategory: { request: () => ({ params: { templateCategoryId: 'tpcUnknown000000000' } }), answers: 404 },
  importFrom: {
    request: ({ spaceId }) => ({ body: { spaceId, source: { type: 'airtable-json', tables: [], records: {} } } }),
  },
  // Nobody is there.
  listOtherBases: {
    request: ({ spaceId }) => ({
      body: { spaceId, source: { type: 'teable', url: 'http://127.0.0.1:1', token: 'none' } },
    }),
    answers: 400,
  },
  importBaseStream: {
    request: ({ spaceId }) => ({ body: { notify: { token: 'none' }, spaceId } }),
    answers: 400,
  },
  importBase: { request: ({ spaceId }) => ({ body: { notify: { token: 'none' }, spaceId } }), answers: 400 },
  updateBase: { request: () => ({ body: { name: 'Renamed' } }), fresh: freshBase },
  updateBaseOrder: { request: ({ siblingBaseId }) => ({ body: { anchorId: siblingBaseId, position: 'after' } }) },
  moveBase: {
    request: ({ otherSpaceId }) => ({ body: { spaceId: otherSpaceId } }),
    fresh: async (stage) => ({
      ...(await freshBase(stage)),
      otherSpaceId: (await freshSpace(stage)).spaceId as string,
    }),
  },
  deleteBase: { fresh: freshBase },
  destroyBase: {
    fresh: async (stage) => {
      const { baseId = '' } = await freshBase(stage);
      await stage.owner.call(deleteBase, { params: { baseId } });
      return { baseId };
    },
  },
  listTrash: { request: () => ({ query: { resourceType: 'base' } }) },
  listTrashItems: { request: ({ baseId }) => ({ query: { resourceType: 'base', resourceId: baseId } }) },
  restoreTrash: { fresh: freshBaseWithTrash },
  deleteTrashItem: { fresh: freshBaseWithTrash },
  // Its file is gone.
  continueJob: { fresh: async ({ world, things }) => ({ jobId: await endedImport(world, things) }), answers: 409 },
  undoJob: { fresh: async ({ world, things }) => ({ jobId: await endedImport(world, things) }) },
  cancelJob: { fresh: async ({ world, things }) => ({ jobId: await waitingJob(world, things.baseId) }) },
  resetTrashItems: {
    request: ({ baseId }) => ({ query: { resourceType: 'base', resourceId: baseId } }),
    fresh: freshBaseWithTrash,
  },
};

const people: Record<string, Walk> = {
  createGroup: { request: ({ email }) => ({ body: { name: email } }), fresh: freshAddress },
  updateGroup: { request: () => ({ body: { name: 'Group' } }) },
  deleteGroup: { fresh: freshGroup },
  // As with collaborators, anyone with an account may be named by id.
  addGroupMembers: { request: ({ personId }) => ({ body: { userIds: [personId] } }), fresh: freshPerson },
  removeGroupMembers: { request: ({ memberId }) => ({ query: { userIds: [memberId] } }), fresh: freshGroup },
  addSpaceCollaborators: { request: newcomer, fresh: freshPerson },
  addBaseCollaborators: { request: newcomer, fresh: freshPerson },
  updateSpaceCollaborator: {
    request: ({ memberId }) => ({ body: { principalId: memberId, principalType: 'user', role: 'commenter' } }),
    fresh: async ({ world, owner, things }) => ({
      memberId: (await member(world, owner, things.spaceId, 'viewer')).userId,
    }),
  },
  updateBaseCollaborator: {
    request: ({ baseMemberId }) => ({ body: { principalId: baseMemberId, principalType: 'user', role: 'commenter' } }),
    fresh: async ({ world, owner, things }) => ({
      baseMemberId: (await member(world, owner, things.baseId, 'viewer')).userId,
    }),
  },
  removeSpaceCollaborator: {
    request: ({ memberId }) => ({ query: { principalId: memberId, principalType: 'user' } }),
    fresh: async ({ world, owner, things }) => ({
      memberId: (await member(world, owner, things.spaceId, 'viewer')).userId,
    }),
  },
  removeBaseCollaborator: {
    request: ({ baseMemberId }) => ({ query: { principalId: baseMemberId, principalType: 'user' } }),
    fresh: async ({ world, owner, things }) => ({
      baseMemberId: (await member(world, owner, things.baseId, 'viewer')).userId,
    }),
  },
  createSpaceLink: { request: () => ({ body: { role: 'viewer' } }) },
  updateSpaceLink: { request: () => ({ body: { role: 'viewer' } }) },
  deleteSpaceLink: {
    fresh: async ({ owner, things: { spaceId } }) => ({
      invitationId: (await owner.call(createSpaceLink, { params: { spaceId }, body: { role: 'viewer' } })).body
        .invitationId,
    }),
  },
  createBaseLink: { request: () => ({ body: { role: 'viewer' } }) },
  updateBaseLink: {
    request: ({ baseInvitationId }) => ({ params: { invitationId: baseInvitationId }, body: { role: 'viewer' } }),
  },
  deleteBaseLink: {
    request: ({ baseInvitationId }) => ({ params: { invitationId: baseInvitationId } }),
    fresh: async ({ owner, things: { baseId } }) => ({
      baseInvitationId: (await owner.call(createBaseLink, { params: { baseId }, body: { role: 'viewer' } })).body
        .invitationId,
    }),
  },
  inviteToSpace: { request: ({ email }) => ({ body: { emails: [email], role: 'viewer' } }), fresh: freshAddress },
  inviteToBase: { request: ({ email }) => ({ body: { emails: [email], role: 'viewer' } }), fresh: freshAddress },
  describeInvitation: {
    request: ({ openInvitationId, openInvitationCode }) => ({
      body: { invitationId: openInvitationId, invitationCode: openInvitationCode },
    }),
  },
  acceptInvitation: {
    request: ({ openInvitationId, openInvitationCode }) => ({
      body: { invitationId: openInvitationId, invitationCode: openInvitationCode },
    }),
  },
};

const tables: Record<string, Walk> = {
  renameTable: { request: () => ({ body: { name: 'Renamed' } }), fresh: freshTable },
  setTableIcon: { request: () => ({ body: { icon: '🏠' } }) },
  describeTable: { request: () => ({ body: { description: 'Described' } }) },
  setDbTableName: { request: ({ tableId }) => ({ body: { dbTableName: `t_${tableId}` } }), fresh: freshTable },
  moveTable: { request: ({ siblingTableId }) => ({ body: { anchorId: siblingTableId, position: 'after' } }) },
  duplicateTable: { request: () => ({ body: { name: 'Copy', includeRecords: true } }) },
  deleteTable: { fresh: freshBaseWithTable },
  deleteTablePermanently: { fresh: freshBaseWithTrash },
};

const freshNode = async (stage: Stage): Promise<Fresh> => {
  const { baseId = '', tableId = '' } = await freshBaseWithTable(stage);
  return { baseId, tableId, nodeId: `bno${tableId.slice(3)}` };
};

const freshFolder = async (stage: Stage): Promise<Fresh> => {
  const { baseId = '' } = await freshBase(stage);
  const made = await stage.owner.call(createFolder, { params: { baseId }, body: { name: 'Folder' } });
  return { baseId, folderId: made.body.id };
};

const nodes: Record<string, Walk> = {
  createNode: { request: () => ({ body: { resourceType: 'folder', name: 'Folder' } }), fresh: freshBase },
  updateNode: { request: () => ({ body: { name: 'Renamed' } }), fresh: freshNode },
  moveNode: { request: () => ({ body: { parentId: null } }) },
  // In a base of its own: copying keeps others from changing fields there.
  duplicateNode: { request: () => ({ body: { name: 'Copy', includeRecords: true } }), fresh: freshNode },
  deleteNode: { fresh: freshNode },
  deleteNodePermanently: { fresh: freshNode },
  createFolder: { request: () => ({ body: { name: 'Folder' } }), fresh: freshBase },
  renameFolder: { request: () => ({ body: { name: 'Renamed' } }) },
  deleteFolder: { fresh: freshFolder },
};

const fields: Record<string, Walk> = {
  createField: { request: () => ({ body: { type: 'number' } }) },
  updateField: { request: () => ({ body: { description: 'Described' } }) },
  convertField: { request: () => ({ body: { type: 'singleLineText' } }), fresh: freshField },
  duplicateField: { request: ({ viewId }) => ({ body: { name: 'Copy', viewId } }) },
  deleteField: { fresh: freshField },
  deleteFields: { request: ({ fieldId }) => ({ query: { fieldIds: [fieldId] } }), fresh: freshField },
  planFieldCreate: { request: () => ({ body: { type: 'number' } }) },
  planFieldConvert: { request: () => ({ body: { type: 'singleLineText' } }) },
};

const views: Record<string, Walk> = {
  createView: { request: () => ({ body: { type: 'grid' } }) },
  deleteView: { fresh: freshView },
  renameView: { request: () => ({ body: { name: 'Renamed' } }), fresh: freshView },
  describeView: { request: () => ({ body: { description: 'Described' } }) },
  setViewFilter: {
    request: ({ fieldId }) => ({
      body: { filter: { conjunction: 'and', filterSet: [{ fieldId, operator: 'isNotEmpty', value: null }] } },
    }),
  },
  setViewSort: { request: ({ fieldId }) => ({ body: { sort: { sortObjs: [{ fieldId, order: 'asc' }] } } }) },
  setViewGroup: { request: ({ fieldId }) => ({ body: { group: [{ fieldId, order: 'asc' }] } }) },
  setViewColumns: { request: ({ fieldId }) => ({ body: [{ fieldId, columnMeta: { width: 200 } }] }) },
  setViewOptions: { request: () => ({ body: { options: { rowHeight: 'tall' } } }) },
  moveView: { request: ({ siblingViewId }) => ({ body: { anchorId: siblingViewId, position: 'after' } }) },
  moveRecords: {
    request: ({ recordId, siblingRecordId }) => ({
      body: { recordIds: [recordId], anchorId: siblingRecordId, position: 'after' },
    }),
  },
  sortManually: { request: ({ fieldId }) => ({ body: { sortObjs: [{ fieldId, order: 'asc' }] } }), fresh: freshView },
  makeViewPersonal: { request: () => ({ body: { isPersonal: true } }), fresh: freshView },
  lockView: { request: () => ({ body: { isLocked: true } }), fresh: freshView },
};

const freshTemplate = async ({ owner, things: { tableId } }: Stage): Promise<Fresh> => ({
  recordTemplateId: (await owner.call(createRecordTemplate, { params: { tableId }, body: { name: 'fresh' } })).body.id,
});

const freshDeletedTemplate = async (stage: Stage): Promise<Fresh> => {
  const { recordTemplateId = '' } = await freshTemplate(stage);
  const { tableId } = stage.things;
  await stage.owner.call(deleteRecordTemplate, { params: { tableId, recordTemplateId } });
  return { recordTemplateId };
};

const recordTemplates: Record<string, Walk> = {
  createRecordTemplate: { request: () => ({ body: { name: 'Walk' } }) },
  updateRecordTemplate: { request: () => ({ body: { name: 'Changed' } }), fresh: freshTemplate },
  deleteRecordTemplate: { fresh: freshTemplate },
  restoreRecordTemplate: { fresh: freshDeletedTemplate },
  createRecordFromTemplate: { request: () => ({ body: {} }) },
};

const freshComment = async ({ owner, things: { tableId, recordId } }: Stage): Promise<Fresh> => ({
  commentId: (await owner.call(createComment, { params: { tableId, recordId }, body: { content: commentOf('fresh') } }))
    .body.id,
});

const comments: Record<string, Walk> = {
  createComment: { request: ({ commentId }) => ({ body: { content: commentOf('walk'), quoteId: commentId } }) },
  updateComment: { request: () => ({ body: { content: commentOf('changed') } }), fresh: freshComment },
  deleteComment: { fresh: freshComment },
  createReaction: { request: () => ({ body: { reaction: '👍' } }) },
  deleteReaction: { request: () => ({ body: { reaction: '👍' } }) },
  // No comment shows such an image.
  getCommentAttachment: { request: () => ({ params: { path: 'table/att000000000000000000000' } }), answers: 404 },
};

/** A base has room for 50 roles, and calls that go through make a lot of them. */
const roomForRoles = async ({ owner, things: { baseId, authorityMatrixRoleId } }: Stage): Promise<void> => {
  const roles = (await owner.call(listAuthorityRoles, { params: { baseId } })).body;
  if (roles.length < 36) return;
  // Those that were made last may be in use by other calls.
  for (const { id } of roles.filter((role) => role.id !== authorityMatrixRoleId).slice(0, 16))
    await owner.call(deleteAuthorityRole, { params: { baseId, authorityMatrixRoleId: id } });
};

const freshRole = async (stage: Stage): Promise<Fresh> => {
  await roomForRoles(stage);
  const { owner, things } = stage;
  const made = await owner.call(createAuthorityRole, {
    params: { baseId: things.baseId },
    body: { name: randomText(12) },
  });
  return { authorityMatrixRoleId: made.body.id };
};

const rights: Record<string, Walk> = {
  setAuthorityMatrixStatus: { request: () => ({ body: { enabled: false } }) },
  setDefaultAuthorityRole: { request: () => ({ body: { defaultRole: null } }) },
  setAuthorityMatrixAdmins: { request: () => ({ body: { userIds: null } }) },
  createAuthorityRole: {
    request: ({ email }) => ({ body: { name: email } }),
    fresh: async (stage) => {
      await roomForRoles(stage);
      return freshAddress();
    },
  },
  updateAuthorityRole: {
    request: ({ tableId, email }) => ({ body: { name: email, tables: [{ tableId }] } }),
    fresh: async (stage) => ({ ...(await freshRole(stage)), ...(await freshAddress()) }),
  },
  deleteAuthorityRole: { fresh: freshRole },
  setAuthorityRoleStatus: { request: () => ({ body: { enabled: true } }) },
  renameAuthorityRole: {
    request: ({ email }) => ({ body: { name: email } }),
    fresh: async (stage) => ({ ...(await freshRole(stage)), ...(await freshAddress()) }),
  },
  describeAuthorityRole: { request: () => ({ body: { description: 'Walk' } }) },
  setAuthorityRoleMembers: { request: ({ memberId }) => ({ body: { userIds: [memberId] } }) },
  duplicateAuthorityRole: { request: () => ({ body: {} }), fresh: freshRole },
  whoSees: { request: ({ tableId, recordId, fieldId }) => ({ query: { tableId, recordId, fieldId } }) },
  previewRights: { request: ({ tableId }) => ({ body: { enabled: true, role: { tables: [{ tableId }] } } }) },
  listAuthorityRoleFilterRecords: {
    request: ({ authorityMatrixRoleId }) => ({ query: { authorityMatrixRoleId } }),
  },
};

const freshWebhook = async ({ owner, things: { baseId } }: Stage): Promise<Fresh> => ({
  webhookId: (await owner.call(createWebhook, { params: { baseId }, body: walkWebhook })).body.id,
});

const walkWebhook = { name: 'Walk', url: 'https://receiver.invalid/', events: ['view.changed' as const] };

const webhooks: Record<string, Walk> = {
  createWebhook: { request: () => ({ body: walkWebhook }), fresh: freshBase },
  updateWebhook: { request: () => ({ body: { name: 'Renamed' } }) },
  deleteWebhook: { fresh: freshWebhook },
  resendWebhookDeliveries: { request: () => ({ body: { since: '2026-01-01T00:00:00.000Z' } }) },
};

const freshAutomation = async ({ owner, things: { baseId } }: Stage): Promise<Fresh> => {
  const automationId = (await owner.call(createAutomation, { params: { baseId }, body: walkAutomation })).body.id;
  await owner.call(activateAutomation, { params: { baseId, automationId } });
  return { automationId, ...nodesOf(automationId) };
};

const freshNodes = async (stage: Stage): Promise<Fresh> => {
  const { owner, things } = stage;
  const fresh = await freshAutomation(stage);
  const params = { baseId: things.baseId, workflowId: fresh.workflowId as string };
  const parentNodeId = fresh.triggerId as string;
  const action = await owner.call(createWorkflowAction, { params, body: { parentNodeId, type: 'wait' } });
  const logic = await owner.call(createWorkflowLogic, { params, body: { parentNodeId, type: 'condition' } });
  return { ...fresh, actionId: action.body.id, logicId: logic.body.logic.id };
};

const walkAutomation = {
  name: 'Walk',
  trigger: { type: 'schedule' as const, cron: '0 0 1 1 *', timeZone: 'UTC' },
  steps: [{ type: 'notify' as const, id: 'step1', userIds: 'usrNobody', message: 'New year' }],
};

const automations: Record<string, Walk> = {
  createAutomation: { request: () => ({ body: walkAutomation }), fresh: freshBase },
  updateAutomation: { request: () => ({ body: { name: 'Renamed' } }) },
  deleteAutomation: { fresh: freshAutomation },
  activateAutomation: { fresh: freshAutomation },
  deactivateAutomation: { fresh: freshAutomation },
  discardAutomationDraft: { fresh: freshAutomation },
  resumeAutomationRun: { request: () => ({ params: { runId: 'wru0000000000000000' } }), answers: 404 },
  cancelAutomationRun: { request: () => ({ params: { runId: 'wru0000000000000000' } }), answers: 404 },
  callAutomation: { request: () => ({ params: { token: 'none' }, body: {} }), answers: 404 },
  getAutomationRun: { request: () => ({ params: { runId: 'wru0000000000000000' } }), answers: 404 },
};

const aSchedule = { timing: { type: 'hours', interval: 6 }, tz: 'UTC' };
const notThere = { request: () => ({ params: { runId: 'wru0000000000000000' } }), answers: 404 };

const workflows: Record<string, Walk> = {
  createWorkflow: {
    request: () => ({ body: { name: 'Walk', trigger: { type: 'scheduledTime', config: aSchedule } } }),
    fresh: freshBase,
  },
  updateWorkflow: { request: () => ({ body: { name: 'Renamed' } }) },
  deleteWorkflow: { fresh: freshAutomation },
  removeWorkflow: { fresh: freshAutomation },
  stopWorkflow: { fresh: freshAutomation },
  deleteWorkflowPermanently: { fresh: freshAutomation },
  setWorkflowActive: { request: () => ({ body: { method: 'activate' } }), fresh: freshAutomation },
  moveWorkflow: {
    request: ({ automationId }) => ({ body: { anchorId: automationId, position: 'after' } }),
    fresh: async (stage) => ({ workflowId: (await freshAutomation(stage)).automationId as string }),
  },
  duplicateWorkflow: {
    fresh: async (stage) => {
      const { baseId = '' } = await freshBase(stage);
      return { baseId, ...(await freshAutomation({ ...stage, things: { ...stage.things, baseId } })) };
    },
  },
  createWorkflowTrigger: { request: () => ({ body: { type: 'scheduledTime', config: aSchedule } }) },
  updateWorkflowTrigger: { request: () => ({ body: { config: aSchedule } }) },
  // Its trigger is a schedule.
  generateWorkflowToken: { answers: 400 },
  createWorkflowAction: {
    request: ({ triggerId }) => ({ body: { parentNodeId: triggerId, type: 'wait' } }),
    fresh: freshAutomation,
  },
  updateWorkflowAction: { request: () => ({ body: { name: 'Renamed' } }) },
  deleteWorkflowAction: { fresh: freshNodes },
  duplicateWorkflowAction: { fresh: freshNodes },
  createWorkflowLogic: {
    request: ({ triggerId }) => ({ body: { parentNodeId: triggerId, type: 'condition' } }),
    fresh: freshAutomation,
  },
  updateWorkflowLogic: { request: () => ({ body: { name: 'Renamed' } }) },
  deleteWorkflowLogic: { fresh: freshNodes },
  getWorkflowRun: notThere,
  listWorkflowFilterRecords: { request: () => ({ body: { conjunction: 'and', filterSet: [] } }) },
};

const freshDashboard = async ({ owner, things: { baseId } }: Stage): Promise<Fresh> => ({
  dashboardId: (await owner.call(createDashboard, { params: { baseId }, body: { name: 'Walk' } })).body.id,
});

const freshItem = async (stage: Stage): Promise<Fresh> => {
  const { baseId, tableId } = stage.things;
  const { dashboardId = '' } = await freshDashboard(stage);
  const body = { name: 'Walk', chart: { type: 'records' as const, tableId } };
  const made = await stage.owner.call(createDashboardItem, { params: { baseId, dashboardId }, body });
  return { dashboardId, itemId: made.body.id };
};

const itemWithQuery = async (stage: Stage): Promise<Fresh> => {
  const fresh = await freshItem(stage);
  await stage.owner.call(setDashboardPluginStorage, {
    params: { baseId: stage.things.baseId, dashboardId: '', itemId: '', ...fresh },
    body: { storage: { query: { from: stage.things.tableId } } },
  });
  return fresh;
};

/** The rest of an item is like that of the tenant. */
const dashboards: Record<string, Walk> = {
  createDashboard: { request: () => ({ body: { name: 'Walk' } }), fresh: freshBase },
  renameDashboard: { request: () => ({ body: { name: 'Renamed' } }), fresh: freshDashboard },
  deleteDashboard: { fresh: freshDashboard },
  duplicateDashboard: { fresh: freshDashboard },
  setDashboardLayout: { request: () => ({ body: { layout: [] } }) },
  setDashboardFilters: { request: () => ({ body: { filters: [] } }), fresh: freshDashboard },
  createDashboardItem: {
    request: ({ tableId }) => ({ body: { name: 'Walk', chart: { type: 'records', tableId } } }),
    fresh: freshDashboard,
  },
  updateDashboardItem: { request: () => ({ body: { name: 'Renamed' } }), fresh: freshItem },
  previewChart: { request: ({ tableId }) => ({ body: { chart: { type: 'records', tableId } } }) },
  installDashboardPlugin: {
    request: () => ({ body: { name: 'Walk', pluginId: 'plgchart' } }),
    fresh: freshDashboard,
  },
  removeDashboardPlugin: { fresh: freshItem },
  renameDashboardPlugin: { request: () => ({ body: { name: 'Renamed' } }), fresh: freshItem },
  setDashboardPluginStorage: { request: () => ({ body: { storage: {} } }), fresh: freshItem },
  duplicateDashboardPlugin: { fresh: freshItem },
  queryDashboardPlugin: { request: ({ baseId }) => ({ query: { baseId } }), fresh: itemWithQuery },
  shareDashboard: { request: () => ({ body: {} }), fresh: freshDashboard },
  unshareDashboard: {
    fresh: async (stage) => {
      const { dashboardId = '' } = await freshDashboard(stage);
      const { baseId } = stage.things;
      await stage.owner.call(shareDashboard, { params: { baseId, dashboardId }, body: {} });
      return { dashboardId };
    },
  },
};

const unknownShare = (request: Request = {}): Walk => ({
  request: () => ({ ...request, params: { shareId: 'none' } }),
  answers: 400,
});

/** What a share shows is told by its own tests: here there is none. */
const shares: Record<string, Walk> = {
  enableShare: { fresh: freshView },
  disableShare: { fresh: freshShare },
  refreshShareId: { fresh: freshShare },
  setShareMeta: { request: () => ({ body: { includeRecords: true } }), fresh: freshView },
  createBaseShare: { fresh: freshBaseFolder, request: ({ nodeId }) => ({ body: { nodeId } }) },
  updateBaseShare: { fresh: freshBaseShare, request: () => ({ body: { allowCopy: true } }) },
  deleteBaseShare: { fresh: freshBaseShare },
  refreshBaseShare: { fresh: freshBaseShare },
  getSharedBase: { ...unknownShare(), answers: 404 },
  enterSharedBase: { ...unknownShare({ body: { password: 'none' } }), answers: 404 },
  copySharedBase: { ...unknownShare({ body: { spaceId: 'none' } }), answers: 404 },
  createShortLink: { request: () => ({ body: { type: 'view-share', resourceId: 'none' } }), answers: 404 },
  getShortLink: { request: () => ({ params: { code: 'none' } }), answers: 404 },
  authShare: unknownShare({ body: { password: 'none' } }),
  authDashboardShare: unknownShare({ body: { password: 'none' } }),
  getSharedDashboard: unknownShare(),
  getSharedChartData: unknownShare(),
  getShare: unknownShare(),
  listShareRecords: unknownShare(),
  getShareAggregations: unknownShare(),
  getShareRowCount: unknownShare(),
  getShareGroupPoints: unknownShare(),
  getShareSearchCount: unknownShare(),
  getShareSearchIndex: unknownShare(),
  getShareCalendar: unknownShare({
    query: { startDate: '2026-01-01', endDate: '2026-01-31', startDateFieldId: 'none', endDateFieldId: 'none' },
  }),
  copyShare: unknownShare({ query: { ranges: '[[0,0],[1,1]]' } }),
  copyShareToBase: unknownShare({ body: { baseId: 'none' } }),
  listShareLinkRecords: unknownShare({ query: { fieldId: 'none' } }),
  listShareCollaborators: unknownShare(),
  submitShareForm: unknownShare({ body: { fields: {} } }),
  createShareSignature: unknownShare({ body: { contentType: 'text/plain', contentLength: 1 } }),
  notifyShareFile: { request: () => ({ params: { shareId: 'none', token: 'none' } }), answers: 400 },
  readShareFile: { request: () => ({ params: { shareId: 'none', file: 'none' } }), answers: 404 },
  getShareViewDocIds: unknownShare(),
  getShareViewSnapshots: unknownShare({ query: { ids: ['none'] } }),
  getShareFieldDocIds: unknownShare(),
  getShareFieldSnapshots: unknownShare({ query: { ids: ['none'] } }),
  getShareRecordDocIds: unknownShare(),
  getShareRecordSnapshots: unknownShare({ query: { ids: ['none'] } }),
  listenToShare: unknownShare(),
  endSpaceShare: { fresh: freshShare },
};

const records: Record<string, Walk> = {
  ...comments,
  ...webhooks,
  ...rights,
  ...automations,
  ...dashboards,
  ...workflows,
  createRecords: {
    request: ({ fieldId, viewId, recordId }) => ({
      body: {
        fieldKeyType: 'id',
        records: [{ fields: { [fieldId]: 1 } }],
        order: { viewId, anchorId: recordId, position: 'after' },
      },
    }),
  },
  // The file is looked for when all else is right.
  analyzeImport: { request: () => ({ query: { attachmentUrl: 'none', fileType: 'csv' } }), answers: 400 },
  importTables: {
    request: () => ({ body: { attachmentUrl: 'none', fileType: 'csv', tz: 'UTC', worksheets: {} } }),
    answers: 400,
  },
  importRecords: {
    request: () => ({
      body: {
        attachmentUrl: 'none',
        fileType: 'csv',
        insertConfig: { sourceWorkSheetKey: 'none', excludeFirstRow: true, sourceColumnMap: {} },
      },
    }),
    answers: 400,
  },
  // Without records: what it answers must not depend on how often it was called.
  upsertRecords: { request: ({ fieldId }) => ({ body: { fieldKeyType: 'id', matchFields: [fieldId], records: [] } }) },
  createFileSignature: { request: () => ({ body: { contentType: 'text/plain', contentLength: 1, type: 1 } }) },
  uploadFile: { request: () => ({ params: { token: 'none' } }), answers: 400 },
  uploadFileByPost: { request: () => ({ params: { token: 'none' } }), answers: 400 },
  notifyFile: { request: () => ({ params: { token: 'none' } }), answers: 400 },
  readAttachment: { request: () => ({ params: { bucket: 'private', folder: 'table', file: 'none' } }), answers: 400 },
  // The field of the walk is no button.
  pressButton: { answers: 400 },
  resetButton: { answers: 400 },
  getPress: { request: () => ({ params: { runId: 'none' } }), answers: 404 },
  // A field of numbers.
  insertAttachments: { request: () => ({ body: { attachments: [{}] } }), answers: 400 },
  // Its body is a form, which is read when all else is right.
  uploadAttachment: { answers: 400 },
  // The field is none of files.
  downloadAttachments: { answers: 400 },
  submitForm: {
    request: ({ fieldId, viewId }) => ({ body: { viewId, fields: { [fieldId]: 1 } } }),
    fresh: async ({ owner, things }) => ({
      viewId: (await owner.call(createView, { params: { tableId: things.tableId }, body: { type: 'form' } })).body.id,
    }),
  },
  updateRecords: {
    request: ({ fieldId, recordId }) => ({
      body: { fieldKeyType: 'id', records: [{ id: recordId, fields: { [fieldId]: 2 } }] },
    }),
    fresh: freshRecord,
  },
  updateRecord: {
    request: ({ fieldId }) => ({ body: { fieldKeyType: 'id', record: { fields: { [fieldId]: 3 } } } }),
    fresh: freshRecord,
  },
  listRecords: { request: ({ viewId }) => ({ query: { viewId } }) },
  setOwnQuery: {
    request: ({ fieldId }) => ({ body: { query: { filter: null, sort: [{ fieldId, order: 'asc' }], group: [] } } }),
  },
  createPin: { request: ({ viewId }) => ({ body: { type: 'view', id: viewId } }), fresh: freshView },
  deletePin: { request: ({ viewId }) => ({ query: { type: 'view', id: viewId } }), fresh: freshPin },
  movePin: {
    request: ({ viewId }) => ({
      body: { type: 'view', id: viewId, anchorType: 'view', anchorId: viewId, position: 'before' },
    }),
    fresh: freshPin,
  },
  noteVisit: {
    request: ({ baseId, tableId }) => ({
      body: { resourceType: 'table', resourceId: tableId, parentResourceId: baseId },
    }),
  },
  getLastVisit: { request: ({ baseId }) => ({ query: { resourceType: 'table', parentResourceId: baseId } }) },
  getLastVisitedNode: { request: ({ baseId }) => ({ query: { parentResourceId: baseId } }) },
  getLastVisitMap: { request: ({ baseId }) => ({ query: { resourceType: 'view', parentResourceId: baseId } }) },
  showCell: { request: ({ fieldId, recordId }) => ({ body: { fieldId, recordId } }) },
  deleteRecord: { fresh: freshRecord },
  deleteSelection: {
    request: ({ recordId }) => ({ body: { selection: { recordIds: [recordId] } } }),
    fresh: freshRecord,
  },
  deleteSelectionStream: {
    request: ({ recordId }) => ({ body: { selection: { recordIds: [recordId] } } }),
    fresh: freshRecord,
  },
  patchSelectionStream: {
    request: ({ recordId }) => ({ body: { selection: { recordIds: [recordId] } } }),
    fresh: freshRecord,
  },
  deleteRanges: { request: ({ viewId }) => ({ query: { viewId, type: 'rows', ranges: '[[900,900]]' } }) },
  getIdsOfRanges: {
    request: ({ viewId }) => ({ query: { viewId, type: 'rows', ranges: '[[0,1]]', returnType: 'all' } }),
  },
  copyRanges: { request: ({ viewId }) => ({ query: { viewId, type: 'rows', ranges: '[[0,1]]' } }) },
  clearRanges: { request: ({ viewId }) => ({ body: { viewId, type: 'rows', ranges: [[900, 900]] } }) },
  pasteIntoRanges: {
    request: ({ viewId }) => ({
      body: {
        viewId,
        ranges: [
          [0, 0],
          [0, 0],
        ],
        content: 'text',
      },
    }),
  },
  previewPaste: {
    request: ({ viewId }) => ({
      body: {
        viewId,
        ranges: [
          [0, 0],
          [0, 0],
        ],
        content: 'text',
      },
    }),
  },
  updateSetting: { request: () => ({ body: { invitationsPerHour: 500 } }) },
  listAdminUsers: { request: () => ({ query: { search: 'kim', pageSize: 20 } }) },
  getAdminUser: { request: ofPerson, fresh: freshPerson },
  createAdminUser: { request: () => ({ body: { email: 'kim@example.com', name: 'Kim' } }) },
  updateAdminUser: { request: (things) => ({ ...ofPerson(things), body: { isActivated: false } }), fresh: freshPerson },
  setUserAdmin: { request: (things) => ({ ...ofPerson(things), body: { isAdmin: true } }), fresh: freshPerson },
  deleteAdminUser: { request: ofPerson, fresh: freshPerson },
  restoreAdminUser: { request: ofPerson, fresh: freshDeleted },
  eraseAdminUser: { request: ofPerson, fresh: freshDeleted },
  createPasswordLink: { request: ofPerson, fresh: freshPerson },
  endUserSession: { request: () => ({ params: { userId: 'usrNone', sessionId: 'sesNone' } }), answers: 404 },
  revokeUserToken: {
    request: ({ personId, accessTokenId }) => ({ params: { userId: personId, tokenId: accessTokenId } }),
    fresh: async ({ world }) => {
      const someone = await person(world);
      return { personId: someone.userId, accessTokenId: await smallToken(someone) };
    },
  },
  removeSecondFactorOf: { request: ofPerson, answers: 404 },
  updateAdminSpace: { request: () => ({ body: { name: 'Team' } }), fresh: freshSpace },
  deleteAdminSpace: { fresh: freshSpace },
  takeOverSpace: { request: () => ({ body: { reason: 'Its owner has left the company' } }), fresh: freshSpace },
  retryAdminJob: { request: () => ({ params: { jobId: 'jobNone' } }), answers: 404 },
  sendTestMail: { answers: 422 },
  exportInstanceAudit: { request: () => ({ query: { format: 'jsonl', startTime: '2030-01-01T00:00:00Z' } }) },
  queryBase: { request: ({ tableId }) => ({ query: { query: JSON.stringify({ from: tableId, limit: 1 }) } }) },
  getCalendarDays: {
    request: ({ fieldId }) => ({
      query: { startDate: '2024-01-01', endDate: '2024-01-31', startDateFieldId: fieldId, endDateFieldId: fieldId },
    }),
    fresh: freshDateField,
  },
  deleteRecords: { request: ({ recordId }) => ({ query: { recordIds: [recordId] } }), fresh: freshRecord },
  duplicateRecord: {
    request: ({ viewId, siblingRecordId }) => ({ body: { viewId, anchorId: siblingRecordId, position: 'before' } }),
  },
  restoreHistory: { request: ({ operationId }) => ({ body: { operationId, force: true } }) },
};

const search = ({ viewId, fieldId }: Things): Request => ({ query: { viewId, search: ['7', fieldId, 'true'] } });

const aggregations: Record<string, Walk> = {
  getAggregation: { request: ({ viewId, fieldId }) => ({ query: { viewId, 'field[sum]': [fieldId] } }) },
  getRowCount: { request: ({ viewId }) => ({ query: { viewId } }) },
  getGroupPoints: { request: ({ fieldId }) => ({ query: { groupBy: JSON.stringify([{ fieldId, order: 'asc' }]) } }) },
  getSearchCount: { request: search },
  getSearchIndex: { request: search },
  getRecordIndex: { request: ({ viewId, recordId }) => ({ query: { viewId, recordId } }) },
};

const somewhere = 'https://app.example.com';

const billing: Record<string, Walk> = {
  updateBillingDetail: { request: () => ({ body: { name: 'Accounts' } }) },
  // Nobody can pay here, which only those hear who may.
  createCheckout: {
    request: () => ({ body: { priceId: 'any', quantity: 1, successUrl: somewhere, cancelUrl: somewhere } }),
    answers: 422,
  },
  createPortal: { request: () => ({ body: { returnUrl: somewhere } }), answers: 422 },
  receiveStripeEvent: { request: () => ({ body: {} }), answers: 422 },
  cancelSubscription: {
    fresh: async (stage) => {
      const { spaceId = '' } = await freshSpace(stage);
      await setSpacePlan(stage.world.services, spaceId, { level: 'pro' });
      return { spaceId };
    },
  },
  setSpacePlan: { request: () => ({ body: { quantity: 5 } }), fresh: freshSpace },
  changeSpaceCredit: { request: () => ({ body: { kind: 'grant', amount: 1, reason: 'Welcome' } }), fresh: freshSpace },
};

/** In a space of its own: the free plan opens one base. */
const baseToOpen = async ({ owner }: Stage): Promise<Fresh> => ({
  baseId: await newBase(owner, await newSpace(owner)),
});

const connections: Record<string, Walk> = {
  // Not open.
  querySql: { request: () => ({ body: { sql: 'select 1 as one' } }), answers: 422 },
  createDbConnection: { fresh: baseToOpen },
  deleteDbConnection: {
    fresh: async (stage) => {
      const { baseId = '' } = await baseToOpen(stage);
      await stage.owner.call(createDbConnection, { params: { baseId } });
      return { baseId };
    },
  },
};

const notifications: Record<string, Walk> = {
  listNotifications: { request: () => ({ query: { notifyStates: 'unread' } }) },
  updateNotificationStatus: { request: () => ({ body: { isRead: true } }) },
};

export const walks: Record<string, Walk> = {
  ...account,
  ...organization,
  ...directory,
  ...oauth,
  ...workspace,
  ...people,
  ...tables,
  ...nodes,
  ...fields,
  ...views,
  ...recordTemplates,
  ...shares,
  ...records,
  ...aggregations,
  ...billing,
  ...connections,
  ...notifications,
};
