// Work that goes on after a request was answered, or beside all requests: how far it is, and how to stop it.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';

const tag = 'job';

export const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;

const Time = Type.String({ description: 'ISO 8601, UTC' });

export const Job = Type.Object({
  id: Type.String(),
  kind: Type.String({ description: 'What is done, such as `build-view-indexes`.' }),
  state: Type.Enum([...jobStates]),
  baseId: Type.Optional(Type.String()),
  createdBy: Type.Optional(Type.String({ description: "User id; absent for the server's own work." })),
  createdTime: Time,
  startedTime: Type.Optional(Type.String({ description: 'Of the last try.' })),
  finishedTime: Type.Optional(Time),
  attempt: Type.Integer({ minimum: 0, description: 'How often it was tried.' }),
  dueTime: Type.Optional(Type.String({ description: 'While it waits: when it is tried, at the earliest.' })),
  progress: Type.Optional(
    Type.Object({ done: Type.Integer({ minimum: 0 }), total: Type.Optional(Type.Integer({ minimum: 0 })) }),
  ),
  result: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'What came of it, by kind.' }),
  ),
  error: Type.Optional(Type.String({ description: 'Why it failed, or why the last try did.' })),
  isCancelling: Type.Optional(Type.Boolean({ description: 'It was cancelled and stops as soon as it can.' })),
});
export type Job = Static<typeof Job>;

export const getJob = endpoint({
  name: 'getJob',
  method: 'GET',
  path: '/job/:jobId',
  summary: 'Get a job',
  description:
    'For everyone who may see its base; a job without a base, such as an export, for the person who started it while they could start it again. What is finished is kept for a week.',
  tag,
  access: { on: 'user' },
  params: Type.Object({ jobId: Type.String() }),
  status: 200,
  response: Job,
});

export const getJobFile = endpoint({
  name: 'getJobFile',
  method: 'GET',
  path: '/job/:jobId/file',
  summary: 'Download the file that a job made',
  description:
    'Redirects to an address of the file that is good for some minutes. Who may see the job may have it. 404 when it made none, or when the file is gone: an export is kept for a day.',
  tag,
  access: { on: 'user' },
  params: Type.Object({ jobId: Type.String() }),
  status: 302,
});

export const listBaseJobs = endpoint({
  name: 'listBaseJobs',
  method: 'GET',
  path: '/base/:baseId/job',
  summary: 'List the jobs of a base, newest first',
  tag,
  access: { on: 'base', action: 'base|read' },
  params: Type.Object({ baseId: Type.String() }),
  query: Type.Object({
    state: Type.Optional(Type.Enum([...jobStates])),
    take: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '20 unless it says otherwise.' })),
    cursor: Type.Optional(Type.String({ maxLength: 50, description: '`nextCursor` of the page before.' })),
  }),
  status: 200,
  response: Type.Object({
    jobs: Type.Array(Job),
    nextCursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
  }),
});

export const cancelJob = endpoint({
  name: 'cancelJob',
  method: 'POST',
  path: '/job/:jobId/cancel',
  summary: 'Cancel a job',
  description:
    'One that waits is cancelled at once, one that runs stops at its next step: what it has done until then stays. For the one who started it, and for those who may change the base. 409 when it has ended already.',
  tag,
  access: { on: 'user' },
  params: Type.Object({ jobId: Type.String() }),
  status: 200,
  response: Job,
});

export const continueJob = endpoint({
  name: 'continueJob',
  method: 'POST',
  path: '/job/:jobId/continue',
  summary: 'Continue an import that failed or was cancelled',
  description:
    'It goes on behind `result.read`, the last row of the file that is in: no row is added twice, and `undo` undoes all of it as one. From now on it acts as the one who continues it, who needs what starting it needed. 409 when it waits, runs, is done or was undone, when its file is gone, and for jobs of other kinds.',
  tag,
  access: { on: 'user' },
  params: Type.Object({ jobId: Type.String() }),
  status: 200,
  response: Job,
});

export const undoJob = endpoint({
  name: 'undoJob',
  method: 'POST',
  path: '/job/:jobId/undo',
  summary: 'Undo an import',
  description:
    'The records that the import made go to the trash, also those of one that failed or was cancelled; a table that it made stays. It is a job of its own, which is answered; `operationIds` in its `result` bring the records back. It needs `record|delete` on the table. When other people have changed some of the records since, 409 lists what they changed, unless `force` is true. 409 also while the import is under way, and for jobs of other kinds.',
  tag,
  access: { on: 'user' },
  params: Type.Object({ jobId: Type.String() }),
  body: Type.Object({
    force: Type.Optional(Type.Boolean({ description: 'Also records that others have changed since.' })),
  }),
  bodyOptional: true,
  status: 201,
  response: Job,
});
