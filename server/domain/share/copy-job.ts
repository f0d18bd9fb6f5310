// A large share becomes a table: read in one snapshot as a visitor reads it, and written in one transaction as the one who asked for
// it writes. Nobody sees the table before all of it is there; a job that fails, is cancelled or killed leaves nothing.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { PublicContext, Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { type Actor, actAs, untilFresh } from '../../pipeline/act-as.ts';
import { GiveUp, type JobKind, type RunningJob } from '../../work/job.ts';
import { fieldsToCopy, makeCopy, neededToCopy, type MadeCopy, pagesOf, type SharedRecord } from './make-copy.ts';
import { type OpenShare, reopenShare } from './open-share.ts';
import { takeSnapshot } from './share.sql.ts';

export const copyKind = 'copy-share';

export interface CopyPayload {
  shareId: string;
  /** The visitor was let in: that holds until the password changes. */
  passwordMark: string;
  baseId: string;
  name: string;
  /** How many records there were when it was asked for. */
  total: number;
  by: Actor;
}

type Copying = RunningJob<CopyPayload>;

const publicContext = (services: Services, { id }: Copying): PublicContext => ({
  ...services,
  requestId: id,
  from: { ip: null, userAgent: null },
});

const reopen = async (services: Services, job: Copying): Promise<OpenShare> => {
  const open = await reopenShare(publicContext(services, job), job.payload.shareId, job.payload.passwordMark);
  if (open.meta.allowCopy !== true || open.meta.includeRecords !== true)
    throw new GiveUp('The share does not allow copying any more');
  return open;
};

/** Each page only while the share is there and nobody has stopped the job. */
async function* stillShown(
  services: Services,
  job: Copying,
  pages: ReturnType<typeof pagesOf>,
): AsyncGenerator<SharedRecord[]> {
  for await (const { records } of pages) {
    job.signal.throwIfAborted();
    await reopen(services, job);
    yield records;
  }
}

const write = async (services: Services, job: Copying, tx: Tx, reading: OpenShare): Promise<MadeCopy> => {
  const { baseId, name, total, by } = job.payload;
  const within = await actAs(services, tx, by, { type: 'base', id: baseId }, neededToCopy, job.id);
  const plan = {
    name,
    fromBaseId: reading.share.baseId,
    viewName: reading.view.name,
    fields: await fieldsToCopy(reading),
  };
  return makeCopy({ within, present: within.refresh }, plan, stillShown(services, job, pagesOf(reading)), (done) =>
    job.step(async () => ({ done, total: Math.max(total, done) })),
  );
};

const run = async (services: Services, job: Copying): Promise<void> => {
  const { baseId } = job.payload;
  const once = async (): Promise<void> => {
    const open = await reopen(services, job);
    await services.db.transaction(async (reader) => {
      await takeSnapshot(reader);
      const reading: OpenShare = { ...open, context: { ...open.context, db: reader } };
      await job.finish((tx) => write(services, job, tx, reading));
    });
  };
  try {
    await untilFresh(services, (await reopen(services, job)).share.tableId, once);
  } catch (error) {
    throw error instanceof ApiError && error.passes === 'no'
      ? new GiveUp(`Nothing was copied: ${error.message}`)
      : error;
  }
  services.live.changed(baseId);
};

/** One reads the share, one writes the table, and one looks whether the share is still open. */
export const copyJob: JobKind<Services, CopyPayload> = {
  name: copyKind,
  isLong: true,
  atOnce: 1,
  connections: 3,
  retry: { attempts: 3, first: 2, longest: 60 },
  run,
};
