// POST /share/:shareId/view/copy-to-base: what a share shows becomes a table of somebody's own. It is read as a visitor reads it, and written as they write.
import type { IncomingHttpHeaders } from 'node:http';
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden } from '@rowhouse/contract/error.ts';
import type { copyShareToBase as endpoint } from '@rowhouse/contract/share.ts';
import type { Access } from '../../catalog/access.ts';
import type { Context, PublicContext } from '../../context.ts';
import type { Db, Tx } from '../../db/db.ts';
import { untilFresh } from '../../pipeline/act-as.ts';
import { guardedTransaction } from '../../pipeline/pipeline.ts';
import { addJob } from '../../work/job.sql.ts';
import { getRowCount } from '../aggregation/get-row-count.ts';
import { expectRoom } from '../plan/quota.ts';
import { copyKind, type CopyPayload } from './copy-job.ts';
import { demandMayCopy, fieldsToCopy, makeCopy, pagesOf, type SharedRecord } from './make-copy.ts';
import { type OpenShare, openShare } from './open-share.ts';
import { passwordMarkOf } from './pass.ts';
import { takeSnapshot } from './share.sql.ts';
import { signedIn } from './signed-in.ts';

/** So much is copied while the caller waits: about a second. It stands in memory meanwhile. */
const mostAtOnce = { records: 5_000, characters: 10_000_000 };

const demandCopyable = ({ meta }: OpenShare): void => {
  if (meta.allowCopy !== true || meta.includeRecords !== true) throw forbidden('This share does not allow copying');
};

const contextOf = async (services: PublicContext, decide: () => Promise<Access>): Promise<Context> => {
  const access = await decide();
  const { caller: _caller, ...rest } = services;
  return { ...rest, principal: access.principal, access, refresh: decide, noteOperation: () => undefined };
};

const addCopyJob = async (context: Context, open: OpenShare, name: string, total: number): Promise<string> => {
  const {
    principal: { userId, tokenId, clientId },
    access,
  } = context;
  const baseId = access.baseId as string;
  const { shareId } = open.share;
  const payload: CopyPayload = {
    shareId,
    passwordMark: passwordMarkOf(context, open.share),
    baseId,
    name,
    total,
    by: { userId, tokenId, clientId },
  };
  const jobId = await context.db.transaction(async (tx) => {
    await expectRoom(tx, context, access.spaceId as string, total);
    return addJob(tx, { kind: copyKind, baseId, createdBy: userId, payload });
  });
  context.work.wake();
  return jobId;
};

/**
 * Undefined: it is too much. All of it in one state, and before the transaction that writes begins, which asks for no second connection while it has one. Outside of a
 * transaction a page comes without cells that are still being filled, and a copy would never have them.
 */
const readShare = (
  { db }: PublicContext,
  open: OpenShare,
): Promise<{ pages: SharedRecord[][]; fields: Awaited<ReturnType<typeof fieldsToCopy>> } | undefined> =>
  db.transaction(async (reader) => {
    await takeSnapshot(reader);
    const reading: OpenShare = { ...open, context: { ...open.context, db: reader } };
    const pages: SharedRecord[][] = [];
    let all = 0;
    for await (const { records, characters } of pagesOf(reading)) {
      pages.push(records);
      all += characters;
      if (all > mostAtOnce.characters) return undefined;
    }
    return { pages, fields: await fieldsToCopy(reading) };
  });

export const copyShareToBase = async (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
  { baseId, name: asked }: BodyOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => {
  const open = await openShare(services, shareId, headers);
  demandCopyable(open);
  const decide = async (db: Db | Tx): Promise<Access> =>
    demandMayCopy(
      await signedIn({ db, config: services.config }, headers, { type: 'base', id: baseId, trashed: false }),
    );
  const context = await contextOf(services, () => decide(services.db));
  const {
    view,
    share: { viewId, baseId: fromBaseId },
  } = open;
  const name = asked ?? view.name;
  const { rowCount } = await getRowCount({ unconfirmed: open.context }, { viewId });
  const read =
    rowCount > mostAtOnce.records
      ? undefined
      : await untilFresh(services, open.share.tableId, () => readShare(services, open));
  if (read === undefined)
    return { baseId, recordCount: rowCount, jobId: await addCopyJob(context, open, name, rowCount) };
  const { pages, fields } = read;
  const plan = { name, fromBaseId, viewName: view.name, fields };
  const made = await guardedTransaction({ unconfirmed: context }, (within) =>
    makeCopy({ within, present: () => decide(within.db) }, plan, pages),
  );
  services.live.changed(baseId);
  return { baseId, ...made };
};
