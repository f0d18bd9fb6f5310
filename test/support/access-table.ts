// Who may call what: one row per endpoint, written by hand. It is a statement of its own, on purpose not made from
// the `access` of the contract, so that a slip there is a difference here. The walk (test/api/access-matrix.test.ts)
// compares every row with the running server; an endpoint without a row fails it.
//
// A row: [where, lowest role, scopes that a token needs, may the token of an application, exceptions]
// - `anyone`: no credential is asked for.
// - `user`: anyone who is signed in, about themselves.
// - `own`: a thing that belongs to one user. To all others, also those who share a space with its owner, it is unknown.
// - `space`: for the roles on the space; anyone who only has a role on one of its bases does not know the space.
// - `base`: for the roles on the base or on its space; everything inside a base is meant, too.
// - `admin`: administrators of the instance. They have no key to the spaces of others.
import { type Action, rank, type Role } from '@rowhouse/contract/permission.ts';

type Where = 'anyone' | 'user' | 'own' | 'space' | 'base' | 'admin';

export type Outcome = 'ok' | 401 | 403 | 404;

const unidentified = ['nobody', 'malformed', 'unknown token', 'expired token'] as const;
const onSpace = ['owner', 'creator', 'editor', 'commenter', 'viewer'] as const;
const onBase = ['base creator', 'base editor', 'base commenter', 'base viewer'] as const;

/**
 * `session`: the owner signed in by cookie. `fewest scopes`: a token of the owner with no other scopes than the row
 * names. `lacks a scope`: with all but one of them. `elsewhere`: with all scopes, for another space.
 * `application`: the token of an application that the owner has allowed all it can ask for. `limited administrator`:
 * a token of an administrator with some scopes, which only matters on `admin` rows.
 */
export const principals = [
  ...unidentified,
  ...onSpace,
  ...onBase,
  'stranger',
  'administrator',
  'limited administrator',
  'session',
  'fewest scopes',
  'lacks a scope',
  'elsewhere',
  'application',
] as const;

export type PrincipalName = (typeof principals)[number];

export type Row = [
  where: Where,
  lowest: Role | null,
  scopes: Action[],
  application: 'app' | 'no app',
  exceptions?: Partial<Record<PrincipalName, Outcome>>,
];

/** Only a person at a browser may decide for an application: every token is refused. */
const noTokens = Object.fromEntries(
  principals
    .filter((name) => name !== 'session' && !(unidentified as readonly string[]).includes(name))
    .map((name) => [name, 403]),
) as Partial<Record<PrincipalName, Outcome>>;

/** Only a session or a token that may do everything. */
const noLimitedTokens: Partial<Record<PrincipalName, Outcome>> = { 'fewest scopes': 403, elsewhere: 403 };

/** Acts of an administrator who is there: no token, however much it may. */
const bySession: Partial<Record<PrincipalName, Outcome>> = { administrator: 403 };

/** Not for a token that reaches only some spaces or bases. */
const noPartialTokens: Partial<Record<PrincipalName, Outcome>> = { elsewhere: 403 };

/** What it names is unknown to them. */
const unknownThere: Partial<Record<PrincipalName, Outcome>> = {
  stranger: 404,
  administrator: 404,
  'limited administrator': 404,
};

/** Only the application itself may. */
const noPeople: Partial<Record<PrincipalName, Outcome>> = { ...noTokens, session: 403, application: 'ok' };

