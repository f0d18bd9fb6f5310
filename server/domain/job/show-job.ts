import type { Job } from '@rowhouse/contract/job.ts';
import type { JobRow } from './job.sql.ts';

export const showJob = (row: JobRow): Job => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  ...(row.baseId === null ? {} : { baseId: row.baseId }),
  ...(row.createdBy === null ? {} : { createdBy: row.createdBy }),
  createdTime: row.createdTime,
  ...(row.startedTime === null ? {} : { startedTime: row.startedTime }),
  ...(row.finishedTime === null ? {} : { finishedTime: row.finishedTime }),
  attempt: row.attempt,
  ...(row.state === 'waiting' ? { dueTime: row.dueTime } : {}),
  ...(row.done === null ? {} : { progress: { done: row.done, ...(row.total === null ? {} : { total: row.total }) } }),
  ...(row.result === null ? {} : { result: row.result }),
  ...(row.error === null ? {} : { error: row.error }),
  ...(row.isCancelling ? { isCancelling: true } : {}),
});
