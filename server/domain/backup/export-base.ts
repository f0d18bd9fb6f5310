// GET /base/:baseId/export, and the job that writes the file.
import { createReadStream } from 'node:fs';
import type { Action } from '@rowhouse/contract/permission.ts';
import { demand } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context, Services } from '../../context.ts';
import { sessionOn } from '../../db/session.ts';
import { type Actor, actAs, actorOf } from '../../pipeline/act-as.ts';
import type { JobKind, JobRight, RunningJob } from '../../work/job.ts';
import { addJob } from '../../work/job.sql.ts';
import { withScratchFile } from '../../work/scratch-file.ts';
import { demandResultRoom } from '../file/file-room.ts';
import { dropResults, insertFile, noteFile } from '../file/file.sql.ts';
import { exportedText } from '../notification/message.ts';
import { insertNotifications, type NewNotification } from '../notification/notification.sql.ts';
import { writeBackup } from './write-backup.ts';

const exportKind = 'export-base';

interface ExportPayload {
  baseId: string;
  withHistory: boolean;
  by: Actor;
}

const needed: readonly Action[] = [
  'base|update',
  'table|export',
  'record|read',
  'table_record_history|read',
  'user|email_read',
];

const rightOf = (baseId: string): JobRight => ({ type: 'base', id: baseId, actions: needed });

export const exportBase = async (context: Context, baseId: string, withHistory: boolean): Promise<string> => {
  for (const action of needed) demand(context.access, action, baseId);
  const payload: ExportPayload = { baseId, withHistory, by: actorOf(context) };
  const jobId = await context.db.transaction(async (tx) => {
    // Without its base: those who may see that are not all shown the file.
    const added = await addJob(tx, {
      kind: exportKind,
      spaceId: context.access.spaceId as string,
      right: rightOf(baseId),
      createdBy: context.principal.userId,
      payload,
    });
    await writeAudit(tx, doerOf(context), 'base.exported', { baseIds: [baseId] }, { baseId, withHistory });
    return added;
  });
  context.work.wake();
  return jobId;
};

const dayLong = 86_400;

const fileNameOf = (base: string, time: Date): string =>
  `${base.replace(/[^\p{L}\p{N} ._-]+/gu, '_').slice(0, 100)} ${time.toISOString().slice(0, 10)}.rowhouse`;

const run = async (services: Services, { id, payload }: RunningJob<ExportPayload>): Promise<object> => {
  const { config, db, files, newId, now } = services;
  const { baseId, withHistory, by } = payload;
  const {
    access: { spaceId },
  } = await actAs(services, db, by, { type: 'base', id: baseId }, needed, id);
  return withScratchFile(async (path) => {
    const { manifest, size } = await writeBackup(async () => sessionOn(await db.dedicated()), path, {
      baseId,
      withHistory,
      storage: files.storage,
      now: now(),
    });
    const token = newId('att');
    const name = fileNameOf(manifest.bases[0]?.name ?? 'base', now());
    await db.transaction(async (tx) => {
      await dropResults(tx, by.userId, baseId);
      await demandResultRoom(tx, services, spaceId as string, size);
      await insertFile(tx, {
        token,
        type: 9,
        size,
        mimetype: 'application/x-tar',
        name,
        spaceId,
        createdBy: by.userId,
        seconds: dayLong,
        jobId: id,
      });
    });
    await files.storage.write(token, createReadStream(path) as AsyncIterable<Buffer>, size);
    await noteFile(db, token, { name, size, width: null, height: null, isUnmeasured: false });
    const ready: NewNotification = {
      id: newId('not'),
      userId: by.userId,
      type: 'exportBase',
      message: exportedText(manifest.bases[0]?.name ?? 'base'),
      path: `/api/job/${id}/file`,
      actorId: null,
      // A job that is run again tells of it once.
      source: `export ${id}`,
    };
    await insertNotifications(db, [ready], config.smtpUrl !== null);
    return { name, size, fileToken: token };
  });
};

export const exportBaseJob: JobKind<Services, ExportPayload> = {
  name: exportKind,
  isLong: true,
  retry: { attempts: 3, first: 5, longest: 60 },
  run,
};