export const accessTable: Record<string, Row> = {
  // Accounts and credentials
  signUp: ['anyone', null, [], 'app'],
  getSignInOptions: ['anyone', null, [], 'app'],
  signIn: ['anyone', null, [], 'app'],
  signOut: ['user', null, [], 'app'],
  beginProviderSignIn: ['anyone', null, [], 'app'],
  finishProviderSignIn: ['anyone', null, [], 'app'],
  endSessionsByProvider: ['anyone', null, [], 'app'],
  signOutThere: ['user', null, [], 'app'],
  listIdentities: ['user', null, [], 'no app', noLimitedTokens],
  linkIdentity: ['user', null, [], 'no app', noLimitedTokens],
  unlinkIdentity: ['user', null, [], 'no app', noLimitedTokens],
  addPassword: ['user', null, [], 'no app', noLimitedTokens],
  changePassword: ['user', null, [], 'no app', noLimitedTokens],
  signInWithSecondFactor: ['anyone', null, [], 'app'],
  listSessions: ['user', null, [], 'no app', noLimitedTokens],
  endSession: ['user', null, [], 'no app', noLimitedTokens],
  endOtherSessions: ['user', null, [], 'no app', noTokens],
  endSessionsOfUser: ['admin', null, [], 'no app'],
  getSecondFactor: ['user', null, [], 'no app', noLimitedTokens],
  beginSecondFactor: ['user', null, [], 'no app', noLimitedTokens],
  confirmSecondFactor: ['user', null, [], 'no app', noLimitedTokens],
  renewRecoveryCodes: ['user', null, [], 'no app', noLimitedTokens],
  removeSecondFactor: ['user', null, [], 'no app', noLimitedTokens],
  sendSignUpCode: ['anyone', null, [], 'app'],
  sendSignInCode: ['anyone', null, [], 'app'],
  signInWithCode: ['anyone', null, [], 'app'],
  sendResetPasswordEmail: ['anyone', null, [], 'app'],
  resetPassword: ['anyone', null, [], 'app'],
  sendVerificationCode: ['user', null, [], 'no app', noLimitedTokens],
  verifyEmail: ['user', null, [], 'no app', noLimitedTokens],
  sendChangeEmailCode: ['user', null, [], 'no app', noLimitedTokens],
  changeEmail: ['user', null, [], 'no app', noLimitedTokens],
  getUser: ['user', null, [], 'app'],
  getUserMe: ['user', null, ['user|email_read'], 'app'],
  renameUser: ['user', null, [], 'no app', noLimitedTokens],
  setLanguage: ['user', null, [], 'no app', noLimitedTokens],
  updateAvatar: ['user', null, [], 'no app', noLimitedTokens],
  deleteAvatar: ['user', null, [], 'no app', noLimitedTokens],
  deleteUser: ['user', null, [], 'no app', noLimitedTokens],
  getTempToken: ['user', null, [], 'no app', noLimitedTokens],
  saveQuery: ['user', null, [], 'app'],
  updateNotifyMeta: ['user', null, [], 'no app', noLimitedTokens],
  createAccessToken: ['user', null, [], 'no app'],
  listAccessTokens: ['user', null, [], 'no app'],
  getAccessToken: ['own', null, [], 'no app'],
  updateAccessToken: ['own', null, [], 'no app'],
  refreshAccessToken: ['own', null, [], 'no app'],
  deleteAccessToken: ['own', null, [], 'no app'],

  // Applications
  createOauthClient: ['user', null, [], 'no app', noLimitedTokens],
  listOauthClients: ['user', null, [], 'no app'],
  listAuthorizedClients: ['user', null, [], 'no app'],
  getOauthClient: ['own', null, [], 'no app'],
  updateOauthClient: ['own', null, [], 'no app', noLimitedTokens],
  deleteOauthClient: ['own', null, [], 'no app', noLimitedTokens],
  createOauthSecret: ['own', null, [], 'no app', noLimitedTokens],
  deleteOauthSecret: ['own', null, [], 'no app', noLimitedTokens],
  revokeOauthAccess: ['own', null, [], 'no app', noLimitedTokens],
  // An application may end its own access, but not that of another one.
  revokeOauthToken: ['own', null, [], 'no app'],
  giveUpOauthToken: ['own', null, [], 'app', noPeople],
  authorizeOauthClient: ['anyone', null, [], 'app'],
  getOauthDecision: ['own', null, [], 'no app'],
  decideOauthRequest: ['own', null, [], 'no app', noTokens],
  createDeviceCode: ['anyone', null, [], 'app'],
  getDeviceRequest: ['own', null, [], 'no app', noTokens],
  decideDeviceRequest: ['own', null, [], 'no app', noTokens],
  issueOauthToken: ['anyone', null, [], 'app'],
  revokeIssuedToken: ['anyone', null, [], 'app'],

  // Spaces
  createSpace: ['user', null, ['space|create'], 'no app', noPartialTokens],
  listSpaces: ['user', null, ['space|read'], 'no app'],
  getSpace: ['space', 'viewer', ['space|read'], 'no app'],
  updateSpace: ['space', 'owner', ['space|update'], 'no app'],
  deleteSpace: ['space', 'owner', ['space|delete'], 'no app'],
  destroySpace: ['space', 'owner', ['space|delete'], 'no app'],
  getSpaceSecondFactor: ['space', 'viewer', ['space|read'], 'no app'],
  setSpaceSecondFactor: ['space', 'owner', ['space|update'], 'no app'],
  listAuditLog: ['space', 'owner', ['space|audit_read'], 'no app'],
  exportAuditLog: ['space', 'owner', ['space|audit_read'], 'no app'],

  // Bases
  createBase: ['space', 'creator', ['base|create'], 'app'],
  // The walk copies the records, too.
  duplicateBase: ['space', 'creator', ['base|create', 'base|read', 'table|read', 'record|read'], 'app'],
  exportBase: [
    'base',
    'creator',
    ['base|update', 'table|export', 'record|read', 'table_record_history|read', 'user|email_read'],
    'app',
  ],
  importBaseStream: ['space', 'creator', ['base|create'], 'app'],
  importBase: ['space', 'creator', ['base|create'], 'app'],
  importFrom: ['space', 'creator', ['base|create'], 'app'],
  listOtherBases: ['space', 'creator', ['base|create'], 'app'],
  searchSpace: ['space', 'viewer', ['base|read'], 'app'],
  listSpaceBases: ['space', 'viewer', ['base|read'], 'app'],
  listBases: ['user', null, ['base|read_all'], 'app'],
  listSharedBases: ['user', null, ['base|read'], 'app'],
  getBase: ['base', 'viewer', ['base|read'], 'app'],
  getBasePermission: ['base', 'viewer', ['base|read'], 'app'],
  updateBase: ['base', 'creator', ['base|update'], 'app'],
  updateBaseOrder: ['base', 'creator', ['base|update'], 'app'],
  // What cannot be undone is for owners.
  moveBase: ['base', 'owner', ['base|delete', 'base|create'], 'app'],
  deleteBase: ['base', 'creator', ['base|delete'], 'app'],
  destroyBase: ['base', 'owner', ['base|delete'], 'app'],

  // People
  listSpaceCollaborators: ['space', 'viewer', ['space|read'], 'no app'],
  addSpaceCollaborators: ['space', 'viewer', ['space|invite_email'], 'no app'],
  updateSpaceCollaborator: ['space', 'owner', ['space|grant_role'], 'no app'],
  // The walk removes a viewer: everybody above may.
  removeSpaceCollaborator: ['space', 'commenter', ['space|read', 'space|grant_role'], 'no app'],
  listGroups: ['space', 'viewer', ['space|read'], 'no app'],
  createGroup: ['space', 'owner', ['space|grant_role'], 'no app'],
  updateGroup: ['space', 'owner', ['space|grant_role'], 'no app'],
  deleteGroup: ['space', 'owner', ['space|grant_role'], 'no app'],
  addGroupMembers: ['space', 'owner', ['space|grant_role'], 'no app'],
  removeGroupMembers: ['space', 'owner', ['space|read', 'space|grant_role'], 'no app'],
  setAuthorityMatrixStatus: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  getAuthorityMatrix: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  setDefaultAuthorityRole: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  setAuthorityMatrixAdmins: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  createAuthorityRole: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  listAuthorityRoles: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  getAuthorityRole: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  updateAuthorityRole: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  deleteAuthorityRole: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  setAuthorityRoleStatus: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  renameAuthorityRole: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  describeAuthorityRole: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  setAuthorityRoleMembers: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  duplicateAuthorityRole: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  checkAuthorityMatrix: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  listAuthorityRoleFilterRecords: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  whoSees: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  previewRights: ['base', 'creator', ['base|authority_matrix_config'], 'no app'],
  getMyRights: ['base', 'viewer', ['table|read'], 'app'],
  listDepartments: ['user', null, ['space|read'], 'no app'],
  listDepartmentUsers: ['user', null, ['space|read'], 'no app'],
  listBaseCollaborators: ['base', 'viewer', ['base|read'], 'app'],
  listBaseUsers: ['base', 'viewer', ['base|read'], 'app'],
  addBaseCollaborators: ['base', 'viewer', ['base|invite_email'], 'no app'],
  updateBaseCollaborator: ['base', 'creator', ['base|update'], 'no app'],
  removeBaseCollaborator: ['base', 'commenter', ['base|read', 'base|update'], 'no app'],
  createSpaceLink: ['space', 'creator', ['space|invite_link'], 'no app'],
  listSpaceLinks: ['space', 'creator', ['space|invite_link'], 'no app'],
  updateSpaceLink: ['space', 'creator', ['space|invite_link'], 'no app'],
  deleteSpaceLink: ['space', 'creator', ['space|invite_link'], 'no app'],
  inviteToSpace: ['space', 'viewer', ['space|invite_email'], 'no app'],
  createBaseLink: ['base', 'creator', ['base|invite_link'], 'no app'],
  listBaseLinks: ['base', 'creator', ['base|invite_link'], 'no app'],
  updateBaseLink: ['base', 'creator', ['base|invite_link'], 'no app'],
  deleteBaseLink: ['base', 'creator', ['base|invite_link'], 'no app'],
  inviteToBase: ['base', 'viewer', ['base|invite_email'], 'no app'],
  describeInvitation: ['anyone', null, [], 'app'],
  acceptInvitation: ['user', null, [], 'no app', noPartialTokens],

  // Tables
  // Nodes. The walk moves, renames, copies and deletes tables, and makes a folder.
  getBaseDiagram: ['base', 'viewer', ['table|read'], 'app'],
  signAttachments: ['base', 'viewer', ['record|read'], 'app'],
  listNodes: ['base', 'viewer', ['base|read'], 'app'],
  getNodeTree: ['base', 'viewer', ['base|read'], 'app'],
  getNode: ['base', 'viewer', ['base|read', 'table|read'], 'app'],
  createNode: ['base', 'creator', ['base|read', 'base|update'], 'app'],
  updateNode: ['base', 'creator', ['base|read', 'table|update', 'table|read'], 'app'],
  moveNode: ['base', 'creator', ['base|read', 'table|update', 'table|read'], 'app'],
  duplicateNode: ['base', 'creator', ['base|read', 'table|create', 'table|read'], 'app'],
  deleteNode: ['base', 'creator', ['base|read', 'table|delete', 'table|read'], 'app'],
  deleteNodePermanently: ['base', 'owner', ['base|read', 'table|delete'], 'app'],
  createFolder: ['base', 'creator', ['base|update'], 'app'],
  renameFolder: ['base', 'creator', ['base|update'], 'app'],
  deleteFolder: ['base', 'creator', ['base|update'], 'app'],
  createTable: ['base', 'creator', ['table|create'], 'app'],
  listTables: ['base', 'viewer', ['table|read'], 'app'],
  getTable: ['base', 'viewer', ['table|read'], 'app'],
  getDefaultViewId: ['base', 'viewer', ['table|read'], 'app'],
  getTablePermission: ['base', 'viewer', ['table|read'], 'app'],
  renameTable: ['base', 'creator', ['table|update'], 'app'],
  setTableIcon: ['base', 'creator', ['table|update'], 'app'],
  describeTable: ['base', 'creator', ['table|update'], 'app'],
  setDbTableName: ['base', 'creator', ['table|update'], 'app'],
  moveTable: ['base', 'creator', ['table|update'], 'app'],
  duplicateTable: ['base', 'creator', ['table|create'], 'app'],
  deleteTable: ['base', 'creator', ['table|delete'], 'app'],
  deleteTablePermanently: ['base', 'owner', ['table|delete'], 'app'],

  // Fields
  createField: ['base', 'creator', ['field|create'], 'app'],
  listFields: ['base', 'viewer', ['field|read'], 'app'],
  getField: ['base', 'viewer', ['field|read'], 'app'],
  updateField: ['base', 'creator', ['field|update'], 'app'],
  convertField: ['base', 'creator', ['field|update'], 'app'],
  duplicateField: ['base', 'creator', ['field|create'], 'app'],
  deleteField: ['base', 'creator', ['field|delete'], 'app'],
  deleteFields: ['base', 'creator', ['field|delete'], 'app'],
  planField: ['base', 'viewer', ['field|read'], 'app'],
  planFieldCreate: ['base', 'creator', ['field|create'], 'app'],
  planFieldConvert: ['base', 'creator', ['field|update'], 'app'],
  planFieldDelete: ['base', 'creator', ['field|delete'], 'app'],
  checkIntegrity: ['base', 'creator', ['table|create'], 'app'],
  fixIntegrity: ['base', 'creator', ['table|create'], 'app'],

  // Views
  createView: ['base', 'editor', ['view|create'], 'app'],
  duplicateView: ['base', 'editor', ['view|create'], 'app'],
  listViews: ['base', 'viewer', ['view|read'], 'app'],
  getView: ['base', 'viewer', ['view|read'], 'app'],
  deleteView: ['base', 'editor', ['view|delete'], 'app'],
  renameView: ['base', 'editor', ['view|update'], 'app'],
  describeView: ['base', 'editor', ['view|update'], 'app'],
  setViewFilter: ['base', 'editor', ['view|update'], 'app'],
  setViewSort: ['base', 'editor', ['view|update'], 'app'],
  setViewGroup: ['base', 'editor', ['view|update'], 'app'],
  setViewColumns: ['base', 'editor', ['view|update'], 'app'],
  setViewOptions: ['base', 'editor', ['view|update'], 'app'],
  moveView: ['base', 'editor', ['view|update'], 'app'],
  makeViewPersonal: ['base', 'editor', ['view|update'], 'app'],
  lockView: ['base', 'editor', ['view|update'], 'app'],
  moveRecords: ['base', 'editor', ['view|update'], 'app'],
  sortManually: ['base', 'editor', ['view|update'], 'app'],

  // Record templates
  listRecordTemplates: ['base', 'viewer', ['record|read'], 'app'],
  createRecordTemplate: ['base', 'editor', ['view|update'], 'app'],
  updateRecordTemplate: ['base', 'editor', ['view|update'], 'app'],
  deleteRecordTemplate: ['base', 'editor', ['view|update'], 'app'],
  restoreRecordTemplate: ['base', 'editor', ['view|update'], 'app'],
  createRecordFromTemplate: ['base', 'editor', ['record|create'], 'app'],

  // Shares. Applications cannot share; with the address everyone gets in.
  enableShare: ['base', 'editor', ['view|share', 'record|read'], 'no app'],
  disableShare: ['base', 'editor', ['view|share'], 'no app'],
  refreshShareId: ['base', 'editor', ['view|share', 'record|read'], 'no app'],
  setShareMeta: ['base', 'editor', ['view|share', 'record|read'], 'no app'],
  createBaseShare: ['base', 'creator', ['base|update', 'table|read', 'field|read', 'view|read', 'record|read'], 'app'],
  listBaseShares: ['base', 'viewer', ['base|read'], 'app'],
  getNodeShare: ['base', 'creator', ['base|update', 'table|read', 'field|read', 'view|read', 'record|read'], 'app'],
  getWholeShare: ['base', 'creator', ['base|update', 'table|read', 'field|read', 'view|read', 'record|read'], 'app'],
  updateBaseShare: ['base', 'creator', ['base|update', 'table|read', 'field|read', 'view|read', 'record|read'], 'app'],
  deleteBaseShare: ['base', 'creator', ['base|update'], 'app'],
  refreshBaseShare: ['base', 'creator', ['base|update', 'table|read', 'field|read', 'view|read', 'record|read'], 'app'],
  getSharedBase: ['anyone', null, [], 'app'],
  enterSharedBase: ['anyone', null, [], 'app'],
  copySharedBase: ['user', null, ['base|create', 'table|read', 'record|read'], 'app'],
  createShortLink: ['user', null, [], 'app'],
  getShortLink: ['anyone', null, [], 'app'],
  authShare: ['anyone', null, [], 'app'],
  getShare: ['anyone', null, [], 'app'],
  listShareRecords: ['anyone', null, [], 'app'],
  getShareAggregations: ['anyone', null, [], 'app'],
  getShareRowCount: ['anyone', null, [], 'app'],
  getShareGroupPoints: ['anyone', null, [], 'app'],
  getShareSearchCount: ['anyone', null, [], 'app'],
  getShareSearchIndex: ['anyone', null, [], 'app'],
  getShareCalendar: ['anyone', null, [], 'app'],
  copyShare: ['anyone', null, [], 'app'],
  copyShareToBase: ['anyone', null, [], 'app'],
  listShareLinkRecords: ['anyone', null, [], 'app'],
  listShareCollaborators: ['anyone', null, [], 'app'],
  submitShareForm: ['anyone', null, [], 'app'],
  createShareSignature: ['anyone', null, [], 'app'],
  notifyShareFile: ['anyone', null, [], 'app'],
  readShareFile: ['anyone', null, [], 'app'],
  getShareViewDocIds: ['anyone', null, [], 'app'],
  getShareViewSnapshots: ['anyone', null, [], 'app'],
  getShareFieldDocIds: ['anyone', null, [], 'app'],
  getShareFieldSnapshots: ['anyone', null, [], 'app'],
  getShareRecordDocIds: ['anyone', null, [], 'app'],
  getShareRecordSnapshots: ['anyone', null, [], 'app'],
  listenToShare: ['anyone', null, [], 'app'],
  listSpaceShares: ['space', 'owner', ['space|update', 'record|read'], 'no app'],
  listSpaceBaseShares: [
    'space',
    'owner',
    ['space|update', 'table|read', 'field|read', 'view|read', 'record|read'],
    'no app',
  ],
  endSpaceShare: ['space', 'owner', ['space|update'], 'no app'],

  // Dashboards: charts show cells.
  listDashboards: ['base', 'viewer', ['base|read'], 'app'],
  createDashboard: ['base', 'creator', ['base|update'], 'app'],
  getDashboard: ['base', 'viewer', ['base|read'], 'app'],
  renameDashboard: ['base', 'creator', ['base|update'], 'app'],
  deleteDashboard: ['base', 'creator', ['base|update'], 'app'],
  duplicateDashboard: ['base', 'creator', ['base|update'], 'app'],
  setDashboardLayout: ['base', 'creator', ['base|update'], 'app'],
  setDashboardFilters: ['base', 'creator', ['base|update'], 'app'],
  createDashboardItem: ['base', 'creator', ['base|update'], 'app'],
  updateDashboardItem: ['base', 'creator', ['base|update'], 'app'],
  getChartData: ['base', 'viewer', ['base|read', 'record|read'], 'app'],
  previewChart: ['base', 'viewer', ['base|read', 'record|read'], 'app'],
  installDashboardPlugin: ['base', 'creator', ['base|update'], 'app'],
  getDashboardPlugin: ['base', 'viewer', ['base|read'], 'app'],
  removeDashboardPlugin: ['base', 'creator', ['base|update'], 'app'],
  renameDashboardPlugin: ['base', 'creator', ['base|update'], 'app'],
  setDashboardPluginStorage: ['base', 'creator', ['base|update'], 'app'],
  duplicateDashboardPlugin: ['base', 'creator', ['base|update'], 'app'],
  queryDashboardPlugin: ['base', 'viewer', ['base|read', 'record|read'], 'app'],
  shareDashboard: ['base', 'creator', ['base|update', 'table|read', 'record|read'], 'app'],
  unshareDashboard: ['base', 'creator', ['base|update'], 'app'],
  authDashboardShare: ['anyone', null, [], 'app'],
  getSharedDashboard: ['anyone', null, [], 'app'],
  getSharedChartData: ['anyone', null, [], 'app'],

  // Webhooks: they hold cells, so reading them is for those who may change them.
  createWebhook: ['base', 'creator', ['automation|create'], 'app'],
  listWebhooks: ['base', 'creator', ['automation|update'], 'app'],
  getWebhook: ['base', 'creator', ['automation|update'], 'app'],
  updateWebhook: ['base', 'creator', ['automation|update', 'record|read', 'user|email_read'], 'app'],
  deleteWebhook: ['base', 'creator', ['automation|delete'], 'app'],
  rotateWebhookSecret: ['base', 'creator', ['automation|update'], 'app'],
  testWebhook: ['base', 'creator', ['automation|update'], 'app'],
  listWebhookDeliveries: ['base', 'creator', ['automation|update'], 'app'],
  getWebhookDelivery: ['base', 'creator', ['automation|update', 'record|read', 'user|email_read'], 'app'],
  resendWebhookDelivery: ['base', 'creator', ['automation|update', 'record|read', 'user|email_read'], 'app'],
  resendWebhookDeliveries: ['base', 'creator', ['automation|update', 'record|read', 'user|email_read'], 'app'],

  // Automations: definitions may hold secrets, and runs hold cells, so reading them is for those who may change them.
  createAutomation: ['base', 'creator', ['automation|create'], 'app'],
  listAutomations: ['base', 'viewer', ['automation|read'], 'app'],
  getAutomation: ['base', 'creator', ['automation|update'], 'app'],
  updateAutomation: ['base', 'creator', ['automation|update'], 'app'],
  deleteAutomation: ['base', 'creator', ['automation|delete'], 'app'],
  activateAutomation: ['base', 'creator', ['automation|update'], 'app'],
  deactivateAutomation: ['base', 'creator', ['automation|update'], 'app'],
  discardAutomationDraft: ['base', 'creator', ['automation|update'], 'app'],
  rotateAutomationAddress: ['base', 'creator', ['automation|update'], 'app'],
  rotateAutomationSecret: ['base', 'creator', ['automation|update'], 'app'],
  listAutomationRuns: ['base', 'creator', ['automation|update', 'record|read', 'user|email_read'], 'app'],
  getAutomationRun: ['base', 'creator', ['automation|update', 'record|read', 'user|email_read'], 'app'],
  testAutomation: ['base', 'creator', ['automation|update'], 'app'],
  resumeAutomationRun: ['base', 'creator', ['automation|update', 'record|read', 'user|email_read'], 'app'],
  cancelAutomationRun: ['base', 'creator', ['automation|update', 'record|read', 'user|email_read'], 'app'],

  // Workflows: automations in the words of Teable's clients.
  listWorkflows: ['base', 'viewer', ['automation|read'], 'app'],
  createWorkflow: ['base', 'creator', ['automation|create'], 'app'],
  getWorkflow: ['base', 'creator', ['automation|update'], 'app'],
  getActiveWorkflow: ['base', 'creator', ['automation|update'], 'app'],
  updateWorkflow: ['base', 'creator', ['automation|update'], 'app'],
  deleteWorkflow: ['base', 'creator', ['automation|delete'], 'app'],
  deleteWorkflowPermanently: ['base', 'creator', ['automation|delete'], 'app'],
  setWorkflowActive: ['base', 'creator', ['automation|update'], 'app'],
  moveWorkflow: ['base', 'creator', ['automation|update'], 'app'],
  duplicateWorkflow: ['base', 'creator', ['automation|create', 'automation|update'], 'app'],
  createWorkflowTrigger: ['base', 'creator', ['automation|update'], 'app'],
  getWorkflowTrigger: ['base', 'creator', ['automation|update'], 'app'],
  updateWorkflowTrigger: ['base', 'creator', ['automation|update'], 'app'],
  generateWorkflowToken: ['base', 'creator', ['automation|update'], 'app'],
  createWorkflowAction: ['base', 'creator', ['automation|update'], 'app'],
  getWorkflowAction: ['base', 'creator', ['automation|update'], 'app'],
  updateWorkflowAction: ['base', 'creator', ['automation|update'], 'app'],
  deleteWorkflowAction: ['base', 'creator', ['automation|update'], 'app'],
  duplicateWorkflowAction: ['base', 'creator', ['automation|update'], 'app'],
  createWorkflowLogic: ['base', 'creator', ['automation|update'], 'app'],
  getWorkflowLogic: ['base', 'creator', ['automation|update'], 'app'],
  updateWorkflowLogic: ['base', 'creator', ['automation|update'], 'app'],
  deleteWorkflowLogic: ['base', 'creator', ['automation|update'], 'app'],
  listWorkflowRuns: ['base', 'creator', ['automation|update', 'record|read', 'user|email_read'], 'app'],
  getWorkflowRunSummary: ['base', 'creator', ['automation|update'], 'app'],
  getWorkflowRun: ['base', 'creator', ['automation|update', 'record|read', 'user|email_read'], 'app'],
  testWorkflowNode: ['base', 'creator', ['automation|update'], 'app'],
  testWorkflow: ['base', 'creator', ['automation|update'], 'app'],
  listWorkflowFilterRecords: ['base', 'viewer', ['record|read'], 'app'],
  observeWorkflows: ['admin', null, [], 'no app'],
  summarizeWorkflows: ['admin', null, [], 'no app'],
  observeWorkflowRuns: ['admin', null, [], 'no app'],
  stopWorkflow: ['admin', null, [], 'no app'],
  removeWorkflow: ['admin', null, [], 'no app'],

  // Records and their history
  createRecords: ['base', 'editor', ['record|create'], 'app'],
  createComment: ['base', 'commenter', ['record|comment'], 'app'],
  listComments: ['base', 'viewer', ['record|read'], 'app'],
  getComment: ['base', 'viewer', ['record|read'], 'app'],
  // Only its author, who is the owner here.
  updateComment: ['base', 'owner', ['record|comment'], 'app'],
  // Its author, and those who may change the table.
  deleteComment: ['base', 'creator', ['record|comment'], 'app'],
  createReaction: ['base', 'commenter', ['record|comment'], 'app'],
  deleteReaction: ['base', 'commenter', ['record|comment'], 'app'],
  countComments: ['base', 'viewer', ['record|read'], 'app'],
  countCommentsByQuery: ['base', 'viewer', ['record|read'], 'app'],
  getCommentSubscription: ['base', 'viewer', ['record|read'], 'app'],
  createCommentSubscription: ['base', 'viewer', ['record|read'], 'app'],
  deleteCommentSubscription: ['base', 'viewer', ['record|read'], 'app'],
  getCommentAttachment: ['base', 'viewer', ['record|read'], 'app'],
  updateRecords: ['base', 'editor', ['record|update'], 'app'],
  updateRecord: ['base', 'editor', ['record|update'], 'app'],
  getRecord: ['base', 'viewer', ['record|read'], 'app'],
  getRecordStatus: ['base', 'viewer', ['record|read'], 'app'],
  // Files. A signature without a base is for anyone who is signed in; the token and the address are the permission for the rest.
  createFileSignature: ['user', null, [], 'app'],
  uploadFile: ['anyone', null, [], 'app'],
  uploadFileByPost: ['anyone', null, [], 'app'],
  notifyFile: ['user', null, [], 'app'],
  readAttachment: ['anyone', null, [], 'app'],
  pressButton: ['base', 'viewer', ['record|read'], 'app'],
  getPress: ['base', 'viewer', ['record|read'], 'app'],
  resetButton: ['base', 'editor', ['record|update'], 'app'],
  insertAttachments: ['base', 'editor', ['record|update'], 'app'],
  uploadAttachment: ['base', 'editor', ['record|update'], 'app'],
  downloadAttachments: ['base', 'viewer', ['record|read'], 'app'],
  analyzeImport: ['user', null, [], 'app'],
  importTables: ['base', 'editor', ['base|table_import'], 'no app'],
  importRecords: ['base', 'creator', ['table|import', 'record|create'], 'app'],
  upsertRecords: ['base', 'editor', ['record|update', 'record|create'], 'app'],
  exportCsv: ['base', 'viewer', ['table|export', 'record|read'], 'app'],
  listRecords: ['base', 'viewer', ['record|read'], 'app'],
  deleteRecord: ['base', 'editor', ['record|delete'], 'app'],
  deleteRecords: ['base', 'editor', ['record|delete'], 'app'],
  deleteSelection: ['base', 'editor', ['record|delete'], 'app'],
  deleteSelectionStream: ['base', 'editor', ['record|delete'], 'app'],
  patchSelectionStream: ['base', 'editor', ['record|delete'], 'app'],
  deleteRanges: ['base', 'editor', ['record|delete'], 'app'],
  getIdsOfRanges: ['base', 'viewer', ['record|read'], 'app'],
  copyRanges: ['base', 'viewer', ['record|read'], 'app'],
  clearRanges: ['base', 'editor', ['record|update'], 'app'],
  pasteIntoRanges: ['base', 'editor', ['record|update'], 'app'],
  previewPaste: ['base', 'viewer', ['record|read'], 'app'],
  submitForm: ['base', 'editor', ['record|create'], 'app'],
  duplicateRecord: ['base', 'editor', ['record|create'], 'app'],
  listTableHistory: ['base', 'editor', ['record|read', 'table_record_history|read'], 'app'],
  listRecordHistory: ['base', 'viewer', ['record|read', 'table_record_history|read'], 'app'],
  restoreHistory: ['base', 'editor', ['record|update'], 'app'],
  listViewFilterRecords: ['base', 'viewer', ['record|read'], 'app'],
  listFieldFilterRecords: ['base', 'viewer', ['record|read'], 'app'],
  queryBase: ['base', 'creator', ['base|query_data', 'record|read'], 'no app'],
  listTemplates: ['admin', null, [], 'no app'],
  listPublishedTemplates: ['user', null, [], 'app'],
  getTemplate: ['user', null, [], 'app'],
  createTemplate: ['admin', null, [], 'no app'],
  updateTemplate: ['admin', null, [], 'no app'],
  snapshotTemplate: ['admin', null, [], 'no app'],
  publishBase: ['admin', null, [], 'no app'],
  getTemplateOfBase: ['admin', null, [], 'no app'],
  unpublishTemplate: ['admin', null, [], 'no app'],
  pinTemplate: ['admin', null, [], 'no app'],
  orderTemplate: ['admin', null, [], 'no app'],
  orderTemplateCategory: ['admin', null, [], 'no app'],
  visitTemplate: ['user', null, [], 'app'],
  getTemplatePermalink: ['anyone', null, [], 'app'],
  deleteTemplate: ['admin', null, [], 'no app'],
  listTemplateCategories: ['admin', null, [], 'no app'],
  listPublishedTemplateCategories: ['user', null, [], 'app'],
  createTemplateCategory: ['admin', null, [], 'no app'],
  updateTemplateCategory: ['admin', null, [], 'no app'],
  deleteTemplateCategory: ['admin', null, [], 'no app'],
  createBaseFromTemplate: ['space', 'creator', ['base|create'], 'app'],
  listAdminUsers: ['admin', null, [], 'no app'],
  getAdminUser: ['admin', null, [], 'no app'],
  listAdminSpaces: ['admin', null, [], 'no app'],
  listAdminBases: ['admin', null, [], 'no app'],
  listAdminJobs: ['admin', null, [], 'no app'],
  getAdminHealth: ['admin', null, [], 'no app'],
  listInstanceAudit: ['admin', null, [], 'no app'],
  exportInstanceAudit: ['admin', null, [], 'no app'],
  createAdminUser: ['admin', null, [], 'no app', bySession],
  updateAdminUser: ['admin', null, [], 'no app', bySession],
  setUserAdmin: ['admin', null, [], 'no app', bySession],
  deleteAdminUser: ['admin', null, [], 'no app', bySession],
  restoreAdminUser: ['admin', null, [], 'no app', bySession],
  eraseAdminUser: ['admin', null, [], 'no app', bySession],
  createPasswordLink: ['admin', null, [], 'no app', bySession],
  endUserSession: ['admin', null, [], 'no app', bySession],
  revokeUserToken: ['admin', null, [], 'no app', bySession],
  removeSecondFactorOf: ['admin', null, [], 'no app', bySession],
  updateAdminSpace: ['admin', null, [], 'no app', bySession],
  deleteAdminSpace: ['admin', null, [], 'no app', bySession],
  takeOverSpace: ['admin', null, [], 'no app', bySession],
  retryAdminJob: ['admin', null, [], 'no app', bySession],
  sendTestMail: ['admin', null, [], 'no app', bySession],
  listBaseSizes: ['space', 'owner', ['space|update'], 'app'],
  getSetting: ['admin', null, [], 'no app'],
  updateSetting: ['admin', null, [], 'no app'],
  updateLogo: ['admin', null, [], 'no app'],
  getPublicSetting: ['anyone', null, [], 'app'],
  getCalendarDays: ['base', 'viewer', ['record|read'], 'app'],
  getOpenTasks: ['base', 'viewer', ['record|read'], 'app'],
  // Directories come with a token of their own
  getScimConfig: ['anyone', null, [], 'app'],
  listScimTypes: ['anyone', null, [], 'app'],
  listScimSchemas: ['anyone', null, [], 'app'],
  listScimUsers: ['anyone', null, [], 'app'],
  createScimUser: ['anyone', null, [], 'app'],
  getScimUser: ['anyone', null, [], 'app'],
  replaceScimUser: ['anyone', null, [], 'app'],
  changeScimUser: ['anyone', null, [], 'app'],
  deleteScimUser: ['anyone', null, [], 'app'],
  listScimGroups: ['anyone', null, [], 'app'],
  createScimGroup: ['anyone', null, [], 'app'],
  getScimGroup: ['anyone', null, [], 'app'],
  replaceScimGroup: ['anyone', null, [], 'app'],
  changeScimGroup: ['anyone', null, [], 'app'],
  deleteScimGroup: ['anyone', null, [], 'app'],
  listScimTokens: ['user', null, [], 'no app', noLimitedTokens],
  createScimToken: ['user', null, [], 'no app', noLimitedTokens],
  deleteScimToken: ['user', null, [], 'no app', noLimitedTokens],

  // Organisations: the walk calls one that is not there
  listOrganizations: ['admin', null, [], 'no app'],
  createOrganization: ['admin', null, [], 'no app'],
  deleteOrganization: ['admin', null, [], 'no app'],
  listOrganizationAdmins: ['admin', null, [], 'no app'],
  setOrganizationAdmin: ['admin', null, [], 'no app'],
  getInstanceOrganization: ['user', null, [], 'no app'],
  getOwnOrganization: ['user', null, [], 'app'],
  getOrganizationMe: ['user', null, [], 'no app', noLimitedTokens],
  getOrganization: ['user', null, [], 'no app', noLimitedTokens],
  renameOrganization: ['user', null, [], 'no app', noLimitedTokens],
  getOrganizationSetting: ['user', null, [], 'no app', noLimitedTokens],
  setOrganizationAutoSpace: ['user', null, [], 'no app', noLimitedTokens],
  setDepartmentScope: ['user', null, [], 'no app', noLimitedTokens],
  listOrganizationUsers: ['user', null, [], 'no app', noLimitedTokens],
  createOrganizationUsers: ['user', null, [], 'no app', noLimitedTokens],
  addOrganizationUsers: ['user', null, [], 'no app', noLimitedTokens],
  removeOrganizationUsers: ['user', null, [], 'no app', noLimitedTokens],
  getOrganizationUser: ['user', null, [], 'no app', noLimitedTokens],
  updateOrganizationUser: ['user', null, [], 'no app', noLimitedTokens],
  deactivateOrganizationUser: ['user', null, [], 'no app', noLimitedTokens],
  activateOrganizationUser: ['user', null, [], 'no app', noLimitedTokens],
  haveOrganizationUsers: ['user', null, [], 'no app', noLimitedTokens],
  listOrganizationDepartments: ['user', null, [], 'no app', noLimitedTokens],
  getDepartment: ['user', null, [], 'no app', noLimitedTokens],
  createDepartment: ['user', null, [], 'no app', noLimitedTokens],
  renameDepartment: ['user', null, [], 'no app', noLimitedTokens],
  moveDepartment: ['user', null, [], 'no app', noLimitedTokens],
  deleteDepartment: ['user', null, [], 'no app', noLimitedTokens],
  listOrganizationDepartmentUsers: ['user', null, [], 'no app', noLimitedTokens],
  addDepartmentUsers: ['user', null, [], 'no app', noLimitedTokens],
  removeDepartmentUsers: ['user', null, [], 'no app', noLimitedTokens],
  moveDepartmentUsers: ['user', null, [], 'no app', noLimitedTokens],
  setDepartmentsOfUser: ['user', null, [], 'no app', noLimitedTokens],
  listDomains: ['user', null, [], 'no app', noLimitedTokens],
  claimDomain: ['user', null, [], 'no app', noLimitedTokens],
  checkDomain: ['user', null, [], 'no app', noLimitedTokens],
  removeDomain: ['user', null, [], 'no app', noLimitedTokens],
  listVerifiedDomains: ['user', null, [], 'no app', noLimitedTokens],
  verifyDomain: ['user', null, [], 'no app', noLimitedTokens],
  removeVerifiedDomain: ['user', null, [], 'no app', noLimitedTokens],
  listAuthentications: ['user', null, [], 'no app', noLimitedTokens],
  createAuthentication: ['user', null, [], 'no app', noLimitedTokens],
  getAuthentication: ['user', null, [], 'no app', noLimitedTokens],
  updateAuthentication: ['user', null, [], 'no app', noLimitedTokens],
  deleteAuthentication: ['user', null, [], 'no app', noLimitedTokens],
  listAuthenticationProviders: ['user', null, [], 'no app', noLimitedTokens],
  setOnlyProvider: ['user', null, [], 'no app', noLimitedTokens],
  listOrganizationSpaceNames: ['user', null, [], 'no app', noLimitedTokens],
  countOrganizationSpaces: ['user', null, [], 'no app', noLimitedTokens],
  listOrganizationSpaces: ['user', null, [], 'no app', noLimitedTokens],
  getOrganizationSpace: ['user', null, [], 'no app', noLimitedTokens],
  addOrganizationSpace: ['user', null, [], 'no app', noLimitedTokens],
  removeOrganizationSpace: ['user', null, [], 'no app', noLimitedTokens],
  getAiConfig: ['base', 'viewer', ['base|read'], 'app'],
  listIntegrations: ['space', 'viewer', ['space|read'], 'no app'],
  getAiSetting: ['space', 'viewer', ['space|read'], 'no app'],
  listPlugins: ['user', null, [], 'app'],
  listPublishedPlugins: ['user', null, [], 'app'],
  listPluginPanels: ['base', 'viewer', ['table|read'], 'app'],
  listPluginMenus: ['base', 'viewer', ['table|read'], 'app'],
  listWaiting: ['admin', null, [], 'no app'],
  listSearchIndexes: ['base', 'viewer', ['table|read'], 'app'],
  toggleSearchIndex: ['base', 'creator', ['table|update'], 'app'],
  repairSearchIndex: ['base', 'creator', ['table|update'], 'app'],
  listBrokenSearchIndexes: ['base', 'viewer', ['table|read'], 'app'],
  undo: ['base', 'viewer', ['table|read'], 'app'],
  redo: ['base', 'viewer', ['table|read'], 'app'],

  // Counts and statistics show what stands in cells.
  getAggregation: ['base', 'viewer', ['record|read'], 'app'],
  getRowCount: ['base', 'viewer', ['record|read'], 'app'],
  getGroupPoints: ['base', 'viewer', ['record|read'], 'app'],
  getSearchCount: ['base', 'viewer', ['record|read'], 'app'],
  getSearchIndex: ['base', 'viewer', ['record|read'], 'app'],
  getRecordIndex: ['base', 'viewer', ['record|read'], 'app'],

  // Plans, usage and billing
  getBaseUsage: ['base', 'viewer', ['base|read'], 'app'],
  getSpaceUsage: ['space', 'viewer', ['space|read'], 'no app'],
  getInstanceUsage: ['user', null, [], 'app'],
  listBaseProducts: ['user', null, [], 'app'],
  getSubscription: ['space', 'viewer', ['space|read'], 'no app'],
  getSubscriptionSummary: ['space', 'viewer', ['space|read'], 'no app'],
  listSubscriptionSummaries: ['user', null, ['space|read'], 'no app'],
  getBilling: ['space', 'owner', ['space|read'], 'no app'],
  getUsageHistory: ['space', 'owner', ['space|read'], 'no app'],
  getCreditSummary: ['space', 'owner', ['space|read'], 'no app'],
  updateBillingDetail: ['space', 'owner', ['space|update'], 'no app'],
  createCheckout: ['space', 'owner', ['space|update'], 'no app'],
  createPortal: ['space', 'owner', ['space|update'], 'no app'],
  cancelSubscription: ['space', 'owner', ['space|update'], 'no app'],
  receiveStripeEvent: ['anyone', null, [], 'app'],
  callAutomation: ['anyone', null, [], 'app'],
  setSpacePlan: ['admin', null, [], 'no app'],
  changeSpaceCredit: ['admin', null, [], 'no app'],

  // SQL access. Bases have no owners of their own, so a role on the base alone is never enough.
  querySql: ['base', 'creator', ['base|query_data', 'record|read', 'user|email_read'], 'no app'],
  createDbConnection: ['base', 'owner', ['base|db_connection', 'record|read', 'user|email_read'], 'no app'],
  getDbConnection: ['base', 'owner', ['base|db_connection'], 'no app'],
  deleteDbConnection: ['base', 'owner', ['base|db_connection'], 'no app'],

  // Notifications and streams. An application may count them, and mark one whose id it was given.
  listNotifications: ['user', null, [], 'no app', noPartialTokens],
  getUnreadCount: ['user', null, [], 'app', noPartialTokens],
  updateNotificationStatus: ['user', null, [], 'app', noPartialTokens],
  readAllNotifications: ['user', null, [], 'no app', noPartialTokens],
  listenToNotifications: ['user', null, [], 'no app', noPartialTokens],
  listenToTable: ['base', 'viewer', ['record|read'], 'app'],
  listenToBase: ['base', 'viewer', ['base|read'], 'app'],
  setOwnQuery: ['base', 'viewer', ['view|read'], 'app'],
  createPin: ['user', null, [], 'no app', { ...noPartialTokens, ...unknownThere }],
  deletePin: ['own', null, [], 'no app', noPartialTokens],
  listPins: ['user', null, [], 'no app', noPartialTokens],
  movePin: ['own', null, [], 'no app', noPartialTokens],
  noteVisit: ['user', null, [], 'no app', { ...noPartialTokens, ...unknownThere }],
  getLastVisit: ['user', null, [], 'no app', { ...noPartialTokens, ...unknownThere }],
  getLastVisitedNode: ['user', null, [], 'no app', { ...noPartialTokens, ...unknownThere }],
  getLastVisitMap: ['user', null, [], 'no app', { ...noPartialTokens, ...unknownThere }],
  listLastBases: ['user', null, [], 'no app', noPartialTokens],
  showCell: ['base', 'viewer', ['record|read'], 'app'],

  // Jobs. The walk asks for one of the base that nobody started.
  getJob: ['base', 'viewer', ['base|read'], 'app'],
  getJobFile: ['base', 'viewer', ['base|read'], 'app'],
  listBaseJobs: ['base', 'viewer', ['base|read'], 'app'],
  cancelJob: ['base', 'creator', ['base|read', 'base|update'], 'app'],
  continueJob: ['base', 'creator', ['base|read', 'table|import', 'record|create'], 'app'],
  undoJob: ['base', 'editor', ['base|read', 'record|delete'], 'app'],

  // The trash. The walk asks for bases and for the tables of a base.
  listTrash: ['user', null, ['base|delete'], 'app'],
  listTrashItems: ['base', 'creator', ['table|delete'], 'app'],
  restoreTrash: ['base', 'creator', ['table|delete'], 'app'],
  deleteTrashItem: ['base', 'owner', ['table|trash_reset'], 'app'],
  resetTrashItems: ['base', 'owner', ['table|trash_reset'], 'app'],
};

