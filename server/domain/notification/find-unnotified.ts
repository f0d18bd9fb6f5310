// Finds people who were named and not notified, because the process that wrote the record ended right after.
import { namedJob } from '../../catalog/outbox.ts';
import type { Services } from '../../context.ts';
import { isOfOneBase } from '../../db/citus.ts';
import type { Queryable } from '../../db/db.ts';
import { isGone } from '../../db/error.ts';
import { addJobs } from '../../work/job.sql.ts';
import { selectBaseIds, selectNamingBases } from './notify.sql.ts';

const basesPerQuestion = 100;

/**
 * One that is deleted between the two questions, or whose node does not answer, fails the second for all: then each is asked alone. One that
 * still fails is asked again with the next run.
 */
const namingBases = (db: Queryable, ids: readonly string[]): Promise<string[]> =>
  selectNamingBases(db, ids).catch(async (error: unknown) => {
    if (isGone(error) && ids.length === 1) return [];
    if (ids.length === 1 || !(await isOfOneBase(db, error))) throw error;
    return (await Promise.allSettled(ids.map((id) => namingBases(db, [id])))).flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
  });

export const findUnnotified = async ({ db, work }: Services, signal: AbortSignal): Promise<void> => {
  for (let after = ''; ; ) {
    const ids = await selectBaseIds(db, after, basesPerQuestion);
    if (ids.length === 0) return;
    const found = await namingBases(db, ids);
    if (found.length > 0) await addJobs(db, found.map(namedJob));
    if (found.length > 0) work.wake();
    after = ids.at(-1) as string;
    signal.throwIfAborted();
  }
};
