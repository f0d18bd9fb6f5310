import type { Job } from '@rowhouse/contract/job.ts';
import { eyesOf, type Principal } from '../../catalog/principal.ts';
import { importKind } from '../import/import-job.ts';
import type { JobRow } from './job.sql.ts';

/** An import tells which values of its file did not fit, and why it stopped: those who may not see cells see the numbers alone. */
const outcomeOf = ({ kind, result, error }: JobRow, principal: Principal): Pick<JobRow, 'result' | 'error'> => {
  if (kind !== importKind || eyesOf(principal).seesCells) return { result, error };
  return {
    result: result === null ? null : { ...result, misfits: [] },
    error: error === null ? null : 'The import stopped; a token with record|read sees why',
  };
};

export const showJob = (row: JobRow, principal: Principal): Job => {
  const { result, error } = outcomeOf(row, principal);
  return {
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
    ...(result === null ? {} : { result }),
    ...(error === null ? {} : { error }),
    ...(row.isCancelling ? { isCancelling: true } : {}),
  };
};