const reachesDownTo = (lowest: Role | null, role: Role): Outcome =>
  lowest !== null && rank(role) <= rank(lowest) ? 'ok' : 403;

/** For anyone who is signed in and has nothing to do with it. */
const outside: Record<Where, Outcome> = { anyone: 'ok', user: 'ok', own: 404, space: 404, base: 404, admin: 403 };

export const expectedOutcome = (
  [where, lowest, scopes, application, exceptions]: Row,
  name: PrincipalName,
): Outcome => {
  const isOneOf = (names: readonly string[]): boolean => names.includes(name);
  const exception = exceptions?.[name];
  if (where === 'anyone') return 'ok';
  if (isOneOf(unidentified)) return 401;
  if (exception !== undefined) return exception;
  if (name === 'limited administrator') return 403;
  if (name === 'administrator') return where === 'admin' ? 'ok' : outside[where];
  if (where === 'admin' || name === 'stranger') return outside[where];
  if (name === 'lacks a scope') return scopes.length === 0 ? 'ok' : 403;
  if (name === 'application') return application === 'app' ? 'ok' : 403;
  if (name === 'elsewhere') return where === 'space' || where === 'base' ? 403 : 'ok';
  if (isOneOf(onBase))
    return where === 'base' ? reachesDownTo(lowest, name.slice('base '.length) as Role) : outside[where];
  const role = isOneOf(onSpace) ? (name as Role) : 'owner';
  if (where === 'own') return role === 'owner' ? 'ok' : 404;
  return where === 'user' ? 'ok' : reachesDownTo(lowest, role);
};

