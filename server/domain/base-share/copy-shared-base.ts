// POST /share/:shareId/base/copy
import type { IncomingHttpHeaders } from 'node:http';
import type { copySharedBase as endpoint } from '@rowhouse/contract/base-share.ts';
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden, invalid } from '@rowhouse/contract/error.ts';
import { demandScope } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context, Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { upgradeBaseIn } from '../../db/upgrade-base.ts';
import { type Base, selectBase } from '../base/base.sql.ts';
import { createBaseIn } from '../base/create-base.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { claimCopiedFiles } from '../file/copy-files.ts';
import { demandBytesIn } from '../plan/demand-bytes.ts';
import { claimCopies } from '../plan/table-rows.ts';
import { copyTables } from '../table/copy-tables.ts';
import { lockBaseShare } from './base-share.sql.ts';
import { openBaseShare } from './visit.ts';

/** A base of the space, for somebody who may create tables in it. */
const targetIn = async (tx: Tx, context: Context, baseId: string, spaceId: string): Promise<Base> => {
  await demandAccess(tx, context, { type: 'base', id: baseId, trashed: false }, 'table|create');
  const found = (await selectBase(tx, context.principal.userId, baseId)) as Base;
  if (found.spaceId !== spaceId)
    throw invalid({
      path: 'baseId',
      message: `Base ${baseId} is not in space ${spaceId}`,
      expected: 'a base of that space',
    });
  return found;
};

/** In one transaction: the copy is there whole, or not at all. */
export const copySharedBase = async (
  context: Context,
  shareId: string,
  headers: IncomingHttpHeaders,
  { spaceId, name, withRecords = true, baseId }: BodyOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => {
  // A token sees of the share no more than of anything else.
  for (const scope of ['table|read', 'record|read'] as const) demandScope(context.principal, scope, shareId);
  const open = await openBaseShare(context as Context & Pick<Services, 'db'>, shareId, headers);
  if (!open.allowSave) throw forbidden('This share does not allow copies');
  return retriedTransaction(context.db, async (tx) => {
    // It may have been ended, or got a password, since; while it is copied it stays.
    const share = await lockBaseShare(tx, open.baseId, shareId);
    if (share === undefined || !share.isOn || !share.allowSave || share.passwordHash !== open.passwordHash)
      throw forbidden('This share does not allow copies');
    const into = baseId === undefined ? undefined : await targetIn(tx, context, baseId, spaceId);
    if (into === undefined)
      await demandAccess(tx, context, { type: 'space', id: spaceId, trashed: false }, 'base|create');
    await demandBytesIn(tx, context, spaceId);
    await upgradeBaseIn(tx, open.baseId);
    const base =
      into ?? (await createBaseIn(tx, context, { spaceId, name: name ?? open.baseName, icon: open.baseIcon }));
    const records = await copyTables(tx, context, open.baseId, base.id, {
      withRecords,
      withoutPeople: true,
      isAddition: into !== undefined,
      // The share shows none.
      withoutDashboards: true,
    });
    await claimCopies(tx, context, base.id, records);
    await claimCopiedFiles(tx, context, { baseId: base.id, spaceId }, open.baseId);
    await writeAudit(
      tx,
      doerOf(context),
      'base.copied',
      { spaceIds: [spaceId], baseIds: [open.baseId] },
      { baseId: open.baseId, copyId: base.id, toSpaceId: spaceId, withRecords },
    );
    return { id: base.id, name: base.name, spaceId: base.spaceId };
  });
};
