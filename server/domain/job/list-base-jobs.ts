import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { listBaseJobs as endpoint } from '@rowhouse/contract/job.ts';
import { isBound } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { readCursor, writeCursor } from '../trash/cursor.ts';
import { selectBaseJobs } from './job.sql.ts';
import { showJob } from './show-job.ts';

export const listBaseJobs = async (
  { db, principal, access }: Context,
  baseId: string,
  { state, take = 20, cursor }: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => {
  const rows = await selectBaseJobs(db, baseId, {
    state,
    createdBy: isBound(access) ? principal.userId : undefined,
    after: readCursor(cursor),
    take: take + 1,
  });
  const last = rows[take - 1];
  return {
    jobs: rows.slice(0, take).map((row) => showJob(row, principal)),
    ...(rows.length > take && last !== undefined ? { nextCursor: writeCursor(last) } : {}),
  };
};
