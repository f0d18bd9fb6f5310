// POST /base/import, and the job that reads the file. Everything in it gets other ids: the base may be here already, and no file
// can name what belongs to others.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { importBase as endpoint } from '@rowhouse/contract/base-file.ts';
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError, invalid } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context, Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { sqlState, StartError } from '../../db/error.ts';
import { sessionOn } from '../../db/session.ts';
import { StreamAnswer } from '../../endpoint/route.ts';
import { type Actor, actAs, actorOf } from '../../pipeline/act-as.ts';
import { GiveUp, type JobKind, type RunningJob } from '../../work/job.ts';
import { addJob } from '../../work/job.sql.ts';
import { withScratchFile } from '../../work/scratch-file.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import type { FileFacts } from '../file/file.ts';
import { selectFile, selectSeenFiles } from '../file/file.sql.ts';
import type { Storage } from '../../stored-files.ts';
import { selectJob } from '../job/job.sql.ts';
import { demandBytesIn } from '../plan/demand-bytes.ts';
import { ofUpload } from './archive.ts';
import { openBackup } from './open-backup.ts';
import { newIdsFor, renameBy } from './rename.ts';
import { restoreBase } from './restore-base.ts';
import { baseExists } from './restore.sql.ts';

const importKind = 'import-base';

interface ImportPayload {
  token: string;
  spaceId: string;
  base: ResponseOf<typeof endpoint>['base'];
  /** Id in the file → new id. */
  ids: Record<string, string>;
  by: Actor;
}

/** Of what is wrong with a file, without the place where it is looked at. */
const reasonOf = (error: unknown, path: string): string | undefined =>
  sqlState(error)?.startsWith('22') === true
    ? 'The file holds a row that is not what Rowhouse writes'
    : error instanceof StartError || (error instanceof ApiError && error.passes === 'no')
      ? error.message.replaceAll(path, 'The file')
      : undefined;

/** It is read several times: it has to be on this machine. */
const withFile = <T>(
  storage: Storage,
  { token, size }: Pick<FileFacts, 'token' | 'size'>,
  work: (path: string) => Promise<T>,
): Promise<T> =>
  withScratchFile(async (path) => {
    await pipeline(
      Readable.from(storage.read(token, 0, size - 1)),
      createWriteStream(path, { mode: 0o600, flags: 'wx' }),
    );
    return work(path);
  });

const idsOf = (ids: Record<string, string>, kind: string): Record<string, string> =>
  Object.fromEntries(Object.entries(ids).filter(([id]) => id.startsWith(kind)));

/** Milliseconds that the answer waits for the base. */
const patience = 10_000;

const untilEnded = async ({ db }: Context, jobId: string): Promise<void> => {
  for (const until = performance.now() + patience; performance.now() < until; await sleep(50)) {
    const job = await selectJob(db, jobId);
    if (job === undefined || job.state === 'done') return;
    if (job.state === 'failed')
      throw invalid({
        path: 'notify',
        message: job.error ?? 'The file could not be imported',
        expected: 'the file of a base',
      });
  }
};

interface Import {
  jobId: string;
  body: ResponseOf<typeof endpoint>;
}

const startImport = async (context: Context, { notify, spaceId }: BodyOf<typeof endpoint>): Promise<Import> => {
  const { db, files, principal } = context;
  await demandAccess(db, context, { type: 'space', id: spaceId, trashed: false }, 'base|create');
  const [file] = await selectSeenFiles(db, [notify.token], { principal });
  if (file === undefined)
    throw invalid({
      path: 'notify.token',
      message: 'There is no such file',
      expected: 'the token of a file that was uploaded and notified',
    });
  const { base, ids } = await withFile(files.storage, file, async (path) => {
    try {
      const manifest = await openBackup(path, ofUpload);
      const [found] = manifest.bases;
      if (manifest.kind !== 'base' || found === undefined)
        throw new StartError('The file is the backup of an instance and not of one base');
      const renamed = Object.fromEntries(await newIdsFor(path, manifest, ofUpload));
      return { base: { id: renamed[found.id] as string, name: found.name, icon: found.icon, spaceId }, ids: renamed };
    } catch (error) {
      const message = reasonOf(error, path);
      throw message === undefined ? error : invalid({ path: 'notify', message, expected: 'the file of a base' });
    }
  });
  const payload: ImportPayload = { token: file.token, spaceId, base, ids, by: actorOf(context) };
  const jobId = await db.transaction(async (tx) => {
    const added = await addJob(tx, {
      kind: importKind,
      spaceId,
      right: { type: 'space', id: spaceId, actions: ['base|create'] },
      createdBy: principal.userId,
      payload,
    });
    await writeAudit(tx, doerOf(context), 'base.imported', { spaceIds: [spaceId] }, { spaceId, baseId: base.id });
    return added;
  });
  context.work.wake();
  return {
    jobId,
    body: { base, tableIdMap: idsOf(ids, 'tbl'), fieldIdMap: idsOf(ids, 'fld'), viewIdMap: idsOf(ids, 'viw') },
  };
};

