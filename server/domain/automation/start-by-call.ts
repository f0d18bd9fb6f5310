// POST /automation/call/:token: anyone who has the address starts the automation.
import { createHash } from 'node:crypto';
import { ApiError, notFound } from '@rowhouse/contract/error.ts';
import type { PublicContext } from '../../context.ts';
import { addJob } from '../../work/job.sql.ts';
import { selectByAddress } from './automation.sql.ts';
import { anyEvent, newRun, noOrigin } from './new-run.ts';
import { countWaiting, insertRuns, selectRunByEvent } from './run.sql.ts';
import { runJob } from './run-job.ts';
import { eventOf } from './take-changes.ts';

/** Of the secret part of an address: the database does not know it. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

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
  const day = now().toISOString().slice(0, 10);
  const event = key === undefined ? anyEvent() : eventOf('call', day, key);
  const run = newRun(context, automation, noOrigin(null), event, { body: body ?? null, time: now().toISOString() });
  const runId = await db.transaction(async (tx) => {
    const [started] = await insertRuns(tx, automation.spaceId, [run]);
    if (started === undefined) return (await selectRunByEvent(tx, automation.id, event))?.id ?? run.id;
    await addJob(tx, runJob(automation));
    return started;
  });
  work.wake();
  return { runId };
};