/** Of callers in the order of their rights, those beside which the outcome changes, and the last. */
const edges = (row: Row, names: readonly PrincipalName[]): PrincipalName[] => {
  const outcomes = names.map((name) => expectedOutcome(row, name));
  return names.filter(
    (_, at) =>
      at === names.length - 1 || outcomes[at] !== outcomes[at + 1] || (at > 0 && outcomes[at] !== outcomes[at - 1]),
  );
};

/**
 * The callers whose answers the others follow from: the lowest role that may and the highest that may not, and each kind of
 * credential where it is treated differently from the one it is like. That a higher role may whatever a lower one may is
 * said by the contract alone, and compared with this table without a server.
 */
export const boundaryPrincipals = (row: Row): PrincipalName[] => {
  const differs = (name: PrincipalName, from: PrincipalName): PrincipalName[] =>
    expectedOutcome(row, name) === expectedOutcome(row, from) ? [] : [name];
  // Inside a base, those on the space who may reach it in the same way as those on the base.
  const refusedOnSpace = edges(row, onSpace).filter((name) => expectedOutcome(row, name) !== 'ok');
  const roles = [...(row[0] === 'base' ? refusedOnSpace : edges(row, onSpace)), ...edges(row, onBase)];
  return [
    'nobody',
    'stranger',
    'fewest scopes',
    'lacks a scope',
    'application',
    'limited administrator',
    ...(row[0] === 'user' ? roles.filter((name) => differs(name, 'stranger').length > 0) : roles),
    ...differs('administrator', 'stranger'),
    ...differs('session', 'owner'),
    ...differs('elsewhere', 'fewest scopes'),
  ];
};
