// The audit log of a space: who signed in, was let in, got another role, made a credential, moved, copied or deleted something.
import { type Static, Type } from 'typebox';
import { spaceParams } from './collaborator.ts';
import { endpoint } from './endpoint.ts';
import { shownEmail } from './user.ts';

export const auditActions = {
  'user.signedIn': 'A member signed in.',
  'user.sessionsEnded': 'Sessions of a member were ended, by themselves or by an administrator.',
  'user.passwordChanged': 'A member changed their password.',
  'user.passwordReset': 'The password of a member was reset, by mail or by the operator.',
  'user.passwordAdded': 'A member without a password got one.',
  'user.identityLinked': 'A member can sign in through another provider.',
  'user.identityUnlinked': 'A member no longer signs in with an identity.',
  'user.emailChanged': 'A member has another e-mail address.',
  'user.secondFactorSet': 'A member set up a second factor.',
  'user.secondFactorRemoved': 'A member gave up their second factor, or the operator removed it.',
  'user.recoveryCodesRenewed': 'A member got new recovery codes.',
  'user.deactivated': 'The operator or an administrator shut a member out.',
  'user.activated': 'The operator or an administrator let a member in again.',
  'user.created': 'An administrator made an account.',
  'user.renamed': 'An administrator renamed an account.',
  'user.madeAdmin': 'Somebody became an administrator of the instance.',
  'user.unmadeAdmin': 'Somebody is no longer an administrator of the instance.',
  'user.deleted': 'An administrator deleted an account; it can be restored.',
  'user.restored': 'An administrator restored a deleted account.',
  'user.erased': 'An administrator deleted an account for good.',
  'user.passwordLinkMade': 'An administrator made a link that sets a new password of an account.',
  'token.created': 'A member made an access token that reaches the space.',
  'token.changed': 'What such a token may do was changed.',
  'token.refreshed': 'Such a token got a new text.',
  'token.deleted': 'Such a token was revoked.',
  'application.allowed': 'A member allowed an application to act for them.',
  'application.ended': 'A member took that back.',
  'invitation.linkCreated': 'An invitation link was made.',
  'invitation.changed': 'An invitation gives another role.',
  'invitation.deleted': 'An invitation was taken back.',
  'invitation.sent': 'An address was invited.',
  'invitation.accepted': 'An invitation was accepted.',
  'collaborator.added': 'Somebody was given a role.',
  'collaborator.roleChanged': 'Somebody got another role.',
  'collaborator.removed': 'Somebody was removed, or left.',
  'group.created': 'A group was made.',
  'group.changed': 'A group was renamed or moved.',
  'group.deleted': 'A group was deleted, with its roles.',
  'group.membersAdded': 'People were put into a group.',
  'group.membersRemoved': 'People were taken out of a group, or left it.',
  'rights.enabled': 'The rights of a base on rows and fields were switched on.',
  'rights.disabled': 'The rights of a base were switched off.',
  'rights.defaultRoleSet': 'Members without a role have another role by the rights of a base.',
  'rights.adminsSet': 'Others administer the rights of a base.',
  'rights.roleCreated': 'A role of a base was made.',
  'rights.roleChanged': 'A role of a base was renamed, switched on or off, or grants something else.',
  'rights.roleDeleted': 'A role of a base was deleted.',
  'rights.membersSet': 'A role of a base was given to others.',
  'space.secondFactorDemanded': 'A second factor is demanded of all members.',
  'space.secondFactorNotDemanded': 'A second factor is no longer demanded.',
  'space.takenOver': 'An administrator of the instance made themselves an owner of the space, and said why.',
  'space.changed': 'An administrator of the instance renamed the space, or had new accounts join it.',
  'space.trashed': 'The space was put into the trash.',
  'space.restored': 'The space came back from the trash.',
  'space.destroyed': 'The space was deleted for good.',
  'base.moved': 'A base was moved to another space.',
  'base.copied': 'A base was copied.',
  'base.exported': 'A base was exported as a file.',
  'base.imported': 'A base was made from a file.',
  'base.importedFrom': 'A base was made from one of another service.',
  'base.viewed_as':
    'Somebody who manages the rights of a base read it as another person or as a role: one entry an hour.',
  'base.trashed': 'A base was put into the trash.',
  'base.restored': 'A base came back from the trash.',
  'base.destroyed': 'A base was deleted for good.',
  'base.sqlOpened': 'SQL access to a base was opened, or its password made new.',
  'base.shared': 'A base, or a folder or table of it, was shared by an address, or its share got a new one.',
  'base.shareChanged': 'What the share of a base allows was changed, or it was turned off or on.',
  'base.shareEnded': 'The share of a base was ended.',
  'base.sqlClosed': 'SQL access to a base was closed.',
  'webhook.created': 'A webhook was made: from now on it sends changes of a base to another server.',
  'webhook.changed': 'A webhook was changed, turned on or off, or acts as somebody else.',
  'webhook.secretRotated': 'A webhook got a new secret.',
  'webhook.deleted': 'A webhook was deleted.',
  'automation.created': 'An automation was made.',
  'automation.changed': 'The draft of an automation was changed.',
  'automation.activated': 'An automation was published and turned on: it acts as the person who did it.',
  'automation.deactivated': 'An automation was turned off.',
  'automation.addressRotated': 'An automation got a new address for calls from outside.',
  'automation.secretRotated': 'An automation got a new secret that signs its calls.',
  'automation.deleted': 'An automation went to the trash of its base, switched off.',
  'automation.restored': 'An automation came back from the trash, switched off.',
  'automation.destroyed': 'An automation was deleted for good, with its runs.',
  'table.trashed': 'A table was put into the trash.',
  'table.restored': 'A table came back from the trash.',
  'table.destroyed': 'A table was deleted for good.',
  'table.exported': 'The records of a table were exported.',
  'table.imported': 'A file was imported into a table, or into new ones.',
  'table.importUndone': 'The records that an import had made were put into the trash.',
  'table.copied': 'A table was copied within its base, or from a share into one.',
  'field.trashed': 'Fields were put into the trash.',
  'field.restored': 'A field came back from the trash.',
  'record.trashed': 'Records were put into the trash: one entry for a request.',
  'record.restored': 'Records came back from the trash.',
  'comment.deleted': 'Somebody deleted a comment of somebody else.',
  'view.trashed': 'A view was put into the trash.',
  'view.restored': 'A view came back from the trash.',
  'view.shared': 'A view was shared, or its share got a new address.',
  'view.shareChanged': 'What the share of a view shows or allows was changed.',
  'view.shareEnded': 'The share of a view was ended.',
  'dashboard.trashed': 'A dashboard was put into the trash.',
  'dashboard.restored': 'A dashboard came back from the trash.',
  'dashboard.destroyed': 'A dashboard was deleted for good.',
  'dashboard.shared': 'A dashboard was shared, or its share got a new address or password.',
  'dashboard.shareEnded': 'The share of a dashboard was ended.',
  'trash.emptied': 'The trash of a base or table was emptied.',
  'trash.deleted': 'Records, a field or a view in the trash of a table were deleted for good.',
  'audit.exported': 'This log was exported.',
  'setting.changed': 'Settings of the instance were changed.',
  'job.retried': 'An administrator had a job tried again.',
  'mail.tested': 'An administrator sent a test e-mail.',
} as const;

