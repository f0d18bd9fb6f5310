// What each endpoint leaves in the audit log: the actions it may write, or the reason why it writes none. One row for every endpoint
// that is not a GET, and for each GET that writes. An endpoint without a row fails test/api/audit-actions.test.ts.
import type { AuditAction } from '@rowhouse/contract/audit.ts';

export type AuditRow = readonly AuditAction[] | string;

const rows = (reason: string, ...names: string[]): Record<string, AuditRow> => Object.fromEntries(names.map((name) => [name, reason]));

const writing: Record<string, AuditRow> = {
  // Accounts and credentials
  signIn: ['user.signedIn'],
  signInWithSecondFactor: ['user.signedIn'],
  changePassword: ['user.passwordChanged'],
  resetPassword: ['user.passwordReset'],
  changeEmail: ['user.emailChanged'],
  confirmSecondFactor: ['user.secondFactorSet'],
  renewRecoveryCodes: ['user.recoveryCodesRenewed'],
  removeSecondFactor: ['user.secondFactorRemoved'],
  deleteUser: ['collaborator.removed'],
  createAccessToken: ['token.created'],
  getTempToken: ['token.created'],
  updateAccessToken: ['token.changed'],
  refreshAccessToken: ['token.refreshed'],
  deleteAccessToken: ['token.deleted'],
  decideOauthRequest: ['application.allowed'],
  revokeOauthToken: ['application.ended'],

  // People
  createSpaceLink: ['invitation.linkCreated'],
  createBaseLink: ['invitation.linkCreated'],
  updateSpaceLink: ['invitation.changed'],
  updateBaseLink: ['invitation.changed'],
  deleteSpaceLink: ['invitation.deleted'],
  deleteBaseLink: ['invitation.deleted'],
  inviteToSpace: ['invitation.sent'],
  inviteToBase: ['invitation.sent'],
  acceptInvitation: ['invitation.accepted'],
  addSpaceCollaborators: ['collaborator.added'],
  addBaseCollaborators: ['collaborator.added'],
  updateSpaceCollaborator: ['collaborator.roleChanged'],
  updateBaseCollaborator: ['collaborator.roleChanged'],
  removeSpaceCollaborator: ['collaborator.removed'],
  removeBaseCollaborator: ['collaborator.removed'],
  setSpaceSecondFactor: ['space.secondFactorDemanded', 'space.secondFactorNotDemanded'],

  // What is copied, moved, exported, imported or deleted
  deleteSpace: ['space.trashed'],
  destroySpace: ['space.destroyed'],
  deleteBase: ['base.trashed'],
  destroyBase: ['base.destroyed'],
  moveBase: ['base.moved'],
  duplicateBase: ['base.copied'],
  snapshotTemplate: ['base.copied'],
  exportBase: ['base.exported'],
  importBase: ['base.imported'],
  importFrom: ['base.importedFrom'],
  createDbConnection: ['base.sqlOpened'],
  deleteDbConnection: ['base.sqlClosed'],
  deleteTable: ['table.trashed'],
  deleteTablePermanently: ['table.destroyed'],
  duplicateTable: ['table.copied'],
  copyShareToBase: ['table.copied'],
  exportCsv: ['table.exported'],
  importTables: ['table.imported'],
  importRecords: ['table.imported'],
  continueJob: ['table.imported'],
  undoJob: ['table.importUndone'],
  deleteField: ['field.trashed'],
  deleteFields: ['field.trashed'],
  deleteView: ['view.trashed'],
  deleteComment: ['comment.deleted'],
  restoreTrash: ['space.restored', 'base.restored', 'table.restored', 'field.restored', 'view.restored'],
  resetTrashItems: ['trash.emptied', 'table.destroyed'],
  enableShare: ['view.shared'],
  refreshShareId: ['view.shared'],
  setShareMeta: ['view.shareChanged'],
  disableShare: ['view.shareEnded'],
  endSpaceShare: ['view.shareEnded'],
  exportAuditLog: ['audit.exported'],
};

