// The audit log of the whole instance, for its administrators.
import { type Static, Type } from 'typebox';
import { forAdmins } from './admin-user.ts';
import { endpoint, stream } from './endpoint.ts';
import { auditActions, type AuditAction } from './audit.ts';

const tag = 'admin';
const action = Type.Enum(Object.keys(auditActions) as AuditAction[]);
const id = Type.String({ maxLength: 100 });
const moment = (description: string) => Type.Optional(Type.String({ maxLength: 50, description }));

const filters = {
  userId: Type.Optional(id),
  action: Type.Optional(action),
  resourceId: Type.Optional(
    Type.String({ maxLength: 100, description: 'A space, or anything that the details of an entry name by its id.' }),
  ),
  startTime: moment('Only from this moment on.'),
  endTime: moment('Only before this moment.'),
};

const InstanceAuditEntry = Type.Object({
  id: Type.String({ description: 'Stable; the same in exports and in the stream.' }),
  userId: Type.Union([Type.String(), Type.Null()], { description: 'Null: the operator, or the server itself.' }),
  userName: Type.Union([Type.String(), Type.Null()]),
  action,
  resourceId: Type.Optional(Type.String()),
  spaceIds: Type.Array(Type.String(), { description: 'In whose logs it stands.' }),
  origin: Type.Object({
    ip: Type.String(),
    byApi: Type.Boolean(),
    userAgent: Type.Optional(Type.String()),
    via: Type.Enum(['session', 'token', 'application', 'operator', 'server']),
    credentialId: Type.Union([Type.String(), Type.Null()]),
  }),
  payloadVersion: Type.Literal(1),
  payload: Type.Record(Type.String(), Type.Unknown()),
  createdTime: Type.String(),
});
export type InstanceAuditEntry = Static<typeof InstanceAuditEntry>;

export const listInstanceAudit = endpoint({
  name: 'listInstanceAudit',
  method: 'GET',
  path: '/admin/audit-logs',
  summary: 'What happened in this instance, newest first',
  description: 'Each act once, also when it stands in the logs of several spaces. Without contents of records.',
  tag,
  access: forAdmins,
  query: Type.Object({
    ...filters,
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    take: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: '20 when absent.' })),
    before: Type.Optional(
      Type.String({ maxLength: 18, pattern: '^[0-9]+$', description: 'Only entries older than the one with this id.' }),
    ),
  }),
  status: 200,
  response: Type.Object({ items: Type.Array(InstanceAuditEntry) }),
});

export const exportInstanceAudit = endpoint({
  name: 'exportInstanceAudit',
  method: 'GET',
  path: '/admin/audit-logs/export',
  summary: 'The audit log of this instance as a file',
  description:
    'Oldest first, of any length. JSON lines are those of the stream (`ROWHOUSE_AUDIT_STREAM`). In CSV, text that a spreadsheet would take for a formula begins with an apostrophe.',
  tag,
  access: forAdmins,
  query: Type.Object({ ...filters, format: Type.Enum(['csv', 'jsonl']) }),
  status: 200,
  response: stream('text/csv; charset=utf-8'),
});
