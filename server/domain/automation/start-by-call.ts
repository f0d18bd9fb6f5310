// POST /automation/call/:token: anyone who has the address starts the automation.
import { createHash } from 'node:crypto';
import { ApiError, notFound } from '@rowhouse/contract/error.ts';
import type { PublicContext } from '../../context.ts';
import { addJob } from '../../work/job.sql.ts';
import { selectByAddress } from './automation.sql.ts';
import { anyEvent, newRun, noOrigin } from './new-run.ts';
import { countWaiting, insertRuns, lockCall, selectCall } from './run.sql.ts';
import { runJob } from './run-job.ts';
import { eventOf } from './take-changes.ts';

/** Of the secret part of an address: the database does not know it. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

const aDay = 86_400_000;

/** Calls that wait to be worked on. */
const mostWaiting = 10_000;

export const startByCall = async (
  context: PublicContext,
  token: string,
  body: unknown,
  key: string | undefined,
): Promise<{ runId: string }> => {
  const { db, now, work } = context;
  const automation = await selectByAddress(db, hashOf(token));
  if (automation?.definition?.trigger?.type !== 'incomingCall' || automation.isTrashed)
    throw notFound('Automation', 'with this address, or it is off,');
  if ((await countWaiting(db, automation.id, mostWaiting)) >= mostWaiting)
    throw new ApiError('too_many_requests', 'Too many calls of this automation wait to be worked on; try again later');
  const time = now();
  // A key counts for 24 hours: its event names the day, and the day before is asked, too.
  const [today, yesterday] = [time, new Date(time.getTime() - aDay)].map((day) =>
    key === undefined ? anyEvent() : eventOf('call', day.toISOString().slice(0, 10), key),
  ) as [string, string];
  const run = newRun(context, automation, noOrigin(null), today, { body: body ?? null, time: time.toISOString() });
  const runId = await db.transaction(async (tx) => {
    if (key !== undefined) {
      await lockCall(tx, automation.id, key);
      const before = await selectCall(tx, automation.id, [today, yesterday], new Date(time.getTime() - aDay));
      if (before !== undefined) return before;
    }
    await insertRuns(tx, automation.spaceId, [run]);
    await addJob(tx, runJob(automation));
    return run.id;
  });
  work.wake();
  return { runId };
};