export const importBase = async (context: Context, given: BodyOf<typeof endpoint>): Promise<Import> => {
  const started = await startImport(context, given);
  await untilEnded(context, started.jobId);
  return started;
};

const eventOf = (event: object): Buffer => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);

/** Also tells that the connection is open, every few seconds. */
async function* tellImport(context: Context, given: BodyOf<typeof endpoint>): AsyncGenerator<Buffer> {
  const { jobId, body } = await startImport(context, given);
  let told = '';
  for (let at = 0; !context.stopping.aborted; at += 1) {
    const job = await selectJob(context.db, jobId);
    if (job === undefined || job.state === 'done') {
      yield eventOf({ type: 'done', data: body });
      return;
    }
    if (job.state === 'failed' || job.state === 'cancelled') {
      yield eventOf({ type: 'error', message: job.error ?? 'The file was not imported' });
      return;
    }
    const phase = job.state === 'running' ? 'importing' : 'preparing';
    const progress = {
      type: 'progress',
      phase,
      ...(job.done === null ? {} : { processedRows: job.done }),
      ...(job.total === null ? {} : { totalRows: job.total }),
    };
    if (JSON.stringify(progress) !== told || at % 20 === 0) yield eventOf(progress);
    told = JSON.stringify(progress);
    await sleep(200);
  }
  yield eventOf({ type: 'error', message: `The server stops; the job ${jobId} goes on` });
}

export const importBaseStream = (context: Context, given: BodyOf<typeof endpoint>): StreamAnswer =>
  new StreamAnswer(tellImport(context, given), {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });

const run = async (services: Services, { id, payload, signal }: RunningJob<ImportPayload>): Promise<object> => {
  const { db, files } = services;
  const { token, base, spaceId, ids, by } = payload;
  const demandStarter = async (tx: Tx): Promise<void> => {
    await actAs(services, tx, by, { type: 'space', id: spaceId }, ['base|create'], id);
    await demandBytesIn(tx, services, spaceId);
  };
  // The base and the end of the job are two transactions: it may be there.
  if (await baseExists(db, base.id)) return base;
  const file = await selectFile(db, token);
  if (file === undefined) throw new GiveUp('The file is not there any more');
  const rename = renameBy(new Map(Object.entries(ids)));
  await withFile(files.storage, file, async (path) => {
    const manifest = await openBackup(path, ofUpload);
    const client = await db.dedicated();
    const end = (): void => void client.end().catch(() => undefined);
    signal.addEventListener('abort', end, { once: true });
    try {
      await restoreBase(sessionOn(client), path, manifest, spaceId, services, {
        rename,
        createdBy: by.userId,
        demand: demandStarter,
      });
    } catch (error) {
      // A connection that was lost in the commit says nothing about it. While nobody can tell, the bytes stay: the next run looks again.
      if (!(await baseExists(db, base.id)))
        for (const { token: written } of manifest.files ?? []) await files.storage.remove(rename(written));
      const message = reasonOf(error, path);
      throw message === undefined || signal.aborted ? error : new GiveUp(message);
    } finally {
      signal.removeEventListener('abort', end);
      end();
    }
  });
  return base;
};

export const importBaseJob: JobKind<Services, ImportPayload> = {
  name: importKind,
  isLong: true,
  retry: { attempts: 3, first: 5, longest: 60 },
  run,
};