export const auditTable: Record<string, AuditRow> = {
  ...writing,
  ...rows(
    'its operation in the base says who, when and which records, also in the trash: a write of records touches the node of its base alone',
    'deleteRecord',
    'deleteRecords',
    'deleteSelection',
    'deleteSelectionStream',
    'deleteRanges',
  ),
  ...rows('a new account has no space but its own; invitations that it accepts are told as such', 'signUp'),
  ...rows('ends or confirms something of the account itself and gives no access', 'signOut', 'verifyEmail'),
  ...rows('a step before the one that is told', 'beginSecondFactor', 'sendSignUpCode', 'sendResetPasswordEmail', 'sendVerificationCode', 'sendChangeEmailCode', 'authorizeOauthClient'),
  ...rows('an application is its developer’s: a space is concerned when a member allows it, which is told', 'createOauthClient', 'updateOauthClient', 'deleteOauthClient', 'createOauthSecret', 'deleteOauthSecret', 'revokeOauthAccess'),
  ...rows('a token under a permission that is told when it is given', 'issueOauthToken', 'revokeIssuedToken', 'giveUpOauthToken'),
  ...rows('about one person alone', 'renameUser', 'updateAvatar', 'deleteAvatar', 'updateNotifyMeta', 'createPin', 'deletePin', 'movePin', 'noteVisit', 'setOwnQuery', 'saveQuery', 'updateNotificationStatus', 'readAllNotifications', 'createCommentSubscription', 'deleteCommentSubscription', 'showCell'),
  ...rows('about the instance, by its administrators; no space is concerned', 'updateSetting', 'updateLogo', 'createTemplate', 'updateTemplate', 'pinTemplate', 'deleteTemplate', 'createTemplateCategory', 'updateTemplateCategory', 'deleteTemplateCategory'),
  ...rows('billing, which has its own record of plans and credits', 'updateBillingDetail', 'createCheckout', 'createPortal', 'cancelSubscription', 'receiveStripeEvent', 'setSpacePlan', 'changeSpaceCredit'),
  ...rows('makes something new, which says itself who made it and when', 'createSpace', 'createBase', 'createBaseFromTemplate', 'createTable', 'createComment', 'createReaction'),
  ...rows('renames, describes or orders; nothing is lost and nobody gains access', 'updateSpace', 'updateBase', 'updateBaseOrder', 'renameTable', 'setTableIcon', 'describeTable', 'setDbTableName', 'moveTable'),
  ...rows('changes of fields and views are in the history, which keeps who and when, and can be undone', 'createField', 'updateField', 'convertField', 'duplicateField', 'createView', 'duplicateView', 'renameView', 'describeView', 'setViewFilter', 'setViewSort', 'setViewGroup', 'setViewColumns', 'setViewOptions', 'moveView', 'lockView', 'sortManually', 'moveRecords'),
  ...rows('record writes are in the history, which keeps who and when', 'createRecords', 'submitForm', 'submitShareForm', 'updateRecords', 'upsertRecords', 'updateRecord', 'duplicateRecord', 'uploadAttachment', 'clearRanges', 'pasteIntoRanges'),
  ...rows('is in the history; what it deletes or brings back is told as deleting and restoring are', 'undo', 'redo', 'restoreHistory'),
  ...rows('only the author changes it; the comment shows that it was changed', 'updateComment', 'deleteReaction'),
  ...rows('a file that nothing shows until a record does, which is in the history', 'createFileSignature', 'uploadFile', 'uploadFileByPost', 'notifyFile', 'createShareSignature', 'notifyShareFile'),
  ...rows('changes nothing that is stored', 'planFieldCreate', 'planFieldConvert', 'planFieldDelete', 'previewPaste', 'listOtherBases', 'authShare'),
  ...rows('repairs or speeds up, and changes no content', 'toggleSearchIndex', 'repairSearchIndex', 'fixIntegrity'),
  ...rows('stops what was told when it began', 'cancelJob'),
};

/** The request of the access walk changes nothing there, or makes a token that reaches no space, so there is nothing to tell. Their actions are brought about one by one. */
export const tellsNothing: ReadonlySet<string> = new Set([
  'createAccessToken', 'updateAccessToken', 'refreshAccessToken', 'deleteAccessToken',
  'setSpaceSecondFactor', 'updateSpaceLink', 'updateBaseLink', 'acceptInvitation', 'deleteComment', 'deleteRanges',
]);
