// Background work, for administrators: what runs, waits or failed, and trying it again.
import type { AdminJob, listAdminJobs as endpoint } from '@rowhouse/contract/admin-health.ts';
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { conflict, notFound } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { sqlState } from '../../db/error.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { countJobs, hurryJob, resumeJob } from '../../work/job.sql.ts';
import { type AdminJobRow, lockAdminJob, selectAdminJobs } from './job.sql.ts';

/** Why work on what is in a base failed may quote it: only the words of the server are shown. */
const withoutContents = (error: string): string =>
  error
    .replaceAll(/"(?:[^"\\]|\\.)*"?|“[^”]*”?|'[^']*'/g, '…')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 500);

const errorOf = ({ error, baseId, creatorId, kind }: AdminJobRow): string | null => {
  if (error === null) return null;
  if (/import/.test(kind)) return 'It stopped because of its data; the person who started it sees why';
  return baseId === null && creatorId === null ? error : withoutContents(error);
};

const canRetry = ({ state, error }: Pick<AdminJobRow, 'state' | 'error'>): boolean =>
  state === 'failed' || (state === 'waiting' && error !== null);

const showAdminJob = (row: AdminJobRow): AdminJob => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  every: row.every,
  spaceId: row.spaceId,
  baseId: row.baseId,
  createdBy: row.creatorId === null ? null : { id: row.creatorId, name: row.creatorName ?? 'Deleted user' },
  createdTime: row.createdTime,
  dueTime: row.state === 'waiting' ? row.dueTime : null,
  startedTime: row.startedTime,
  finishedTime: row.finishedTime,
  attempt: row.attempt,
  progress: row.done === null ? null : { done: row.done, total: row.total },
  error: errorOf(row),
  canRetry: canRetry(row),
});

export const listAdminJobs = async (
  { db }: Pick<Context, 'db'>,
  { state, kind, cursor, take = 50 }: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => {
  const rows = await selectAdminJobs(db, { state, kind, before: cursor, take: take + 1 });
  const counts = (await countJobs(db)).map(({ kind: of, state: in_, count }) => ({ kind: of, state: in_, count }));
  return {
    jobs: rows.slice(0, take).map(showAdminJob),
    counts,
    nextCursor: rows.length > take ? (rows[take - 1]?.seq ?? null) : null,
  };
};

const isTaken = (error: unknown): boolean => sqlState(error) === '23505';

export const retryAdminJob = async (context: Context, jobId: string): Promise<void> => {
  try {
    await retriedTransaction(context.db, async (tx) => {
      const job = await lockAdminJob(tx, jobId);
      if (job === undefined) throw notFound('Job', jobId);
      if (!canRetry(job))
        throw conflict(
          `Job ${jobId} ${job.state === 'waiting' ? 'waits for its time, and nothing failed' : `is ${job.state}`}; only what has failed is tried again`,
        );
      await (job.state === 'failed' ? resumeJob(tx, jobId, job.payload) : hurryJob(tx, jobId));
      await writeAudit(tx, doerOf(context), 'job.retried', { spaceIds: [job.spaceId] }, { jobId, kind: job.kind });
    });
  } catch (error) {
    if (isTaken(error)) throw conflict(`Job ${jobId} was replaced: the same work waits already`);
    throw error;
  }
  context.work.wake();
};