export type AuditAction = keyof typeof auditActions;

const actionName = Type.Enum(Object.keys(auditActions) as AuditAction[], {
  description: Object.entries(auditActions)
    .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
    .join(' '),
});

export const AuditEntry = Type.Object({
  id: Type.String(),
  time: Type.String({ description: 'ISO 8601, UTC' }),
  action: actionName,
  actor: Type.Union(
    [Type.Object({ id: Type.String(), name: Type.String(), email: Type.Optional(shownEmail) }), Type.Null()],
    {
      description: 'Who did it; null for the operator and for the server itself.',
    },
  ),
  via: Type.Enum(['session', 'token', 'application', 'operator', 'server'], {
    description: 'Through what: the app, an access token, an application, the command line.',
  }),
  credentialId: Type.Union([Type.String(), Type.Null()], { description: 'Id of the token or of the application.' }),
  credentialName: Type.Union([Type.String(), Type.Null()], { description: 'What it is called, while it is there.' }),
  ip: Type.Union([Type.String(), Type.Null()]),
  userAgent: Type.Union([Type.String(), Type.Null()]),
  target: Type.Record(Type.String(), Type.Unknown(), {
    description: 'What it was done to, and details: ids, names, roles.',
  }),
});
export type AuditEntry = Static<typeof AuditEntry>;

const filters = {
  action: Type.Optional(actionName),
  userId: Type.Optional(Type.String({ maxLength: 100, description: 'Only what this user did.' })),
  from: Type.Optional(Type.String({ maxLength: 50, description: 'Only from this moment on.' })),
  until: Type.Optional(Type.String({ maxLength: 50, description: 'Only before this moment.' })),
};

const access = { on: 'space', action: 'space|audit_read' } as const;
const tag = 'audit';

export const listAuditLog = endpoint({
  name: 'listAuditLog',
  method: 'GET',
  path: '/space/:spaceId/audit-log',
  summary: 'What happened in a space, newest first',
  description: 'For owners. Kept for a year.',
  tag,
  access,
  params: spaceParams,
  query: Type.Object({
    ...filters,
    cursor: Type.Optional(
      Type.String({ maxLength: 30, pattern: '^[0-9]+$', description: '`nextCursor` of the page before.' }),
    ),
    take: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'How many; 50 when absent.' })),
  }),
  status: 200,
  response: Type.Object({
    entries: Type.Array(AuditEntry),
    nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'null at the end.' }),
  }),
});

export const exportAuditLog = endpoint({
  name: 'exportAuditLog',
  method: 'GET',
  path: '/space/:spaceId/audit-log/export',
  summary: 'The audit log of a space as a file',
  description:
    'For owners, at most 100,000 entries: 400 asks for a shorter time when there are more. In CSV, text that a spreadsheet would take for a formula begins with an apostrophe.',
  tag,
  access,
  params: spaceParams,
  query: Type.Object({ ...filters, format: Type.Enum(['csv', 'json']) }),
  status: 200,
  response: Type.String(),
  produces: 'text/csv; charset=utf-8',
});
