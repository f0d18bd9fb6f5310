// The file that a job made is for the one who started it, while they could start it again: not after they were removed, lost their role, or lack the
// second factor that the space demands by now, however good the address was.
import { ApiError } from '@rowhouse/contract/error.ts';
import { demandStarter } from '../../catalog/access.ts';
import type { Db } from '../../db/db.ts';
import { selectStart } from '../../work/job.sql.ts';

export const demandResult = async (db: Db, jobId: string): Promise<void> => {
  const gone = new ApiError(
    'not_found',
    'There is no such file: the person who started the job that made it may not do so any more',
  );
  const { right = null, by = null } = (await selectStart(db, jobId)) ?? {};
  if (right === null || by === null) throw gone;
  await demandStarter(db, by, right).catch((error: unknown) => {
    throw error instanceof ApiError && error.passes === 'no' ? gone : error;
  });
};
