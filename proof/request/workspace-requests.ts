// Requests about everything but tables and shares that name every parameter: spaces, bases, people, credentials, trash, billing.
import { tomorrow } from '../../test/support/access-tenant.ts';
import { callback } from '../../test/support/oauth.ts';
import type { Holdings } from '../estate.ts';
import { filterOf, type More } from './request-parts.ts';
import { newTables } from './table-definitions.ts';

const collaborators = {
  includeBase: true,
  includeSystem: false,
  skip: 0,
  take: 10,
  search: 'a',
  type: 'user',
  orderBy: 'asc',
};

const token = ({ spaceId, baseId }: Holdings) => ({
  name: 'Token',
  description: 'A token',
  scopes: ['user|email_read'],
  spaceIds: [spaceId],
  baseIds: [baseId],
  hasFullAccess: false,
});

const client = {
  name: 'Application',
  description: 'An application',
  homepage: 'https://app.example.com',
  logo: 'https://app.example.com/logo.png',
  redirectUris: [callback],
  scopes: ['record|read'],
};

/** One of each type. */
const charts: More = (things) => {
  const { tableId, viewId, fieldId, selectFieldId, multiSelectFieldId, dateFieldId, userFieldId } = things;
  const source = { tableId, viewId, filter: filterOf(things) };
  const measure = { statistic: 'sum', fieldId };
  const group = { fieldId: selectFieldId, sort: 'measure', order: 'desc', limit: 5 };
  const month = { fieldId: dateFieldId, by: 'month', fill: true, omitEmpty: true };
  const axes = { ...source, group: month, measures: [measure], split: { fieldId: userFieldId } };
  const looked = { legend: 'top', goal: { value: 1 } };
  return [
    { type: 'bar', ...axes, look: looked },
    { type: 'stackedBar', ...axes },
    { type: 'line', ...axes },
    { type: 'area', ...axes },
    { type: 'pie', ...source, group, measure },
    { type: 'scatter', ...source, x: dateFieldId, y: fieldId, size: fieldId, split: group },
    { type: 'heatMap', ...source, rows: group, columns: { fieldId: multiSelectFieldId }, measure },
    { type: 'number', ...source, measure, trend: { fieldId: dateFieldId, by: 'week', periods: 4 } },
    { type: 'pivot', ...source, rows: [group], columns: [{ fieldId: multiSelectFieldId }], measures: [measure] },
    { type: 'records', ...source, fieldIds: [fieldId], sort: [{ fieldId, order: 'desc' }], take: 5 },
    { type: 'text', text: 'Text', description: 'A text' },
  ].map((chart) => ({ body: { name: 'Chart', chart } }));
};

