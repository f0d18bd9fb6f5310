// POST /base/import-from, and the job behind it.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { importFrom as endpoint, ImportSource } from '@rowhouse/contract/import-from.ts';
import type { Action } from '@rowhouse/contract/permission.ts';
import { doerOf, writeAudit } from '../../../catalog/audit.sql.ts';
import type { Context, Services } from '../../../context.ts';
import { type Actor, actAs, actorOf, untilPassed } from '../../../pipeline/act-as.ts';
import { passesOf } from '../../../db/error.ts';
import { GiveUp, type JobKind, type RunningJob } from '../../../work/job.ts';
import { addJob } from '../../../work/job.sql.ts';
import { deleteBase } from '../../base/delete-base.ts';
import { demandAccess } from '../../collaborator/demand-access.ts';
import { readAirtable, readAirtableJson } from './airtable.ts';
import { buildBase } from './build-base.ts';
import type { OtherBase } from './model.ts';
import { readTeable } from './teable.ts';

const importFromKind = 'import-from';

interface FromPayload {
  spaceId: string;
  name: string | null;
  /** The source with its key, sealed. */
  sealed: string;
  by: Actor;
}

/** Answers the id of the job. */
export const importFrom = async (
  context: Context,
  { spaceId, name, source }: BodyOf<typeof endpoint>,
): Promise<string> => {
  const { db } = context;
  await demandAccess(db, context, { type: 'space', id: spaceId, trashed: false }, 'base|create');
  const payload: FromPayload = {
    spaceId,
    name: name ?? null,
    sealed: context.secretKey.seal(JSON.stringify(source)).toString('base64'),
    by: actorOf(context),
  };
  const jobId = await db.transaction(async (tx) => {
    const added = await addJob(tx, {
      kind: importFromKind,
      spaceId,
      right: { type: 'space', id: spaceId, actions: ['base|create'] },
      createdBy: context.principal.userId,
      payload,
    });
    await writeAudit(
      tx,
      doerOf(context),
      'base.importedFrom',
      { spaceIds: [spaceId] },
      { spaceId, service: source.type === 'teable' ? 'teable' : 'airtable' },
    );
    return added;
  });
  context.work.wake();
  return jobId;
};

const read = (source: ImportSource, { config }: Services, signal: AbortSignal): Promise<OtherBase> | OtherBase => {
  const how = { anywhere: config.fetchPrivate, signal };
  if (source.type === 'teable') return readTeable(source, how);
  return source.type === 'airtable' ? readAirtable(source, how) : readAirtableJson(source);
};

const run = async (services: Services, job: RunningJob<FromPayload>): Promise<object> => {
  const { payload, signal, id } = job;
  const { spaceId } = payload;
  const text = services.secretKey.unseal(Buffer.from(payload.sealed, 'base64'));
  if (text === undefined) throw new GiveUp('The key that it was started with cannot be read any more: start it again');
  const on = (
    place: { type: 'space' | 'base' | 'table'; id: string },
    actions: readonly Action[] = [],
  ): Promise<Context> => actAs(services, services.db, payload.by, place, actions, id);
  try {
    const begun = (job.cursor as { baseId: string } | null)?.baseId;
    // It was interrupted: what it had made goes to the trash.
    if (begun !== undefined)
      await untilPassed(signal, async () => deleteBase(await on({ type: 'base', id: begun }), begun)).catch(
        (error: unknown) => {
          // Somebody has deleted it, or the person who started this may not any more, which is said below.
          if (!(error instanceof GiveUp) && passesOf(error) !== 'no') throw error;
        },
      );
    const onSpace = await on({ type: 'space', id: spaceId }, ['base|create']);
    const other = await read(JSON.parse(text) as ImportSource, services, signal);
    const acting = {
      onSpace,
      on,
      signal,
      onBase: (baseId: string) => job.mark({ baseId }),
      onRecords: (done: number) => job.step(async () => ({ done })),
    };
    return await buildBase(acting, other, payload.name ?? other.name, spaceId);
  } catch (error) {
    throw error instanceof ApiError && error.passes === 'no' ? new GiveUp(error.message) : error;
  }
};

export const importFromJob: JobKind<Services, FromPayload> = {
  name: importFromKind,
  isLong: true,
  retry: { attempts: 3, first: 10, longest: 60 },
  run,
};
