// How the instance is: background work, its parts and their versions, the mail server.
import { type Static, Type } from 'typebox';
import { byAdmins, forAdmins } from './admin-user.ts';
import { endpoint } from './endpoint.ts';
import { jobStates } from './job.ts';
import { email } from './user.ts';

const tag = 'admin';
const Time = Type.String({ description: 'ISO 8601, UTC' });
const TimeOrNull = Type.Union([Time, Type.Null()]);
const TextOrNull = Type.Union([Type.String(), Type.Null()]);

const AdminJob = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  state: Type.Enum([...jobStates]),
  every: Type.Union([Type.Integer(), Type.Null()], { description: 'Seconds between runs; null: once.' }),
  spaceId: TextOrNull,
  baseId: TextOrNull,
  createdBy: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()], {
    description: 'Null: the server itself.',
  }),
  createdTime: Time,
  dueTime: TimeOrNull,
  startedTime: TimeOrNull,
  finishedTime: TimeOrNull,
  attempt: Type.Integer(),
  progress: Type.Union([
    Type.Object({ done: Type.Integer(), total: Type.Union([Type.Integer(), Type.Null()]) }),
    Type.Null(),
  ]),
  error: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the last try failed. What could hold contents of a base is left out.',
  }),
  canRetry: Type.Boolean(),
});
export type AdminJob = Static<typeof AdminJob>;

export const listAdminJobs = endpoint({
  name: 'listAdminJobs',
  method: 'GET',
  path: '/admin/job',
  summary: 'Background work of this instance',
  description:
    'What runs, waits or has failed; finished jobs are kept for a week. `failing` waits for its next try after an error.',
  tag,
  access: forAdmins,
  query: Type.Object({
    state: Type.Optional(Type.Enum([...jobStates, 'failing'])),
    kind: Type.Optional(Type.String({ maxLength: 100 })),
    take: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: '50 when absent.' })),
    cursor: Type.Optional(
      Type.String({ maxLength: 30, pattern: '^[0-9]+$', description: '`nextCursor` of the page before.' }),
    ),
  }),
  status: 200,
  response: Type.Object({
    jobs: Type.Array(AdminJob),
    counts: Type.Array(Type.Object({ kind: Type.String(), state: Type.String(), count: Type.Integer() })),
    nextCursor: Type.Union([Type.String(), Type.Null()]),
  }),
});

export const retryAdminJob = endpoint({
  name: 'retryAdminJob',
  method: 'POST',
  path: '/admin/job/:jobId/retry',
  summary: 'Try a job again',
  description:
    'One that has failed goes on where it stopped; one that waits for its next try is due now. 409 for one that runs or is done, and for an e-mail of which nobody knows whether it was delivered.',
  tag,
  access: byAdmins,
  params: Type.Object({ jobId: Type.String({ maxLength: 100 }) }),
  status: 200,
});

const State = Type.Enum(['ok', 'warning', 'problem'], {
  description: '`warning`: it works, and somebody should look. `problem`: something does not work.',
});

const Part = Type.Object({
  name: Type.String(),
  state: State,
  detail: Type.String(),
  /** Of the part, where it has one. */
  version: TextOrNull,
});
export type HealthPart = Static<typeof Part>;

export const getAdminHealth = endpoint({
  name: 'getAdminHealth',
  method: 'GET',
  path: '/admin/health',
  summary: 'Parts of this instance: their versions, and whether they work',
  tag,
  access: forAdmins,
  status: 200,
  response: Type.Object({
    state: State,
    parts: Type.Array(Part),
    auditStream: Type.Union(
      [
        Type.Object({
          target: Type.Enum(['file', 'address']),
          backlog: Type.Integer({ description: 'Entries that have not been sent.' }),
          oldestTime: Type.Union([Time, Type.Null()], { description: 'Of the oldest of them.' }),
          sentTime: TimeOrNull,
          error: TextOrNull,
        }),
        Type.Null(),
      ],
      { description: 'Null: `ROWHOUSE_AUDIT_STREAM` is not set.' },
    ),
  }),
});

export const sendTestMail = endpoint({
  name: 'sendTestMail',
  method: 'POST',
  path: '/admin/setting/test-mail',
  summary: 'Send an e-mail to see whether the mail server takes it',
  description: 'Waits for its answer. 422 where no mail server is set.',
  tag,
  access: byAdmins,
  body: Type.Object({ to: Type.Optional({ ...email, description: 'Your own address when absent.' }) }),
  bodyOptional: true,
  status: 200,
  response: Type.Object({
    isAccepted: Type.Boolean(),
    to: Type.String(),
    error: Type.Union([Type.String(), Type.Null()], { description: 'What the mail server, or the way to it, said.' }),
  }),
});