export const workspaceRequests: Record<string, More> = {
  listDepartments: () => [{ query: { parentId: 'dep', search: 'a' } }],
  searchSpace: () => [{ query: { search: 'a', type: 'table', pageSize: 2, cursor: 'a tbl' } }],
  signAttachments: () => [{ body: { attachments: [{ token: 'att', path: 'table/att', mimetype: 'text/plain' }] } }],
  publishBase: () => [
    {
      body: {
        title: 'Template',
        description: 'Of a base',
        nodes: [],
        includeData: true,
        cover: null,
        defaultActiveNodeId: null,
      },
    },
  ],
  querySql: () => [{ body: { sql: 'select 1 as one' } }],
  listDepartmentUsers: () => [{ query: { departmentId: 'dep' } }],
  listPublishedPlugins: () => [{ query: { ids: ['plg'] } }],
  noteVisit: ({ baseId, tableId, viewId }) => [
    { body: { resourceType: 'table', resourceId: tableId, parentResourceId: baseId, childResourceId: viewId } },
  ],
  createFileSignature: ({ baseId }) => [{ body: { contentType: 'text/plain', contentLength: 1, type: 1, baseId } }],
  createDashboardItem: charts,
  updateDashboardItem: charts,
  previewChart: (things) => [
    ...charts(things).map(({ body }) => ({ body: { chart: (body as { chart: unknown }).chart } })),
    {
      body: {
        chart: { type: 'number', tableId: things.tableId, measure: { statistic: 'count' } },
        filters: [{ tableId: things.tableId, filter: filterOf(things) }],
      },
    },
  ],
  getChartData: (things) => [
    { query: { filters: JSON.stringify([{ tableId: things.tableId, filter: filterOf(things) }]) } },
  ],
  setDashboardFilters: ({ tableId, selectFieldId }) => [
    { body: { filters: [{ id: 'state', name: 'State', fields: [{ tableId, fieldId: selectFieldId }] }] } },
  ],
  setDashboardLayout: ({ itemId }) => [{ body: { layout: [{ pluginInstallId: itemId, x: 1, y: 2, w: 3, h: 4 }] } }],
  setDashboardPluginStorage: ({ tableId, selectFieldId, fieldId }) => [
    {
      body: {
        storage: {
          query: {
            from: tableId,
            groupBy: [{ column: selectFieldId, type: 'field' }],
            aggregation: [{ column: fieldId, type: 'aggregation', statisticFunc: 'sum' }],
          },
          config: { type: 'bar', xAxis: [{ column: selectFieldId }], yAxis: [{ column: `${fieldId}_sum` }] },
        },
      },
    },
  ],
  queryDashboardPlugin: ({ baseId }) => [{ query: { baseId, cellFormat: 'json' } }],
  shareDashboard: () => [{ body: { refresh: true } }],
  duplicateDashboard: () => [{ body: { name: 'Copy' } }],
  duplicateDashboardPlugin: () => [{ body: { name: 'Copy' } }],
  createNode: (things) => [
    { body: { resourceType: 'folder', name: 'Folder', parentId: `bno${things.folderId.slice(3)}` } },
    ...newTables(things).map(({ body }) => ({ body: { name: 'Table', ...(body as object), resourceType: 'table' } })),
  ],
  moveNode: ({ nodeId, folderId }) => [
    { body: { parentId: `bno${folderId.slice(3)}` } },
    { body: { anchorId: nodeId, position: 'before' } },
  ],
  createGroup: ({ groupId }) => [{ body: { name: 'Group', parentId: groupId } }],
  updateGroup: ({ groupId }) => [{ body: { name: 'Group', parentId: groupId } }],
  createBase: ({ spaceId }) => [{ body: { spaceId, name: 'Base', icon: '🏠' } }],
  updateBase: () => [{ body: { name: 'Renamed', icon: '🏠' } }],
  listSpaceCollaborators: () => [{ query: collaborators }],
  listBaseCollaborators: () => [{ query: { ...collaborators, includeBase: undefined } }],
  listBaseUsers: () => [{ query: { skip: 0, take: 10, search: 'a', orderBy: 'desc', includeSystem: true } }],
  updateSpaceCollaborator: ({ memberId }) => [{ body: { userId: memberId, role: 'viewer' } }],
  updateBaseCollaborator: ({ baseMemberId }) => [{ body: { userId: baseMemberId, role: 'viewer' } }],
  removeSpaceCollaborator: ({ memberId }) => [{ query: { userId: memberId } }],
  removeBaseCollaborator: ({ baseMemberId }) => [{ query: { userId: baseMemberId } }],
  createWebhook: (things) => [
    {
      body: {
        name: 'Whole',
        url: 'https://receiver.invalid/path?query=1',
        events: ['record.updated', 'view.entered', 'view.left'],
        tableIds: [things.tableId],
        fieldIds: [things.fieldId],
        viewId: things.viewId,
        filter: { before: filterOf(things), after: filterOf(things) },
        withValues: false,
        fieldKeyType: 'name',
      },
    },
  ],
  updateWebhook: (things) => [
    {
      body: {
        name: 'Changed',
        url: 'http://receiver.invalid/',
        events: ['record.created'],
        tableIds: [things.tableId],
        fieldIds: null,
        viewId: null,
        filter: { after: filterOf(things) },
        withValues: true,
        fieldKeyType: 'id',
        isOn: true,
      },
    },
  ],
  listWebhookDeliveries: () => [{ query: { take: 5, cursor: '1000000', state: 'waiting', search: 'webhook.test' } }],
  createSpace: () => [{ body: { name: 'Space' } }],
  exportBase: () => [{ query: { history: false } }],
  listOtherBases: ({ spaceId }) => [
    { body: { spaceId, source: { type: 'teable', url: 'http://127.0.0.1:1', token: 'none' } } },
  ],
  importFrom: ({ spaceId, baseId }) => [
    {
      body: { spaceId, name: 'Other', source: { type: 'airtable', apiKey: 'none', baseId, url: 'http://127.0.0.1:1' } },
    },
    { body: { spaceId, source: { type: 'teable', url: 'http://127.0.0.1:1', token: 'none', baseId } } },
  ],
  importBaseStream: ({ spaceId }) => [{ body: { notify: { token: 'att000000000000000000000' }, spaceId } }],
  importBase: ({ spaceId }) => [{ body: { notify: { token: 'att000000000000000000000' }, spaceId } }],
  undoJob: () => [{ body: { force: true } }],
  duplicateBase: ({ baseId, spaceId }) => [{ body: { fromBaseId: baseId, spaceId, withRecords: true, name: 'Copy' } }],
  createBaseFromTemplate: ({ baseId, spaceId }) => [
    { body: { spaceId, templateId: 'tplProjectTracker00', withRecords: true, baseId } },
  ],
  createTemplate: ({ baseId }) => [
    { body: { name: 'Template', description: 'A template', category: 'tpcOperations000000', baseId } },
  ],
  updateTemplate: ({ baseId }) => [
    {
      body: {
        baseId,
        categoryId: 'tpcOperations000000',
        cover: { id: 'act', name: 'cover.png', token: 'att000000000000000000000' },
      },
    },
  ],
  listTrash: () => [{ query: { resourceType: 'space', cursor: 'x' } }],
  listTrashItems: ({ tableId, recordTrashId }) => [
    { query: { resourceType: 'table', resourceId: tableId } },
    { query: { resourceType: 'table', resourceId: tableId, cursor: recordTrashId } },
  ],
  restoreTrash: ({ recordTrashId, fieldTrashId, viewTrashId }) =>
    [recordTrashId, fieldTrashId, viewTrashId].map((trashId) => ({ params: { trashId } })),
  deleteTrashItem: ({ recordTrashId, fieldTrashId, viewTrashId }) =>
    [recordTrashId, fieldTrashId, viewTrashId].map((trashId) => ({ params: { trashId } })),
  resetTrashItems: ({ tableId }) => [{ query: { resourceType: 'table', resourceId: tableId } }],
  createAccessToken: (things) => [{ body: { ...token(things), expiredTime: tomorrow().toISOString() } }],
  updateAccessToken: (things) => [{ body: token(things) }],
  refreshAccessToken: () => [{ body: { expiredTime: tomorrow().toISOString() } }],
  signUp: ({ email, password, openInvitationId, openInvitationCode }) => [
    {
      body: {
        email,
        password,
        defaultSpaceName: 'Space',
        refMeta: {},
        inviteCode: 'x',
        invitationId: openInvitationId,
        invitationCode: openInvitationCode,
      },
    },
  ],
  beginProviderSignIn: () => [{ params: { providerId: 'none' }, query: { redirect: '/trash' } }],
  finishProviderSignIn: () => [
    {
      params: { providerId: 'none' },
      query: { state: 'state', code: 'code', iss: 'https://id.example.com', error: 'no' },
    },
  ],
  linkIdentity: ({ password }) => [{ body: { providerId: 'none', password, redirect: '/account' } }],
  unlinkIdentity: () => [{ params: { identityId: 'idn0000000000000000' } }],
  listAuditLog: ({ memberId }) => [{ query: { userId: memberId } }],
  exportAuditLog: ({ memberId }) => [{ query: { userId: memberId, format: 'csv' } }],
  createOauthClient: () => [{ body: client }],
  updateOauthClient: ({ clientId }) => [{ body: { ...client, clientId, secrets: [] } }],
  authorizeOauthClient: ({ clientId }) => [
    {
      query: {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: callback,
        scope: 'record|read',
        state: 'state',
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
      },
    },
  ],
  decideOauthRequest: ({ transactionId }) => [{ body: { transaction_id: transactionId, cancel: 'true' } }],
  issueOauthToken: ({ clientId, clientSecret }) => [
    {
      body: {
        grant_type: 'refresh_token',
        refresh_token: 'x',
        scope: 'record|read',
        client_id: clientId,
        client_secret: clientSecret,
        code_verifier: 'a'.repeat(43),
      },
    },
  ],
  revokeIssuedToken: ({ clientId, clientSecret }) => [
    { body: { token: 'x', token_type_hint: 'refresh_token', client_id: clientId, client_secret: clientSecret } },
  ],
  updateBillingDetail: () => [{ body: { name: 'Accounts', email: 'accounts@example.com' } }],
  getUsageHistory: () => [{ query: { days: 30 } }],
  createCheckout: () => [
    {
      body: {
        priceId: 'price_pro_month',
        quantity: 2,
        successUrl: 'https://app.example.com',
        cancelUrl: 'https://app.example.com',
        isTrial: true,
      },
    },
  ],
  setSpacePlan: () => [
    {
      body: {
        level: 'pro',
        interval: 'year',
        quantity: 3,
        status: 'active',
        currentPeriodStart: '2024-01-01T00:00:00.000Z',
        currentPeriodEnd: '2100-01-01T00:00:00.000Z',
        trialEnd: '2100-01-01T00:00:00.000Z',
        cancelAt: null,
      },
    },
  ],
  changeSpaceCredit: () => [{ body: { kind: 'spend', amount: 1, reason: 'Work', reference: 'ref' } }],
  listNotifications: () => [{ query: { notifyStates: 'read', cursor: 'x' } }],
  listenToNotifications: () => [{ query: { lastEventId: '1' } }],
  listAdminBases: ({ spaceId }) => [{ query: { spaceId } }],
  listInstanceAudit: ({ ownerId, tableId }) => [{ query: { userId: ownerId, resourceId: tableId } }],
  exportInstanceAudit: ({ ownerId, tableId }) => [{ query: { format: 'csv', userId: ownerId, resourceId: tableId } }],
  setOrganizationAutoSpace: ({ spaceId }) => [{ body: { autoSpaceType: 'selected', autoSpaceIds: [spaceId] } }],
  createOrganizationUsers: ({ groupId }) => [{ body: [{ email: 'someone@example.org', departmentId: groupId }] }],
  listOrganizationDepartments: ({ groupId }) => [{ query: { parentId: groupId } }],
  createDepartment: ({ groupId }) => [{ body: { name: 'Department', parentId: groupId } }],
  listOrganizationDepartmentUsers: ({ groupId }) => [{ query: { departmentId: groupId } }],
};
