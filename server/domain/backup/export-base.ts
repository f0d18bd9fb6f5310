// GET /base/:baseId/export, and the job that writes the file.
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '@rowhouse/contract/error.ts';
import { randomText } from '@rowhouse/contract/id.ts';
import type { Action } from '@rowhouse/contract/permission.ts';
import { demand, resolveAccess } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Principal } from '../../catalog/principal.ts';
import type { Context, Services } from '../../context.ts';
import { sessionOn } from '../../db/session.ts';
import { GiveUp, type JobKind, type RunningJob } from '../../work/job.ts';
import { addJob } from '../../work/job.sql.ts';
import { pathOf } from '../file/file.ts';
import { insertFile, noteFile } from '../file/file.sql.ts';
import { writeBackup } from './write-backup.ts';

const exportKind = 'export-base';

interface ExportPayload {
  baseId: string;
  withHistory: boolean;
  by: Pick<Principal, 'userId' | 'tokenId' | 'clientId'>;
}

const needed: readonly Action[] = ['base|update', 'table|export', 'record|read', 'table_record_history|read'];

export const exportBase = async (context: Context, baseId: string, withHistory: boolean): Promise<string> => {
  for (const action of needed) demand(context.access, action, baseId);
  const { userId, tokenId, clientId } = context.principal;
  const payload: ExportPayload = { baseId, withHistory, by: { userId, tokenId, clientId } };
  const jobId = await context.db.transaction(async (tx) => {
    // Without its base: those who may see that are not all shown the file.
    const added = await addJob(tx, { kind: exportKind, createdBy: userId, payload });
    await writeAudit(tx, doerOf(context), 'base.exported', { baseIds: [baseId] }, { baseId, withHistory });
    return added;
  });
  context.work.wake();
  return jobId;
};

const demandStarter = async (services: Services, { baseId, by }: ExportPayload): Promise<void> => {
  try {
    const access = await resolveAccess(services.db, { kind: 'starter', ...by }, { type: 'base', id: baseId, trashed: false });
    for (const action of needed) demand(access, action, baseId);
  } catch (error) {
    throw error instanceof ApiError && error.status < 500 ? new GiveUp(`Stopped: the one who started it may not export the base any more: ${error.message}`) : error;
  }
};

const dayLong = 86_400;

const fileNameOf = (base: string, time: Date): string => `${base.replace(/[^\p{L}\p{N} ._-]+/gu, '_').slice(0, 100)} ${time.toISOString().slice(0, 10)}.rowhouse`;

const run = async (services: Services, { payload }: RunningJob<ExportPayload>): Promise<object> => {
  const { db, files, newId, now } = services;
  await demandStarter(services, payload);
  const path = join(tmpdir(), `rowhouse-${randomText(16)}`);
  try {
    const { manifest, size } = await writeBackup(async () => sessionOn(await db.dedicated()), path, { baseId: payload.baseId, withHistory: payload.withHistory, storage: files.storage, now: now() });
    const token = newId('att');
    const name = fileNameOf(manifest.bases[0]?.name ?? 'base', now());
    await insertFile(db, { token, type: 9, size, mimetype: 'application/x-tar', name, spaceId: null, createdBy: payload.by.userId, seconds: dayLong });
    await files.storage.write(token, createReadStream(path) as AsyncIterable<Buffer>, size);
    await noteFile(db, token, { name, size, width: null, height: null, isUnmeasured: false });
    return { name, size, url: files.urlOf(pathOf({ token, width: null })) };
  } finally {
    await rm(path, { force: true });
  }
};

export const exportBaseJob: JobKind<Services, ExportPayload> = { name: exportKind, isLong: true, retry: { attempts: 3, first: 5, longest: 60 }, run };
